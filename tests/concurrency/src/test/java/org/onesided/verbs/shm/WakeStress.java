package org.onesided.verbs.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.agrona.UnsafeApi;
import org.onesided.server.table.StressMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A frame is put into a ring while its reader is about to sleep: either the writer sees that it is to wake the reader,
 * or the reader sees the frame.
 */
@JCStressTest
@Outcome(id = {"0, 1", "1, 0", "1, 1"}, expect = ACCEPTABLE, desc = "woken, or awake")
@Outcome(expect = FORBIDDEN, desc = "the reader sleeps, and nobody wakes it")
@State
public class WakeStress
{
    private static final int WANTED = 1;
    private static final int PAYLOAD_LENGTH = 8;
    private static final long RING_LENGTH = 128;
    private static final long SOURCE_OFFSET = RING_LENGTH;
    private static final long WRITER_OFFSET = SOURCE_OFFSET + 64;
    private static final long READER_OFFSET = WRITER_OFFSET + PairSideDescriptor.LENGTH;
    private static final int CELL_LENGTH = (int)READER_OFFSET + PairSideDescriptor.LENGTH;

    private static final StressMemory MEMORY = new StressMemory(CELL_LENGTH);

    private final long cell = MEMORY.take();
    private final PairSide readerSide = new PairSide(cell + READER_OFFSET);
    private final RingWriter ringWriter;
    private final RingReader ringReader;

    /**
     * Empty, and the reader is awake.
     */
    public WakeStress()
    {
        UnsafeApi.setMemory(cell, CELL_LENGTH, (byte)0);
        final long produced = new PairSide(cell + WRITER_OFFSET).producedAddress();
        ringWriter = new RingWriter(cell, RING_LENGTH, produced, readerSide.consumedAddress());
        ringReader = new RingReader(cell, RING_LENGTH, produced, readerSide.consumedAddress());
        ringWriter.header(PAYLOAD_LENGTH, 1, 1, 1, 1);
        ringWriter.payload(0, cell + SOURCE_OFFSET, PAYLOAD_LENGTH);
    }

    /**
     * Puts the frame, and looks whether the reader is to be woken: as {@link Connection#wake} does.
     *
     * @param result whether it is.
     */
    @Actor
    public void writer(final II_Result result)
    {
        ringWriter.commit(PAYLOAD_LENGTH);
        result.r1 = readerSide.wantedNow();
    }

    /**
     * Says that it is to be woken, and looks for a frame: as a completion queue does that is armed.
     *
     * @param result whether there is one.
     */
    @Actor
    public void reader(final II_Result result)
    {
        readerSide.wakeUps(WANTED);
        UnsafeApi.fullFence();
        result.r2 = ringReader.available() > 0 ? 1 : 0;
    }

    /**
     * Gives the memory back.
     *
     * @param result of both.
     */
    @Arbiter
    public void end(final II_Result result)
    {
        MEMORY.giveBack(cell);
    }
}

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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A ring that one frame fills: the next one is written there as soon as there is room, and the reader takes both. Each
 * is whole when it is shown, and stays so until it is released.
 */
@JCStressTest
@Outcome(id = {"0, 1, 0", "1, 1, 0", "1, 1, 2"}, expect = ACCEPTABLE, desc = "whole frames in their order")
@Outcome(expect = FORBIDDEN, desc = "a frame that is not whole, or was overwritten")
@State
public class RingStress
{
    private static final int TRIES = 2000;
    private static final int PAYLOAD_LENGTH = 88;
    private static final long RING_LENGTH = 128;
    private static final long PRODUCED_OFFSET = RING_LENGTH;
    private static final long CONSUMED_OFFSET = PRODUCED_OFFSET + 64;
    private static final long SOURCE_OFFSET = CONSUMED_OFFSET + 64;
    private static final long TARGET_OFFSET = SOURCE_OFFSET + 128;
    private static final int CELL_LENGTH = (int)TARGET_OFFSET + 128;
    private static final int NONE = 0;
    private static final int WRONG = 9;

    private static final StressMemory MEMORY = new StressMemory(CELL_LENGTH);

    private final long cell = MEMORY.take();
    private final RingWriter ringWriter;
    private final RingReader ringReader;

    /**
     * With the first frame.
     */
    public RingStress()
    {
        UnsafeApi.putLong(cell + PRODUCED_OFFSET, 0);
        UnsafeApi.putLong(cell + CONSUMED_OFFSET, 0);
        ringWriter = new RingWriter(cell, RING_LENGTH, cell + PRODUCED_OFFSET, cell + CONSUMED_OFFSET);
        ringReader = new RingReader(cell, RING_LENGTH, cell + PRODUCED_OFFSET, cell + CONSUMED_OFFSET);
        write(1);
    }

    private void write(final int number)
    {
        for (int i = 0; i < PAYLOAD_LENGTH; i += Long.BYTES)
        {
            UnsafeApi.putLong(cell + SOURCE_OFFSET + i, number);
        }
        ringWriter.header(PAYLOAD_LENGTH, number, number, number, number);
        ringWriter.payload(0, cell + SOURCE_OFFSET, PAYLOAD_LENGTH);
        ringWriter.commit(PAYLOAD_LENGTH);
    }

    private int read()
    {
        final long available = ringReader.available();
        if (available == 0)
        {
            return NONE;
        }
        if (available < 0 || ringReader.fetch(available) != RING_LENGTH ||
            ringReader.payloadLength() != PAYLOAD_LENGTH)
        {
            return WRONG;
        }
        ringReader.payload(0, cell + TARGET_OFFSET, PAYLOAD_LENGTH);
        final int number = ringReader.flags();
        boolean isRight = ringReader.immediate() == number && ringReader.total() == number &&
            ringReader.sharedPosition() == number;
        for (int i = 0; i < PAYLOAD_LENGTH; i += Long.BYTES)
        {
            isRight &= UnsafeApi.getLong(cell + TARGET_OFFSET + i) == number;
        }
        ringReader.release(RING_LENGTH);
        return isRight ? number : WRONG;
    }

    /**
     * Writes the second frame if there is room.
     *
     * @param result whether there was.
     */
    @Actor
    public void writer(final III_Result result)
    {
        for (int i = 0; i < TRIES && result.r1 == 0; i++)
        {
            if (ringWriter.room() == RING_LENGTH)
            {
                write(2);
                result.r1 = 1;
            }
        }
    }

    /**
     * Takes the first frame and, if it is there, the second one.
     *
     * @param result their numbers.
     */
    @Actor
    public void reader(final III_Result result)
    {
        result.r2 = read();
        for (int i = 0; i < TRIES && result.r3 == NONE; i++)
        {
            result.r3 = read();
        }
    }

    /**
     * Gives the memory back.
     *
     * @param result of both.
     */
    @Arbiter
    public void end(final III_Result result)
    {
        MEMORY.giveBack(cell);
    }
}

package org.onesided.server.table;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A record is overwritten in place while a reader copies it twice. Each copy whose code holds is one of the two records
 * as a whole, and once the old one was seen to go it is never seen again.
 */
@JCStressTest
@Outcome(id = {"1, 1", "1, 0", "1, 2", "0, 0", "0, 2", "2, 2"}, expect = ACCEPTABLE, desc = "the old one, then the new")
@Outcome(expect = FORBIDDEN, desc = "a mixture, or the old one after the new")
@State
public class InPlaceStress
{
    private static final int TRIES = 500;
    private static final int VALUE_LENGTH = 104;
    private static final int LENGTH = (int)RecordDescriptor.length(StressRecord.KEY_LENGTH, VALUE_LENGTH);
    private static final int CELL_LENGTH = 256;
    private static final int COPY_OFFSET = CELL_LENGTH;
    /** A record is never at the start of a region. */
    private static final long OFFSET = SlotWord.GRANULE;
    private static final long KEY = 5;

    private static final StressMemory MEMORY = new StressMemory(2 * CELL_LENGTH);
    private static final RecordCheck CHECK = new RecordCheck(StressRecord.CHECK_SEED);
    private static final ByteBuffer PREPARED = BufferUtil.allocateDirectAligned(2 * CELL_LENGTH, CELL_LENGTH);
    private static final long OLD_RECORD = prepare(BufferUtil.address(PREPARED), StressRecord.OLD);
    private static final long NEW_RECORD = prepare(BufferUtil.address(PREPARED) + CELL_LENGTH, StressRecord.NEW);
    private static final long OLD_CODE = CHECK.code(OLD_RECORD, LENGTH, OFFSET);
    private static final long NEW_CODE = CHECK.code(NEW_RECORD, LENGTH, OFFSET);
    private static final ShardLayout LAYOUT = new ShardLayout(0, 1, 1, 0, 0, 0, CELL_LENGTH);
    private static final long SLOT_WORD = SlotWord.of(1, LENGTH, OFFSET);

    private final long cell = MEMORY.take();
    private final RecordMemory records = new RecordMemory(cell, LAYOUT, CHECK);

    /**
     * With the old record.
     */
    public InPlaceStress()
    {
        write(OLD_RECORD, OLD_CODE);
    }

    private static long prepare(final long address, final int number)
    {
        UnsafeApi.putLong(address + RecordDescriptor.KEY_OFFSET, KEY);
        RecordMemory.writeHeader(
            address, address + RecordDescriptor.KEY_OFFSET, StressRecord.KEY_LENGTH, VALUE_LENGTH, 0);
        StressRecord.fill(address + RecordDescriptor.KEY_OFFSET + StressRecord.KEY_LENGTH, VALUE_LENGTH, number);
        RecordMemory.writeVersion(address, number);
        return address;
    }

    private void write(final long record, final long code)
    {
        records.beginWrite(OFFSET);
        records.overwriteBody(record, OFFSET, LENGTH);
        records.publish(OFFSET, code);
    }

    /**
     * Overwrites it.
     */
    @Actor
    public void writer()
    {
        write(NEW_RECORD, NEW_CODE);
    }

    /**
     * Looks twice.
     *
     * @param result what it sees.
     */
    @Actor
    public void reader(final II_Result result)
    {
        // Until the writer is met.
        for (int i = 0; i == 0 || i < TRIES && result.r1 == StressRecord.OLD; i++)
        {
            result.r1 = StressRecord.read(cell, 0, SLOT_WORD, cell + COPY_OFFSET, KEY, StressRecord.OLD);
        }
        result.r2 = StressRecord.read(cell, 0, SLOT_WORD, cell + COPY_OFFSET, KEY, StressRecord.OLD);
    }

    /**
     * Gives the memory back.
     *
     * @param result of the reader.
     */
    @Arbiter
    public void end(final II_Result result)
    {
        MEMORY.giveBack(cell);
    }
}

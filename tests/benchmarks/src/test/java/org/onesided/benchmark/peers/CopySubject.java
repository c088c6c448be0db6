package org.onesided.benchmark.peers;

import java.util.Map;
import org.agrona.UnsafeApi;
import org.onesided.peers.Arguments;
import org.onesided.peers.Records;
import org.onesided.peers.Subject;
import org.onesided.peers.Worker;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.HugePages;

/**
 * The limit on shared memory: copies of the same records out of memory of the same kind, at places that need no looking
 * up. Each place is computed with a word of the copy before, so that it is not known sooner.
 */
final class CopySubject implements Subject
{
    /** Up to here a loop is faster than the call of a routine. */
    private static final int LOOP_LENGTH = 256;

    private final boolean isChecked;
    private final Context context = Devices.find("shm").open();
    private final RecordCheck check = new RecordCheck(1);
    private DeviceMemory memory;
    private DeviceMemory target;
    private long base;
    private long copy;
    private int recordLength;
    private int paddedLength;
    /** A word of the last copy, always 0, which the compiler cannot know. */
    private long carry;

    private CopySubject(final Arguments arguments)
    {
        isChecked = Boolean.parseBoolean(arguments.text("check", "false"));
    }

    /**
     * Serves as a worker.
     *
     * @param arguments {@code check=true} to compute each copy's check word, too.
     * @throws Exception if the worker fails.
     */
    public static void main(final String[] arguments) throws Exception
    {
        Worker.serve(() -> new CopySubject(new Arguments(arguments)));
    }

    @Override
    public void load(final long count, final int valueLength)
    {
        recordLength = (int)RecordDescriptor.length(Records.KEY_LENGTH, valueLength);
        paddedLength = (int)SlotWord.granules(recordLength) * SlotWord.GRANULE;
        // In huge pages where the server's region is.
        memory = context.allocate(count * paddedLength, HugePages.AUTO);
        base = memory.range().address();
        target = context.allocate(paddedLength, HugePages.OFF);
        copy = target.range().address();
        final byte[] value = Records.template(valueLength);
        for (long i = 0; i < count; i++)
        {
            final long record = base + i * paddedLength;
            final long key = record + RecordDescriptor.KEY_OFFSET;
            // Lengths, too: nobody reads them here.
            UnsafeApi.putLong(record + RecordDescriptor.FLAGS_OFFSET, 0);
            UnsafeApi.putLong(key, Records.firstKeyWord());
            UnsafeApi.putLong(key + Long.BYTES, Records.lastKeyWord(i));
            Records.value(i, value);
            for (int j = 0; j < valueLength; j++)
            {
                UnsafeApi.putByte(key + Records.KEY_LENGTH + j, value[j]);
            }
            UnsafeApi.putLong(record, check.code(record, recordLength, i));
        }
    }

    @Override
    public long get(final long number)
    {
        final long place = number + carry;
        final long record = base + place * paddedLength;
        if (paddedLength <= LOOP_LENGTH)
        {
            for (int i = 0; i < paddedLength; i += Long.BYTES)
            {
                UnsafeApi.putLong(copy + i, UnsafeApi.getLong(record + i));
            }
        }
        else
        {
            UnsafeApi.copyMemory(record, copy, paddedLength);
        }
        if (isChecked && check.code(copy, recordLength, place) != UnsafeApi.getLong(copy))
        {
            throw new IllegalStateException("copy is not what was written: place=" + place);
        }
        carry = UnsafeApi.getLong(copy + RecordDescriptor.FLAGS_OFFSET);
        return UnsafeApi.getLong(copy + RecordDescriptor.KEY_OFFSET + Records.KEY_LENGTH);
    }

    @Override
    public Map<String, Object> command(final String name, final Arguments arguments)
    {
        if (name.equals("memory"))
        {
            return Map.of("huge", memory.hugePages());
        }
        throw new IllegalArgumentException("no such command: command=" + name);
    }

    @Override
    public void close()
    {
        if (memory != null)
        {
            target.close();
            memory.close();
        }
        context.close();
    }
}

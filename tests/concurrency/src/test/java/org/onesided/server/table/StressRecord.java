package org.onesided.server.table;

import org.agrona.UnsafeApi;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.verbs.soft.MemoryCopy;

/**
 * Records of stress tests: all of the value is {@link #OLD} or {@link #NEW}. A reader copies one out as the device does
 * for a READ, and judges the copy as a client does.
 */
final class StressRecord
{
    static final int KEY_LENGTH = Long.BYTES;
    static final long CHECK_SEED = 77;

    /** Dead, being written, torn, or of another key. */
    static final int NOT_LIVE = 0;
    /** Live, with what was written first. */
    static final int OLD = 1;
    /** Live, with what was written last. */
    static final int NEW = 2;
    /** Live, and a mixture of both. */
    static final int WRONG = 9;

    private static final RecordCheck CHECK = new RecordCheck(CHECK_SEED);

    private StressRecord()
    {
    }

    /** Copies what a slot points at, and judges it; the new one's version is greater than the old one's. */
    static int read(
        final long base, final long heap, final long slotWord, final long copy, final long key, final long oldVersion)
    {
        final long offset = heap + SlotWord.heapOffset(slotWord);
        final int available = SlotWord.length(slotWord);
        UnsafeApi.loadFence();
        MemoryCopy.read(base + offset, copy, available);
        UnsafeApi.loadFence();
        final long check = UnsafeApi.getLong(copy + RecordDescriptor.CHECK_OFFSET);
        final int valueLength = UnsafeApi.getInt(copy + RecordDescriptor.VALUE_LENGTH_OFFSET);
        final long length = RecordDescriptor.length(KEY_LENGTH, valueLength);
        if (check == RecordDescriptor.DEAD || check == RecordDescriptor.BEING_WRITTEN ||
            UnsafeApi.getShort(copy + RecordDescriptor.KEY_LENGTH_OFFSET) != KEY_LENGTH ||
            valueLength < 0 || length > available || check != CHECK.code(copy, length, offset))
        {
            return NOT_LIVE;
        }
        if (UnsafeApi.getLong(copy + RecordDescriptor.KEY_OFFSET) != key)
        {
            return NOT_LIVE;
        }
        final long version = UnsafeApi.getLong(copy + RecordDescriptor.VERSION_OFFSET);
        final long value = UnsafeApi.getLong(copy + RecordDescriptor.KEY_OFFSET + KEY_LENGTH);
        boolean isRight = value == OLD && version == oldVersion || value == NEW && version > oldVersion;
        for (int i = 0; i < valueLength; i += Long.BYTES)
        {
            isRight &= UnsafeApi.getLong(copy + RecordDescriptor.KEY_OFFSET + KEY_LENGTH + i) == value;
        }
        return isRight ? (int)value : WRONG;
    }

    /** Fills a value. */
    static void fill(final long address, final int length, final long number)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            UnsafeApi.putLong(address + i, number);
        }
    }
}

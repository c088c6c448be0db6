package org.onesided.server.table;

import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * How a shard's record heap is divided.
 *
 * <pre>
 *  heap = redo slot | reserve | extents | absent
 * </pre>
 *
 * <p>The heap begins with room that is not counted as free: its first {@link #REDO_LENGTH} bytes are kept for a redo
 * slot, which the recovery of in-place writes after a crash needs. The reserve behind it holds no record for long:
 * records that move pass through, and a record that replaces one that is no shorter while the heap is full. It takes
 * 1/{@value #RESERVE_PART} of the heap, but at least {@value #MIN_RESERVE_LENGTH} bytes (1/{@value #MAX_RESERVE_PART}
 * of a heap that is shorter than 2 MiB), and no more than the longest record.
 */
final class HeapLayout
{
    /** Room kept for the redo of one in-place write: the longest such record, and what says where it belongs. */
    static final int REDO_LENGTH = RecordMemory.MAX_IN_PLACE_LENGTH + 64;
    /** Granules that a READ of a slot's length may fetch behind a record. */
    static final long READ_BEYOND = (1 << 3) - 1;

    private static final int RESERVE_PART = 256;
    private static final int MIN_RESERVE_LENGTH = 128 << 10;
    private static final int MAX_RESERVE_PART = 16;

    private HeapLayout()
    {
    }

    /**
     * Bytes at a heap's start that no record has for long.
     *
     * @param heapLength of the heap in bytes, however much of it there is.
     */
    static long keptLength(final long heapLength)
    {
        return SlotWord.granules(REDO_LENGTH) * SlotWord.GRANULE +
            reserveLength(heapLength) / SlotWord.GRANULE * SlotWord.GRANULE;
    }

    /** Bytes of those that a heap uses for now. */
    static long keptLength(final long heapLength, final long usableLength)
    {
        return Math.min(keptLength(heapLength), keptLength(usableLength) + READ_BEYOND * SlotWord.GRANULE);
    }

    private static long reserveLength(final long heapLength)
    {
        final long longest =
            RecordDescriptor.length(RecordDescriptor.MAX_KEY_LENGTH, RecordDescriptor.MAX_VALUE_LENGTH);
        final long least = Math.min(MIN_RESERVE_LENGTH, heapLength / MAX_RESERVE_PART);
        return Math.min(Math.max(least, heapLength / RESERVE_PART), longest + SlotWord.GRANULE);
    }
}

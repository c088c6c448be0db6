package org.onesided.client;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.verbs.MemoryRange;

/**
 * Copies of buckets in bounded memory, direct-mapped by bucket number, overflow buckets included. A line:
 *
 * <pre>
 *   0         8         16                                                          64
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | tag     | slot 0  | slot 1  | slot 2  | slot 3  | slot 4  | slot 5  | slot 6  |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *
 *  tag:     63                            32 31                             0
 *          +--------------------------------+--------------------------------+
 *          | overflow bucket number + 1     | bucket's tag + 1 (0 = no line) |
 *          +--------------------------------+--------------------------------+
 * </pre>
 *
 * <p>Whatever a line says is only a guess at where a record may be: the record itself, read whole, decides, and
 * absence is never taken from here. So several threads share a mirror without locks, and a line torn by their writes
 * costs a READ and nothing else. Its memory is not the garbage collector's, so that it may be in huge pages; who made
 * it keeps it while the mirror is in use.
 */
final class Mirror
{
    /** What {@link #lineOf} says for a bucket that has no line. */
    static final long NONE = 0;

    private static final long LOW_MASK = 0xFFFF_FFFFL;
    /** So many lines at least, or the tag would not fit into 32 bits. */
    private static final long MIN_LINES = 64;
    private static final long MAX_LINES = 1L << 36;

    private final long base;
    private final long lines;
    private final int lineBits;

    /**
     * @param memory zeroed, of a length that {@link #length} gave; empty for none.
     */
    Mirror(final MemoryRange memory)
    {
        base = memory.address();
        lines = memory.length() / BucketDescriptor.LENGTH;
        lineBits = Long.numberOfTrailingZeros(Math.max(lines, 1));
        if (lines != 0 && (Long.bitCount(lines) != 1 || lines < MIN_LINES))
        {
            throw new IllegalArgumentException("lines must be a power of two, " + MIN_LINES + " or more: " + memory);
        }
    }

    /**
     * Memory that a mirror takes.
     *
     * @param maxBytes    of memory; less than 64 lines of them is none.
     * @param bucketCount buckets of the table, overflow buckets included.
     * @return bytes, 0 for no mirror.
     */
    static long length(final long maxBytes, final long bucketCount)
    {
        final long affordable = Math.min(maxBytes / BucketDescriptor.LENGTH, MAX_LINES);
        final long useful = BitUtil.findNextPositivePowerOfTwo(Math.max(bucketCount, MIN_LINES));
        return affordable < MIN_LINES ? 0 :
            Math.min(Long.highestOneBit(affordable), useful) * BucketDescriptor.LENGTH;
    }

    /** How many buckets it can hold. */
    long capacity()
    {
        return lines;
    }

    /**
     * Finds a bucket's line.
     *
     * @param number of the bucket, table-wide.
     * @return the line, or {@link #NONE}.
     */
    long lineOf(final long number)
    {
        if (lines == 0)
        {
            return NONE;
        }
        final long line = placeOf(number);
        return (UnsafeApi.getLong(line) & LOW_MASK) == tag(number) ? line : NONE;
    }

    /** Address of the line that a bucket has if it has one; no address if there is no memory. */
    long placeOf(final long number)
    {
        return base + (number & lines - 1) * BucketDescriptor.LENGTH;
    }

    /** Slot word of a line that {@link #lineOf} gave. */
    static long slot(final long line, final int index)
    {
        return UnsafeApi.getLong(line + BucketDescriptor.slotOffset(index));
    }

    /**
     * Finds a slot with a fingerprint in a line that {@link #lineOf} gave.
     *
     * @return its word, or {@link SlotWord#EMPTY}.
     */
    static long find(final long line, final int fingerprint)
    {
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            final long word = slot(line, i);
            if (SlotWord.fingerprint(word) == fingerprint && word != SlotWord.EMPTY)
            {
                return word;
            }
        }
        return SlotWord.EMPTY;
    }

    /** Puts another word in place of one that {@link #find} found in a line. */
    static void replace(final long line, final long word, final long newer)
    {
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            if (slot(line, i) == word)
            {
                UnsafeApi.putLong(line + BucketDescriptor.slotOffset(i), newer);
            }
        }
    }

    /** Number of the overflow bucket that follows a line's bucket, or -1. */
    static long overflow(final long line)
    {
        return (UnsafeApi.getLong(line) >>> Integer.SIZE) - 1;
    }

    /**
     * Takes over a bucket that was read.
     *
     * @param number  of the bucket, table-wide.
     * @param address of its bytes, here.
     */
    void refresh(final long number, final long address)
    {
        if (lines == 0)
        {
            return;
        }
        final long line = placeOf(number);
        final long overflow = BucketDescriptor.overflow(UnsafeApi.getLong(address)) + 1;
        UnsafeApi.putLong(line, overflow << Integer.SIZE | tag(number));
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            final int offset = BucketDescriptor.slotOffset(i);
            UnsafeApi.putLong(line + offset, UnsafeApi.getLong(address + offset));
        }
    }

    /**
     * Takes over one slot, as the answer to a write told it. A bucket without a line gets one that knows only this
     * slot.
     */
    void update(final long number, final int slotIndex, final long slotWord)
    {
        if (lines == 0)
        {
            return;
        }
        final long line = placeOf(number);
        if (lineOf(number) == NONE)
        {
            if (slotWord == SlotWord.EMPTY)
            {
                return;
            }
            UnsafeApi.putLong(line, tag(number));
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                UnsafeApi.putLong(line + BucketDescriptor.slotOffset(i), SlotWord.EMPTY);
            }
        }
        UnsafeApi.putLong(line + BucketDescriptor.slotOffset(slotIndex), slotWord);
    }

    private long tag(final long number)
    {
        return (number >>> lineBits) + 1 & LOW_MASK;
    }
}

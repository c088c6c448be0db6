package org.onesided.client.session;

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
 *  | head    | slot 0  | slot 1  | slot 2  | slot 3  | slot 4  | slot 5  | slot 6  |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *
 *  head:    63                            32 31            16 15              0
 *          +--------------------------------+----------------+----------------+
 *          | overflow bucket number + 1     | chain's tag    | bucket + 1     |
 *          +--------------------------------+----------------+----------------+
 *
 *  bucket:      upper bits of the bucket's number, which its place does not tell; a head of 0 is no line
 *  chain's tag: 65,535 if it is not known, or too high to be kept
 * </pre>
 *
 * <p>The slots of a line are only a guess at where a record may be: the record itself, read whole, decides. The head
 * is what the bucket's header said at some moment, whatever threads wrote the line: it is one word. A reader may rely
 * on that, by the rules of {@link BucketDescriptor}, but takes absence never from here alone. So several threads share
 * a mirror without locks, and a line torn by their writes costs a READ and nothing else. Its memory is not the garbage
 * collector's, so that it may be in huge pages; who made it keeps it while the mirror is in use.
 */
public final class Mirror
{
    /** What {@link #lineOf} says for a bucket that has no line. */
    public static final long NONE = 0;

    /** What {@link #header} says where it knows nothing. */
    public static final long UNKNOWN = 0;

    private static final long BUCKET_MASK = 0xFFFF;
    private static final int TAG_SHIFT = 16;
    private static final int UNKNOWN_TAG = 0xFFFF;
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
     * @return bytes; 0 for no mirror.
     */
    static long length(final long maxBytes, final long bucketCount)
    {
        final long affordable = Math.min(maxBytes / BucketDescriptor.LENGTH, MAX_LINES);
        final long useful = BitUtil.findNextPositivePowerOfTwo(Math.max(bucketCount, MIN_LINES));
        final long lines = Math.min(Long.highestOneBit(affordable), useful);
        return lines < MIN_LINES ? 0 : lines * BucketDescriptor.LENGTH;
    }

    /**
     * @return how many buckets it can hold.
     */
    public long capacity()
    {
        return lines;
    }

    /**
     * Finds a bucket's line.
     *
     * @param number of the bucket, table-wide.
     * @return the line, or {@link #NONE}.
     */
    public long lineOf(final long number)
    {
        if (lines == 0)
        {
            return NONE;
        }
        final long line = placeOf(number);
        return (UnsafeApi.getLong(line) & BUCKET_MASK) == nameOf(number) ? line : NONE;
    }

    /**
     * Address of the line that a bucket has if it has one; no address if there is no memory.
     *
     * @param number of the bucket, table-wide.
     * @return the address.
     */
    public long placeOf(final long number)
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
     * @param line        to look through.
     * @param fingerprint to look for.
     * @return its word, or {@link SlotWord#EMPTY}.
     */
    public static long find(final long line, final int fingerprint)
    {
        // No branch per slot: which slot matches is random, so the processor would mispredict it.
        int matches = 0;
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            matches |= ((SlotWord.fingerprint(slot(line, i)) ^ fingerprint) - 1 >>> Integer.SIZE - 1) << i;
        }
        while (matches != 0)
        {
            final long word = slot(line, Integer.numberOfTrailingZeros(matches));
            // Another thread may have written the slot meanwhile.
            if (SlotWord.fingerprint(word) == fingerprint && word != SlotWord.EMPTY)
            {
                return word;
            }
            matches &= matches - 1;
        }
        return SlotWord.EMPTY;
    }

    /**
     * Puts another word in place of one that {@link #find} found in a line.
     *
     * @param line  that holds the word.
     * @param word  that was found.
     * @param newer takes its place.
     */
    public static void replace(final long line, final long word, final long newer)
    {
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            if (slot(line, i) == word)
            {
                UnsafeApi.putLong(line + BucketDescriptor.slotOffset(i), newer);
            }
        }
    }

    /**
     * What the header of a first bucket was at some moment before this call.
     *
     * @param number of the bucket, table-wide.
     * @return a header word with the chain's tag and the overflow bucket, or {@link #UNKNOWN}.
     */
    public long header(final long number)
    {
        if (lines == 0)
        {
            return UNKNOWN;
        }
        final long head = UnsafeApi.getLong(placeOf(number));
        final int tag = (int)(head >>> TAG_SHIFT) & UNKNOWN_TAG;
        return (head & BUCKET_MASK) != nameOf(number) || tag == UNKNOWN_TAG ? UNKNOWN :
            BucketDescriptor.header(BucketDescriptor.LIVE, 0, tag, (head >>> Integer.SIZE) - 1);
    }

    /**
     * @param line that {@link #lineOf} gave.
     * @return number of the overflow bucket that follows its bucket, or -1.
     */
    public static long overflow(final long line)
    {
        return (UnsafeApi.getLong(line) >>> Integer.SIZE) - 1;
    }

    /**
     * Takes over a bucket that was read.
     *
     * @param number  of the bucket, table-wide.
     * @param address of its bytes, here.
     */
    public void refresh(final long number, final long address)
    {
        if (!mayHaveLine(number))
        {
            return;
        }
        final long line = placeOf(number);
        final long header = UnsafeApi.getLong(address + BucketDescriptor.HEADER_OFFSET);
        UnsafeApi.putLong(line, head(number, BucketDescriptor.tag(header), BucketDescriptor.overflow(header)));
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            final int offset = BucketDescriptor.slotOffset(i);
            UnsafeApi.putLong(line + offset, UnsafeApi.getLong(address + offset));
        }
    }

    /**
     * Takes over one slot, as the answer to a write told it. A bucket without a line gets one that knows only this
     * slot.
     *
     * @param number    of the bucket, table-wide.
     * @param slotIndex of the slot in it.
     * @param slotWord  of the slot.
     */
    public void update(final long number, final int slotIndex, final long slotWord)
    {
        if (!mayHaveLine(number))
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
            UnsafeApi.putLong(line, head(number, UNKNOWN_TAG, -1));
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                UnsafeApi.putLong(line + BucketDescriptor.slotOffset(i), SlotWord.EMPTY);
            }
        }
        UnsafeApi.putLong(line + BucketDescriptor.slotOffset(slotIndex), slotWord);
    }

    private long head(final long number, final int tag, final long overflow)
    {
        return overflow + 1 << Integer.SIZE | (long)Math.min(tag, UNKNOWN_TAG) << TAG_SHIFT | nameOf(number);
    }

    /**
     * Takes over a slot word that may be a key's, from the line of a bucket that its own comes of.
     *
     * @param number   of the key's bucket, table-wide.
     * @param slotWord of the key.
     * @return a line that has the word now; {@link #NONE} if the bucket has a line that knew it better.
     */
    public long adopt(final long number, final long slotWord)
    {
        final long line = lineOf(number);
        if (isWhole(line))
        {
            return NONE;
        }
        int slot = 0;
        while (line != NONE && slot < BucketDescriptor.SLOT_COUNT - 1 && slot(line, slot) != SlotWord.EMPTY)
        {
            slot++;
        }
        update(number, slot, slotWord);
        return lineOf(number);
    }

    /**
     * @param line that {@link #lineOf} gave.
     * @return whether it has all slots of its bucket, as they were when it was READ.
     */
    public static boolean isWhole(final long line)
    {
        return line != NONE && ((int)(UnsafeApi.getLong(line) >>> TAG_SHIFT) & UNKNOWN_TAG) != UNKNOWN_TAG;
    }

    /** A line can tell 65,535 buckets apart, of which it holds one. Those beyond them have no line. */
    private boolean mayHaveLine(final long number)
    {
        return lines != 0 && nameOf(number) <= BUCKET_MASK;
    }

    /** What tells a bucket from the others that have the same line. */
    private long nameOf(final long number)
    {
        return (number >>> lineBits) + 1;
    }
}

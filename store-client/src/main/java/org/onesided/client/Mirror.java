package org.onesided.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;

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
 * costs a READ and nothing else. Its memory is taken piece by piece, as buckets come.
 */
final class Mirror
{
    /** What {@link #lineOf} says for a bucket that has no line. */
    static final long NONE = -1;

    private static final int LINE_WORDS = BucketDescriptor.LENGTH / Long.BYTES;
    private static final int PIECE_SHIFT = 9;
    private static final int PIECE_LINES = 1 << PIECE_SHIFT;
    private static final long LOW_MASK = 0xFFFF_FFFFL;
    /** So many lines at least, or the tag would not fit into 32 bits. */
    private static final long MIN_LINES = 64;
    private static final long MAX_LINES = 1L << 36;
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private final AtomicReferenceArray<long[]> pieces;
    private final long lines;
    private final int lineBits;

    /**
     * @param maxBytes    of memory; less than 64 lines of them is none.
     * @param bucketCount buckets of the table, overflow buckets included.
     */
    Mirror(final long maxBytes, final long bucketCount)
    {
        final long affordable = Math.min(maxBytes / BucketDescriptor.LENGTH, MAX_LINES);
        final long useful = BitUtil.findNextPositivePowerOfTwo(Math.max(bucketCount, MIN_LINES));
        lines = affordable < MIN_LINES ? 0 : Math.min(Long.highestOneBit(affordable), useful);
        lineBits = Long.numberOfTrailingZeros(Math.max(lines, 1));
        pieces = new AtomicReferenceArray<>((int)((lines + PIECE_LINES - 1) >>> PIECE_SHIFT));
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
        final long line = number & lines - 1;
        final long[] piece = pieces.getAcquire((int)(line >>> PIECE_SHIFT));
        return piece != null && (word(piece, line, 0) & LOW_MASK) == tag(number) ? line : NONE;
    }

    /** Slot word of a line that {@link #lineOf} gave. */
    long slot(final long line, final int index)
    {
        return word(pieces.getAcquire((int)(line >>> PIECE_SHIFT)), line, 1 + index);
    }

    /** Number of the overflow bucket that follows a line's bucket, or -1. */
    long overflow(final long line)
    {
        return (word(pieces.getAcquire((int)(line >>> PIECE_SHIFT)), line, 0) >>> Integer.SIZE) - 1;
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
        final long line = number & lines - 1;
        final long[] piece = pieceFor(line);
        final long overflow = BucketDescriptor.overflow(UnsafeApi.getLong(address)) + 1;
        word(piece, line, 0, overflow << Integer.SIZE | tag(number));
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            word(piece, line, 1 + i, UnsafeApi.getLong(address + BucketDescriptor.slotOffset(i)));
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
        final long line = number & lines - 1;
        if (lineOf(number) == NONE)
        {
            if (slotWord == SlotWord.EMPTY)
            {
                return;
            }
            final long[] piece = pieceFor(line);
            word(piece, line, 0, tag(number));
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                word(piece, line, 1 + i, SlotWord.EMPTY);
            }
        }
        word(pieceFor(line), line, 1 + slotIndex, slotWord);
    }

    private long tag(final long number)
    {
        return (number >>> lineBits) + 1 & LOW_MASK;
    }

    private long[] pieceFor(final long line)
    {
        final int index = (int)(line >>> PIECE_SHIFT);
        final long[] piece = pieces.getAcquire(index);
        if (piece != null)
        {
            return piece;
        }
        pieces.compareAndSet(index, null, new long[PIECE_LINES * LINE_WORDS]);
        return pieces.getAcquire(index);
    }

    private static long word(final long[] piece, final long line, final int index)
    {
        return (long)WORDS.getOpaque(piece, wordIndex(line, index));
    }

    private static void word(final long[] piece, final long line, final int index, final long value)
    {
        WORDS.setOpaque(piece, wordIndex(line, index), value);
    }

    private static int wordIndex(final long line, final int index)
    {
        return (int)(line & PIECE_LINES - 1) * LINE_WORDS + index;
    }
}

package org.onesided.server.table;

import org.agrona.collections.LongHashSet;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.SlotWord;

/**
 * Makes a long run of free granules out of short ones, by moving the records between them down. A record moves as a put
 * out of place does, with its version kept: readers at its old place find it dead and look it up again. Where old and
 * new place would overlap it moves by way of another place, so that it is whole at every moment.
 *
 * <p>A heap of mixed sizes thus refuses a record when it is full, not when it is scattered. The work for one record is
 * bounded, and grows as the free part of the heap shrinks.
 */
final class Compactor
{
    /** Windows compared before the cheapest is taken. */
    private static final int CANDIDATES = 8;
    /** Extents looked at for one record. */
    private static final int MAX_EXTENTS_SEEN = 1 << 16;
    /** Granules moved for a short record, and for any. */
    private static final long MIN_MOVE = 1 << 13;
    private static final long MAX_MOVE = 1 << 19;
    private static final long MOVE_FACTOR = 64;

    private final HeapAllocator heap;
    private final RecordMemory records;
    private final BucketChains chains;
    private final KeyHash keyHash;
    private final LongHashSet fixed;
    private final long heapOffset;
    private final long spare;
    private final long spareLength;

    private long cursor;
    private long moved;
    private long windowStart;
    private long windowEnd;
    private long windowUsed;
    private int extentsSeen;

    /**
     * @param heap        whose extents, but the fixed ones, are live records.
     * @param fixed       starts of extents that must stay, in granules.
     * @param heapOffset  table offset of the heap.
     * @param spare       granule of room kept for records on their way.
     * @param spareLength of it, in granules.
     */
    Compactor(
        final HeapAllocator heap,
        final RecordMemory records,
        final BucketChains chains,
        final KeyHash keyHash,
        final LongHashSet fixed,
        final long heapOffset,
        final long spare,
        final long spareLength)
    {
        this.heap = heap;
        this.records = records;
        this.chains = chains;
        this.keyHash = keyHash;
        this.fixed = fixed;
        this.heapOffset = heapOffset;
        this.spare = spare;
        this.spareLength = spareLength;
        cursor = spare + spareLength;
    }

    /** Records moved so far. */
    long moved()
    {
        return moved;
    }

    /** Tries to make a run of {@code length} free granules; says whether there is one now. */
    boolean makeRoom(final int length)
    {
        return heap.freeGranules() >= length && chooseWindow(length) && slide() && heap.longestFree() >= length;
    }

    /** Finds a window that has enough free granules and few taken ones, none of them fixed. */
    private boolean chooseWindow(final int length)
    {
        final long first = spare + spareLength;
        final long limit = Math.min(MAX_MOVE, Math.max(MIN_MOVE, length * MOVE_FACTOR));
        long bestStart = -1;
        long bestEnd = -1;
        long bestUsed = Long.MAX_VALUE;
        extentsSeen = 0;
        final long begin = cursor;
        boolean wrapped = false;
        for (int i = 0; i < CANDIDATES && extentsSeen < MAX_EXTENTS_SEEN; )
        {
            if (nextWindow(cursor, length, limit))
            {
                if (windowUsed < bestUsed)
                {
                    bestStart = windowStart;
                    bestEnd = windowEnd;
                    bestUsed = windowUsed;
                }
                i++;
            }
            cursor = windowEnd;
            if (cursor >= heap.granules())
            {
                if (wrapped)
                {
                    break;
                }
                wrapped = true;
                cursor = first;
            }
            if (wrapped && cursor >= begin)
            {
                break;
            }
        }
        windowStart = bestStart;
        windowEnd = bestEnd;
        return bestStart >= 0;
    }

    /** Looks at the window that begins with the first free run after {@code from}; says whether it will do. */
    private boolean nextWindow(final long from, final int length, final long limit)
    {
        windowStart = heap.nextFree(from);
        windowUsed = 0;
        long free = 0;
        long at = windowStart;
        while (at < heap.granules())
        {
            final long extent = heap.nextTaken(at, at + length - free);
            free += extent - at;
            at = extent;
            if (free >= length)
            {
                windowEnd = at;
                return true;
            }
            if (at >= heap.granules())
            {
                break;
            }
            final long size = heap.length(at);
            extentsSeen++;
            at += size;
            windowUsed += size;
            if (windowUsed > limit || fixed.contains(extent) || extentsSeen >= MAX_EXTENTS_SEEN)
            {
                windowEnd = at;
                return false;
            }
        }
        windowEnd = heap.granules();
        return false;
    }

    /** Moves the window's records down to its start. */
    private boolean slide()
    {
        long to = windowStart;
        long from = heap.nextTaken(to, windowEnd);
        while (from < windowEnd)
        {
            final int length = (int)heap.length(from);
            if (!move(from, to, length))
            {
                return false;
            }
            to += length;
            from = heap.nextTaken(from + length, windowEnd);
        }
        return true;
    }

    private boolean move(final long from, final long to, final int length)
    {
        if (to + length <= from)
        {
            heap.take(to, length);
            relocate(from, to, length);
            heap.free(from);
            return true;
        }
        final boolean fits = length <= spareLength;
        final long way = fits ? spare : heap.allocate(length);
        if (way < 0)
        {
            return false;
        }
        relocate(from, way, length);
        heap.free(from);
        if (way < windowEnd && way + length > windowStart && !fits)
        {
            // The only room was in the window: there the record stays, and the window is given up.
            return false;
        }
        heap.take(to, length);
        relocate(way, to, length);
        if (!fits)
        {
            heap.free(way);
        }
        return true;
    }

    private void relocate(final long from, final long to, final long granules)
    {
        final long old = heapOffset + from * SlotWord.GRANULE;
        final long place = heapOffset + to * SlotWord.GRANULE;
        final long hash = keyHash.hash(records.keyAddress(old), records.keyLength(old));
        chains.findRecord(hash, old);
        records.beginWrite(place);
        records.copyBody(old, place, granules * SlotWord.GRANULE);
        final long length = records.length(place);
        final long code = records.code(records.address(place), length, place);
        records.kill(old);
        final long word = SlotWord.of(KeyHash.fingerprint(hash), length, place);
        chains.word(word);
        records.publish(place, code);
        records.forward(old, word);
        records.zero(old, 0, granules * SlotWord.GRANULE);
        moved++;
    }
}

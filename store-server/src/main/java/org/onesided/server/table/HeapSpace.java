package org.onesided.server.table;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayQueue;
import org.agrona.collections.LongHashSet;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * The room of a shard's record heap, by table offsets: extents are handed out, lent, and come back zeroed, but for
 * where each one's record is now. Long extents
 * are zeroed in steps before they are free; what is lent does not move, and stays until it is given back.
 *
 * <pre>
 *  heap = redo slot and spare room | extents
 * </pre>
 *
 * <p>The heap begins with room that holds no record for long: its first {@link #REDO_LENGTH} bytes are kept for a
 * redo slot, which the recovery of in-place writes after a crash needs; behind it is where moving records pass
 * through.
 */
final class HeapSpace
{
    /** Room kept for the redo of one in-place write: the longest such record, and what says where it belongs. */
    static final int REDO_LENGTH = RecordMemory.MAX_IN_PLACE_LENGTH + 64;

    /** Longest extent that is zeroed at once, and what a write adds to the zeroing of longer ones, in bytes. */
    private static final long STEP = 64 << 10;
    /** Spare room: enough for most records, but at most this part of the heap. */
    private static final long SPARE_LENGTH = 128 << 10;
    private static final int SPARE_PART = 16;
    private static final long NONE = -1;

    private final RecordMemory records;
    private final HeapAllocator heap;
    private final Compactor compactor;
    private final long heapOffset;
    private final LongHashSet fixed = new LongHashSet();
    private final Long2LongHashMap lent = new Long2LongHashMap(0);
    private final LongHashSet retired = new LongHashSet();
    private final LongArrayQueue unclean = new LongArrayQueue(NONE);
    private long cleaned;

    HeapSpace(final RecordMemory records, final BucketChains chains, final KeyHash keyHash, final ShardLayout layout)
    {
        this.records = records;
        heapOffset = layout.heap();
        final long granules = layout.heapLength() / SlotWord.GRANULE;
        final long redo = SlotWord.granules(REDO_LENGTH);
        final long spare = Math.min(SPARE_LENGTH, layout.heapLength() / SPARE_PART) / SlotWord.GRANULE;
        if (redo + spare >= granules)
        {
            throw new IllegalArgumentException("heap is too short for a table: heapLength=" + layout.heapLength());
        }
        heap = new HeapAllocator(granules, redo + spare);
        compactor = new Compactor(heap, records, chains, keyHash, fixed, heapOffset, redo, spare);
    }

    /** Table offset of a new extent of at least {@code length} bytes, or -1 if there is no room. */
    long allocate(final long length)
    {
        clean(STEP);
        final int granules = (int)SlotWord.granules(length);
        long start = heap.allocate(granules);
        while (start < 0 && clean(Long.MAX_VALUE))
        {
            start = heap.allocate(granules);
        }
        if (start < 0 && makeRoom(granules))
        {
            start = heap.allocate(granules);
        }
        return start < 0 ? NONE : heapOffset + start * SlotWord.GRANULE;
    }

    /**
     * Makes a long run of free granules by moving records, but nothing that is lent, and no long extent that is not
     * zeroed yet.
     *
     * @param granules wanted.
     * @return whether there is such a run now.
     */
    boolean makeRoom(final int granules)
    {
        return compactor.makeRoom(granules);
    }

    /** Zeroes and frees an extent, or leaves that to later: its record is dead. */
    void free(final long offset)
    {
        final long start = start(offset);
        if (lent.containsKey(offset))
        {
            retired.add(offset);
            return;
        }
        final long length = heap.length(start) * SlotWord.GRANULE;
        if (length <= STEP)
        {
            records.zero(offset, 0, length);
            heap.free(start);
        }
        else
        {
            fixed.add(start);
            unclean.addLong(offset);
        }
    }

    /**
     * Goes on zeroing.
     *
     * @param maxBytes to zero; only within the first of the extents that wait.
     * @return whether there was anything to do.
     */
    boolean clean(final long maxBytes)
    {
        final long offset = unclean.peekLong();
        if (offset == NONE)
        {
            return false;
        }
        final long start = start(offset);
        final long length = heap.length(start) * SlotWord.GRANULE;
        final long step = Math.min(Math.max(maxBytes, SlotWord.GRANULE), length - cleaned);
        records.zero(offset, cleaned, step);
        cleaned += step;
        if (cleaned == length)
        {
            cleaned = 0;
            unclean.pollLong();
            fixed.remove(start);
            heap.free(start);
        }
        return true;
    }

    /** Keeps an extent where it is, and as it is, until as many calls of {@link #giveBack} have come. */
    void lend(final long offset)
    {
        lent.put(offset, lent.get(offset) + 1);
        fixed.add(start(offset));
    }

    /** Takes an extent back that was lent; frees it if it was to be freed meanwhile. */
    void giveBack(final long offset)
    {
        final long count = lent.get(offset) - 1;
        if (count > 0)
        {
            lent.put(offset, count);
            return;
        }
        lent.remove(offset);
        fixed.remove(start(offset));
        if (retired.remove(offset))
        {
            free(offset);
        }
    }

    boolean isLent(final long offset)
    {
        return lent.containsKey(offset);
    }

    long bytes()
    {
        return heap.granules() * SlotWord.GRANULE;
    }

    long bytesUsed()
    {
        return bytes() - heap.freeGranules() * SlotWord.GRANULE;
    }

    long recordsMoved()
    {
        return compactor.moved();
    }

    private long start(final long offset)
    {
        return (offset - heapOffset) / SlotWord.GRANULE;
    }
}

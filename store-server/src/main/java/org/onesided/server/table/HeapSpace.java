package org.onesided.server.table;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayQueue;
import org.agrona.collections.LongHashSet;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * The room of a shard's record heap, by table offsets: extents are handed out, lent, and come back zeroed, but for
 * where each one's record is now. Long extents are zeroed in steps before they are free; what is lent does not move,
 * and stays until it is given back. {@link HeapLayout} says what else the heap has.
 *
 * <p>Memory at the heap's end that the system wants back is cleared if enough is free without it.
 */
final class HeapSpace
{
    /** {@link #allocate}: no room, and none to be had. */
    static final long FULL = -1;
    /** {@link #allocate}: no room yet. */
    static final long WAIT = -2;

    /** Longest extent that is zeroed at once, and what a write adds to the zeroing of longer ones, in bytes. */
    private static final long STEP = 64 << 10;
    /** A heap gives memory back only if this part of the rest is free, */
    private static final int SPARE_PART = 8;
    /** or this one if an index is starved: a shard with a log has more, though its last segment is given back. */
    private static final int URGENT_SPARE_PART = 128;
    private static final long NONE = -1;

    private final RecordMemory records;
    private final PartMemory memory;
    private final HeapEnd end;
    private final HeapAllocator heap;
    private final HeapReserve reserve;
    private final Relocation relocation;
    private final Gap gap;
    private final TailClearing tail;
    private final Compactor compactor;
    private final long heapOffset;
    private final FixedExtents fixed = new FixedExtents();
    private final Long2LongHashMap lent = new Long2LongHashMap(0);
    private final LongHashSet retired = new LongHashSet();
    private final LongArrayQueue unclean = new LongArrayQueue(NONE);
    /** Granules of extents that are retired, or unclean. */
    private long pending;
    /** Granules of those that are retired. */
    private long retiredGranules;
    /** Whether records leave when the heap is full, so that it has room for any record that fits. */
    private boolean evicts;
    /** Bytes of the extent that is being zeroed, and how many of them are done. */
    private long uncleanLength;
    private long cleaned;
    /** The memory that is being cleared, so that it can be given back. */
    private long clearing = PartMemory.NONE;

    /**
     * @param reserveMemory of the start of the heap, {@link HeapLayout#keptLength} bytes at most.
     * @param memory        of all behind that.
     */
    HeapSpace(
        final RecordMemory records,
        final BucketChains chains,
        final KeyHash keyHash,
        final RecordCheck check,
        final ShardLayout layout,
        final PartMemory reserveMemory,
        final PartMemory memory)
    {
        this.records = records;
        this.memory = memory;
        heapOffset = layout.heap();
        end = new HeapEnd(layout.heapLength(), reserveMemory, memory, fixed);
        heap = end.heap();
        reserve = end.reserve();
        relocation = new Relocation(records, chains, keyHash, check, heapOffset);
        gap = new Gap(heap, fixed, reserve, records, relocation, heapOffset);
        final GapSearch search = new GapSearch(heap, fixed, reserve.end(), gap);
        tail = new TailClearing(heap, fixed, reserve, gap, search);
        compactor = new Compactor(heap, fixed, reserve, gap, search, tail);
    }

    /**
     * Takes an extent.
     *
     * @param length in bytes.
     * @return its table offset; or {@link #WAIT} if there is room, but scattered, not zeroed, or lent, so that
     *         {@link #makeRoom} helps; or {@link #FULL}.
     */
    long allocate(final long length)
    {
        clean(STEP);
        final long granules = SlotWord.granules(length);
        long start = granules > available() ? NONE : find(granules);
        if (start == NONE && end.takeIn() && granules <= available())
        {
            start = find(granules);
        }
        end.growAhead();
        if (start != NONE)
        {
            return offset(start);
        }
        if (granules > available() + pending + growableGranules())
        {
            return evicts && granules <= recordGranules() ? WAIT : FULL;
        }
        end.growFor(granules);
        return WAIT;
    }

    private long find(final long granules)
    {
        final long start = heap.allocate((int)granules);
        return start == NONE ? gap.take(granules) : start;
    }

    /** Says that records leave when the heap is full. */
    void evicts()
    {
        evicts = true;
    }

    /** Granules of the heap that records can have. */
    long recordGranules()
    {
        return end.recordGranules();
    }

    /** Granules that are free, or will be without anybody's doing. */
    long expectedGranules()
    {
        return available() + pending - retiredGranules;
    }

    /** Granules that the heap may still get. */
    long growableGranules()
    {
        return end.growable() / SlotWord.GRANULE;
    }

    /** Whether more memory is on its way, or can be. */
    boolean isGrowing()
    {
        return end.growable() > 0;
    }

    /** Whether the system refuses to give memory for now. */
    boolean isGrowthRefused()
    {
        return memory.isRefused();
    }

    /**
     * Takes the reserve, for a record that replaces one that is no shorter.
     *
     * @param length in bytes.
     * @return as {@link #allocate} does.
     */
    long allocateReserve(final long length)
    {
        final long granules = SlotWord.granules(length);
        if (granules > reserve.length())
        {
            return FULL;
        }
        if (!reserve.isFree())
        {
            return WAIT;
        }
        reserve.take(granules);
        return offset(reserve.start());
    }

    /**
     * Goes on with making a long run of free granules: by zeroing what waits for that, and by moving records, but
     * nothing that is lent. Also moves the record in the reserve to another place.
     *
     * @param length of the record that is to have room, in bytes; 0 if none is.
     * @param budget granules that may be touched; the last short record may exceed it.
     * @return granules touched; 0 if there is nothing to do, or nothing that can be done now.
     */
    long makeRoom(final long length, final long budget)
    {
        if (end.takeIn())
        {
            return HeapEnd.TAKE_IN_COST;
        }
        if (length == 0 && (clearing != PartMemory.NONE || memory.surplus() != PartMemory.NONE))
        {
            return clearSurplus(budget);
        }
        long spent = 0;
        while (length > 0 && spent < budget && !unclean.isEmpty())
        {
            spent += clean((budget - spent) * SlotWord.GRANULE) / SlotWord.GRANULE;
        }
        if (length > 0 && memory.growable() > 0)
        {
            // Memory is on its way, which is cheaper than to move records; but what has begun to move does not stay so.
            return spent + compactor.step(Compactor.KEEP, budget - spent);
        }
        final long granules = SlotWord.granules(length);
        return spent + compactor.step(granules <= available() ? granules : Compactor.KEEP, budget - spent);
    }

    /** Goes on with clearing memory that is to be given back, or begins, or gives up. */
    private long clearSurplus(final long budget)
    {
        final long surplus = memory.surplus();
        if (!unclean.isEmpty())
        {
            return Math.max(1, clean(budget * SlotWord.GRANULE) / SlotWord.GRANULE);
        }
        if (clearing == PartMemory.NONE)
        {
            final long spent = compactor.step(0, budget);
            if (spent == 0 && !isSpare(surplus))
            {
                memory.keepSurplus();
            }
            clearing = spent == 0 && isSpare(surplus) ? surplus : PartMemory.NONE;
            return spent;
        }
        final long from = end.granules(clearing);
        final long spent = surplus == clearing ?
            tail.step(from, end.granules(), memory.isSurplusUrgent(), budget) : TailClearing.BLOCKED;
        if (spent > 0)
        {
            return spent;
        }
        // Puts may have taken what was free when this began.
        if (spent == 0 && isSpare(clearing) && memory.giveUp(clearing))
        {
            end.takeOut(tail.takeCleared());
        }
        else
        {
            tail.stop();
        }
        clearing = PartMemory.NONE;
        memory.keepSurplus();
        return 0;
    }

    /** Whether enough is free without the memory at the heap's end. */
    private boolean isSpare(final long surplus)
    {
        final long left = (available() - (end.granules() - end.granules(surplus))) * SlotWord.GRANULE;
        final int part = memory.isSurplusUrgent() ? URGENT_SPARE_PART : SPARE_PART;
        return left >= Math.max(surplus / part, 2 * memory.ahead());
    }

    /** Granules that extents can have, once they are in one place. A record in the reserve needs as many. */
    private long available()
    {
        return heap.freeGranules() + gap.held() - reserve.granules();
    }

    /** Zeroes and frees an extent, or leaves that to later: its record is dead. */
    void free(final long offset)
    {
        if (lent.containsKey(offset))
        {
            retired.add(offset);
            pending += granules(offset);
            retiredGranules += granules(offset);
            return;
        }
        dropMove(offset);
        discard(offset);
    }

    private void dropMove(final long offset)
    {
        final long copy = gap.drop(start(offset));
        if (copy != NONE)
        {
            records.kill(offset(copy));
            records.forward(offset(copy), SlotWord.EMPTY);
            discard(offset(copy));
        }
    }

    private void discard(final long offset)
    {
        final long start = start(offset);
        final long length = granules(offset) * SlotWord.GRANULE;
        if (length <= STEP)
        {
            records.zero(offset, 0, length);
            giveUp(start);
        }
        else
        {
            fixed.add(start);
            unclean.addLong(offset);
            pending += granules(offset);
        }
    }

    private void giveUp(final long start)
    {
        if (reserve.isAt(start))
        {
            reserve.free();
        }
        else
        {
            heap.free(start);
        }
    }

    /**
     * Goes on zeroing.
     *
     * @param maxBytes to zero; only within the first of the extents that wait.
     * @return how many bytes were zeroed.
     */
    long clean(final long maxBytes)
    {
        final long offset = unclean.peekLong();
        if (offset == NONE)
        {
            return 0;
        }
        if (cleaned == 0)
        {
            uncleanLength = granules(offset) * SlotWord.GRANULE;
        }
        final long step = Math.min(Math.max(maxBytes, SlotWord.GRANULE), uncleanLength - cleaned);
        records.zero(offset, cleaned, step);
        cleaned += step;
        if (cleaned == uncleanLength)
        {
            cleaned = 0;
            pending -= uncleanLength / SlotWord.GRANULE;
            unclean.pollLong();
            fixed.remove(start(offset));
            giveUp(start(offset));
        }
        return step;
    }

    /** Keeps an extent where it is, and as it is, until as many calls of {@link #giveBack} have come. */
    void lend(final long offset)
    {
        dropMove(offset);
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
            pending -= granules(offset);
            retiredGranules -= granules(offset);
            free(offset);
        }
    }

    boolean isLent(final long offset)
    {
        return lent.containsKey(offset);
    }

    /** Makes a record live that is not because it moves: whoever looks for it waits for it. */
    void finishMove(final long offset)
    {
        gap.finish(start(offset));
    }

    /** Where a byte of a record is, which may be on its way to another place. */
    long place(final long record, final long at)
    {
        return relocation.place(record, at);
    }

    /** Ends any move of a record, which then is live where its slot says, and may be changed there. */
    void settle(final long offset)
    {
        finishMove(offset);
        dropMove(offset);
    }

    long bytes()
    {
        return (recordGranules() + reserve.start() + reserve.length()) * SlotWord.GRANULE;
    }

    long bytesUsed()
    {
        return bytes() - Math.max(0, available()) * SlotWord.GRANULE;
    }

    long recordsMoved()
    {
        return relocation.count();
    }

    long bytesMoved()
    {
        return relocation.bytes();
    }

    private long granules(final long offset)
    {
        final long start = start(offset);
        return reserve.isAt(start) ? reserve.granules() : heap.length(start);
    }

    private long start(final long offset)
    {
        return (offset - heapOffset) / SlotWord.GRANULE;
    }

    private long offset(final long start)
    {
        return heapOffset + start * SlotWord.GRANULE;
    }
}

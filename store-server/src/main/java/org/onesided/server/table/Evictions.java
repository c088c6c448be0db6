package org.onesided.server.table;

import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * Makes room in a shard's memory by letting records leave that an {@link Evictor} chooses. Without one, nothing leaves.
 * If a log has to have each removal first, nothing leaves by itself: whoever writes the log asks for
 * {@link #victims}, and {@link #remove} carries out what it says.
 *
 * <p>Once the heap cannot grow, and its free room falls below a low mark, records leave in bounded steps until a high
 * mark is reached, so that puts seldom wait. A put that waits for more room than that makes records leave until there
 * is enough for it, and more the longer it takes to gather room that is scattered: more free room is gathered faster.
 * Room in a full index is made in the chain of the key that needs it.
 *
 * <p>Which records are candidates follows from a generator of pseudo-random numbers that is part of the shard's state,
 * and from the table. No clock has a part in it. Belongs to the shard's thread.
 */
public final class Evictions
{
    /**
     * The high mark of free room is the heap shifted right by so many bits, the low mark is half of it. The less room
     * is free, the more records there are; the more room is free, the fewer have to move to make a gap.
     */
    private static final int WIDEST = 5;
    private static final int NARROWEST = 8;
    /** After so many records that left, the marks are adapted. */
    private static final int ADAPTED_AFTER = 1 << 10;
    /** Marks get higher if more granules are moved than such a part of those that leave, and lower if far fewer are. */
    private static final int MUCH_MOVED_PART = 2;
    private static final int LITTLE_MOVED_PART = 16;
    /** Marks get lower if so often in succession little was moved: a higher mark stops all moves for a while. */
    private static final int CALM = 32;
    /** Room beyond the length of a waiting record, so that it is found without moving all others. */
    private static final int SPARE_PART = 16;
    private static final long SPARE = 64;
    /** While room is gathered for a waiting record, one granule more leaves for so many that are touched for that. */
    private static final int GATHERED_PER_GRANULE = 8;
    /** Cost of looking for a victim, in granules touched. */
    private static final long VICTIM_COST = 200;
    /** Most granules that a step may touch to make up for puts. */
    private static final long MAX_PUT_COST = 1 << 15;

    private final ShardLayout layout;
    private final BucketMemory buckets;
    private final BucketSplitter splitter;
    private final BucketChains chains;
    private final RecordMemory records;
    private final HeapSpace heap;
    private final KeyHash keyHash;
    private final Runnable remove;
    private final EvictionCandidates candidates;
    private Evictor evictor;
    private Victims victims;
    private LeavingRecords leaving = LeavingRecords.NONE;
    /** Whether records leave by themselves. */
    private boolean isSelfActing;
    private boolean isEvicting;
    /** Cost of making up for the puts since the last step. */
    private long putCost;
    /** Granules of the record that waits, and granules touched to gather room for it. */
    private long waiting;
    private long gathered;
    private int highShift = WIDEST + 1;
    private int calmTimes;
    /** Since the marks were adapted: records that left, their granules, and granules touched to gather room. */
    private long left;
    private long leftGranules;
    private long moved;
    private long forHeap;
    private long forIndex;
    private long bytes;

    /**
     * @param remove removes the record in the current slot of the chains from the table.
     */
    Evictions(
        final ShardLayout layout,
        final BucketMemory buckets,
        final BucketSplitter splitter,
        final BucketChains chains,
        final RecordMemory records,
        final HeapSpace heap,
        final KeyHash keyHash,
        final Runnable remove)
    {
        this.records = records;
        this.keyHash = keyHash;
        this.layout = layout;
        this.buckets = buckets;
        this.splitter = splitter;
        this.chains = chains;
        this.heap = heap;
        this.remove = remove;
        candidates = new EvictionCandidates(layout, buckets, records, heap, keyHash);
    }

    /**
     * Lets records leave from here on when memory is full.
     *
     * @param chosenBy chooses them.
     * @param seed     of the pseudo-random numbers by which candidates are drawn.
     */
    public void begin(final Evictor chosenBy, final long seed)
    {
        beginChoosing(chosenBy, seed);
        isSelfActing = true;
        heap.evicts();
    }

    /**
     * Lets {@link #victims} be chosen from here on. Records leave by {@link #remove} only.
     *
     * @param chosenBy chooses them.
     * @param seed     of the pseudo-random numbers by which candidates are drawn.
     */
    public void beginChoosing(final Evictor chosenBy, final long seed)
    {
        evictor = chosenBy;
        victims = new Victims(layout, splitter, chains, candidates, chosenBy, seed);
        buckets.keep(new SlotStates(layout));
    }

    /**
     * @return chooses records that leave; null if none do.
     */
    public Victims victims()
    {
        return victims;
    }

    /**
     * Says which records are to leave, so that they are not chosen again.
     *
     * @param records those that are, now and later.
     */
    public void leaving(final LeavingRecords records)
    {
        leaving = records;
        candidates.leaving(records);
    }

    /**
     * Tells whether a key's record is to leave.
     *
     * @param hash of the key.
     * @return whether it is.
     */
    public boolean isLeaving(final long hash)
    {
        return leaving.contains(hash);
    }

    /**
     * Removes a record, unless its key has another one by now, or none.
     *
     * @param hash       of the record's key.
     * @param version    of the record.
     * @param isForIndex whether that makes room in the index, and not in the heap.
     */
    public void remove(final long hash, final long version, final boolean isForIndex)
    {
        final int fingerprint = KeyHash.fingerprint(hash);
        chains.visit(hash);
        while (chains.next())
        {
            final long word = chains.word();
            final long offset = records.offset(word);
            if (SlotWord.fingerprint(word) == fingerprint && records.version(offset) == version &&
                keyHash.hash(records.keyAddress(offset), records.keyLength(offset)) == hash)
            {
                bytes += candidates.granules(word) * SlotWord.GRANULE;
                forIndex += isForIndex ? 1 : 0;
                forHeap += isForIndex ? 0 : 1;
                remove.run();
                return;
            }
        }
    }

    /**
     * @return bytes of the heap in use, without those that are being zeroed and will be free soon.
     */
    public long heapBytesKept()
    {
        return heap.bytes() - heap.expectedGranules() * SlotWord.GRANULE;
    }

    /** A record has become that of the current slot. */
    void onPut(final long hash, final long length, final boolean isNew)
    {
        if (evictor != null)
        {
            final long granules = SlotWord.granules(length);
            putCost += 2 * (VICTIM_COST + granules);
            gathered = granules >= waiting ? 0 : gathered;
            chains.state(isNew ? evictor.onInserted(hash, granules * SlotWord.GRANULE) :
                evictor.onOverwritten(hash, chains.state()));
        }
    }

    void onDeleted(final long hash)
    {
        if (evictor != null)
        {
            evictor.onDeleted(hash);
        }
        leaving.onGone(hash);
    }

    /**
     * Looks for the state of a key's record, which {@link #state(short)} may change then.
     *
     * @param hash of the key, of which the lowest bit does not matter.
     * @return whether a record has probably that key.
     */
    public boolean find(final long hash)
    {
        return chains.findFingerprint(hash);
    }

    /**
     * @return state of the record that {@link #find} found.
     */
    public short state()
    {
        return chains.state();
    }

    /**
     * @return bytes that the record which {@link #find} found takes in the heap.
     */
    public long length()
    {
        return candidates.length(chains.word());
    }

    /**
     * @return bytes of the heap that records can have now.
     */
    public long heapLength()
    {
        return heap.recordGranules() * SlotWord.GRANULE;
    }

    /**
     * Changes the state of the record that {@link #find} found.
     *
     * @param state of the record.
     */
    public void state(final short state)
    {
        chains.state(state);
    }

    /**
     * Lets records leave while the heap has too little room, a bounded number.
     *
     * @param length of the record that waits for room, in bytes; 0 if none does.
     * @param budget granules that may be touched, beyond what the puts since the last call make up for.
     * @return about how many it were; 0 if there is enough room, or nothing can leave.
     */
    long step(final long length, final long budget)
    {
        final long allowed = budget + Math.min(putCost, MAX_PUT_COST);
        putCost = 0;
        if (!isSelfActing)
        {
            return 0;
        }
        final long all = heap.recordGranules();
        final long free = heap.expectedGranules();
        final long growable = heap.growableGranules();
        final long high = all >> highShift;
        isEvicting = growable == 0 && free < (isEvicting ? high : high / 2);
        final long wanted = Math.max(isEvicting ? high : 0, needed(length, all, free, growable));
        long spent = 0;
        long found = free;
        while (found < wanted && spent < allowed)
        {
            final long freed = evictOne();
            if (freed == 0)
            {
                return spent;
            }
            forHeap++;
            left++;
            leftGranules += freed;
            found += freed;
            spent += VICTIM_COST + freed;
        }
        return spent;
    }

    /** Free granules that a waiting record needs, if memory that is still to come does not suffice for it. */
    private long needed(final long length, final long all, final long free, final long growable)
    {
        waiting = length == 0 ? 0 : SlotWord.granules(length);
        gathered = length == 0 ? 0 : gathered;
        final boolean isSoonThere = growable > 0 && waiting <= free + growable;
        return length == 0 || isSoonThere ? 0 :
            Math.min(all, waiting + waiting / SPARE_PART + SPARE + gathered / GATHERED_PER_GRANULE);
    }

    /** So many granules were touched to gather room. */
    void onGathered(final long granules)
    {
        gathered += granules;
        moved += granules;
        if (left >= ADAPTED_AFTER)
        {
            adaptMarks();
            left = 0;
            leftGranules = 0;
            moved = 0;
        }
    }

    private void adaptMarks()
    {
        calmTimes = moved * LITTLE_MOVED_PART < leftGranules ? calmTimes + 1 : 0;
        if (moved * MUCH_MOVED_PART > leftGranules)
        {
            highShift = Math.max(WIDEST, highShift - 1);
        }
        else if (calmTimes >= CALM)
        {
            calmTimes = 0;
            highShift = Math.min(NARROWEST, highShift + 1);
        }
    }

    /** Lets a record leave; returns its granules, 0 if there was none. */
    private long evictOne()
    {
        return victims.choose() ? evictChosen() : 0;
    }

    /**
     * After a search that found nothing: whether there is a slot for the key, as {@link BucketChains#room}. If the
     * index has no room, a record leaves the key's chain for it.
     */
    Status roomInIndex(final long hash, final long key, final int keyLength)
    {
        final Status room = chains.room();
        if (room == Status.OK || room == Status.BUSY || !isSelfActing || !evictFromChain(hash))
        {
            return room;
        }
        chains.find(hash, key, keyLength);
        return chains.room();
    }

    private boolean evictFromChain(final long hash)
    {
        final boolean hasLeft = victims.chooseFromChain(hash) && evictChosen() > 0;
        forIndex += hasLeft ? 1 : 0;
        return hasLeft;
    }

    private long evictChosen()
    {
        final long granules = victims.granules();
        victims.select();
        remove.run();
        bytes += granules * SlotWord.GRANULE;
        return granules;
    }

    /**
     * @return records that left to make room in the heap.
     */
    public long forHeap()
    {
        return forHeap;
    }

    /**
     * @return records that left to make room in the index.
     */
    public long forIndex()
    {
        return forIndex;
    }

    /**
     * Tells how many lookups would have found their key with other memory.
     *
     * @param doublings how often half of the memory is doubled, from 0 to 2.
     * @return an estimate; 0 if there is none.
     */
    public long estimatedHits(final int doublings)
    {
        return evictor == null ? 0 : evictor.estimatedHits(doublings);
    }

    /**
     * @return of how many lookups the {@link #estimatedHits} are; 0 if there is no estimate.
     */
    public long estimatedLookups()
    {
        return evictor == null ? 0 : evictor.estimatedLookups();
    }

    /**
     * @return bytes that the records which left had in the heap.
     */
    public long bytes()
    {
        return bytes;
    }
}

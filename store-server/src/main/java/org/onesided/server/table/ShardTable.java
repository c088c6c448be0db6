package org.onesided.server.table;

import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.MemoryRange;

/**
 * One shard's part of the table, and its single writer, a {@link RecordWriter}. A record whose time has come is absent
 * for every method.
 *
 * <p>Belongs to one thread. Keys and values are given by raw addresses outside the shard's heap, and each key with the
 * hash that the table's {@link KeyHash} gives it, so that nobody computes it twice.
 */
public final class ShardTable
{
    /** {@link #reserve}: no room. */
    public static final long FULL = -1;
    /** {@link #reserve}: no room yet, to be tried again after {@link #makeRoom}. */
    public static final long WAIT = -2;
    /** {@link #reserve}: a length breaks a limit. */
    public static final long INVALID = -3;

    private final long id;
    private final RecordMemory records;
    private final BucketChains chains;
    private final OverflowBuckets overflow;
    private final BucketSplitter splitter;
    private final HeapSpace heap;
    private final ShardMemory memory;
    private final RecordWriter writer;
    private final Expirations expirations;
    private final Reservations reservations;
    private final LentValues lentValues;
    private final Evictions evictions;
    private final IndexGrowth growth;
    private final TableLoad load;

    private long puts;
    private long deletes;

    /**
     * A table all of whose memory is there.
     *
     * @param region     that holds the table, from table offset 0.
     * @param superblock of the table.
     * @param shard      number of the shard, from 0.
     * @param serverTerm that begins all versions, 16 bits, greater than all terms before it.
     */
    public ShardTable(
        final MemoryRange region, final Superblock superblock, final int shard, final int serverTerm)
    {
        this(region, superblock, shard, serverTerm,
            ShardMemory.whole(superblock.shards().get(shard)), TableTime.NONE);
    }

    /**
     * Formats the shard's first buckets; the rest of its part of the region must be zero.
     *
     * @param region     that holds the table, from table offset 0.
     * @param superblock of the table.
     * @param shard      number of the shard, from 0.
     * @param serverTerm that begins all versions, 16 bits, greater than all terms before it.
     * @param memory     of the shard's parts.
     * @param time       by which keys expire.
     */
    public ShardTable(
        final MemoryRange region,
        final Superblock superblock,
        final int shard,
        final int serverTerm,
        final ShardMemory memory,
        final TableTime time)
    {
        if (region.length() < superblock.regionLength())
        {
            throw new IllegalArgumentException("region is shorter than its superblock says: length=" +
                region.length() + " regionLength=" + superblock.regionLength());
        }
        if (serverTerm < 0 || serverTerm > 0xFFFF)
        {
            throw new IllegalArgumentException("server term must be 16 bits: serverTerm=" + serverTerm);
        }
        id = superblock.tableId();
        final ShardLayout layout = superblock.shards().get(shard);
        final KeyHash keyHash = new KeyHash(superblock.hashSeed());
        final RecordCheck check = new RecordCheck(superblock.checkSeed());
        records = new RecordMemory(region.address(), layout, check);
        final BucketMemory buckets = new BucketMemory(region.address(), superblock.epoch());
        overflow = new OverflowBuckets(layout.overflowCount(), memory.overflow());
        splitter = new BucketSplitter(layout, records, keyHash, buckets, overflow, memory.buckets());
        chains = new BucketChains(layout, records, buckets, overflow, splitter);
        heap = new HeapSpace(records, chains, keyHash, check, layout, memory.reserve(), memory.records());
        reservations = new Reservations(region, records, heap, check);
        lentValues = new LentValues(heap);
        writer = new RecordWriter(
            layout, records, buckets, splitter, chains, heap, keyHash, time, serverTerm);
        expirations = writer.expirations();
        evictions = writer.evictions();
        this.memory = memory;
        growth = new IndexGrowth(region.address(), shard, splitter);
        load = new TableLoad(records, writer, reservations, splitter, growth);
        chains.format();
        growth.publish();
    }

    /**
     * Tells how long a record is that does not expire.
     *
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @return its length in bytes, without what is between its end and that of its last granule.
     */
    public static long recordLength(final int keyLength, final int valueLength)
    {
        return RecordDescriptor.length(
            keyLength, valueLength, Expirations.flags(keyLength, valueLength, Expiry.NEVER));
    }

    /**
     * Stores a value, with the table's time to live.
     *
     * @param hash        of the key.
     * @param key         its raw address.
     * @param keyLength   in bytes.
     * @param value       its raw address.
     * @param valueLength in bytes.
     * @param result      where the key's slot is now.
     * @return as the other {@code put}.
     */
    public Status put(
        final long hash,
        final long key,
        final int keyLength,
        final long value,
        final int valueLength,
        final WriteResult result)
    {
        return put(hash, key, keyLength, value, valueLength, Expiry.DEFAULT, result);
    }

    /**
     * Stores a value. If its time is over, the key is absent then.
     *
     * @param hash        of the key.
     * @param key         its raw address.
     * @param keyLength   in bytes.
     * @param value       its raw address.
     * @param valueLength in bytes.
     * @param expiry      a time, or one of {@link Expiry}.
     * @param result      where the key's slot is now.
     * @return OK, STORE_FULL, GROWTH_REFUSED, INDEX_FULL, CHAIN_FULL or INVALID; or BUSY if there is no room yet, but
     *         {@link #makeRoom} can make some, so that the put is to be tried again. If not OK, nothing changed.
     */
    public Status put(
        final long hash,
        final long key,
        final int keyLength,
        final long value,
        final int valueLength,
        final long expiry,
        final WriteResult result)
    {
        result.clear();
        if (!RecordMemory.areValid(keyLength, valueLength))
        {
            return Status.INVALID;
        }
        final boolean present = writer.find(hash, key, keyLength);
        final long time = expirations.resolve(expiry, present, present ? records.offset(chains.word()) : 0);
        if (time != Expiry.NEVER && expirations.isOver(time))
        {
            writer.removeOverdue(hash, present, result);
            return Status.OK;
        }
        final Status status = writer.store(
            hash, present, key, keyLength, value, valueLength, time, writer.nextVersion(), result);
        if (status == Status.OK)
        {
            puts++;
        }
        return status;
    }

    /**
     * @return whether the last {@link #put} was BUSY for want of memory of the index, which {@link #makeRoom} cannot
     *         make.
     */
    public boolean waitsForIndex()
    {
        return writer.waitsForIndex();
    }

    /**
     * @return why there is no room.
     */
    public Status fullStatus()
    {
        return writer.fullStatus();
    }

    /**
     * @return why a put got no room that has waited for it too long: if memory is still to come, that is what is late.
     */
    public Status roomlessStatus()
    {
        return heap.isGrowing() || overflow.room() == Status.BUSY ? Status.GROWTH_REFUSED : fullStatus();
    }

    /**
     * Looks at the bucket of a key that will be asked for, so that it is in the cache then.
     *
     * @param hash of the key.
     * @return some number that depends on it.
     */
    public long fetchBucket(final long hash)
    {
        return chains.fetch(hash);
    }

    /**
     * Looks at the record of a key that will be asked for, so that it is in the cache then.
     *
     * @param hash of the key.
     * @return some number that depends on it.
     */
    public long fetchRecord(final long hash)
    {
        final long word = chains.firstCandidate(hash);
        return word == SlotWord.EMPTY ? 0 : records.fetch(records.offset(word), SlotWord.length(word));
    }

    /**
     * Deletes a key.
     *
     * @param hash      of the key.
     * @param key       its raw address.
     * @param keyLength in bytes.
     * @param result    what the key's slot holds now: nothing, or another key of its chain.
     * @return OK, NOT_FOUND, or INVALID.
     */
    public Status delete(final long hash, final long key, final int keyLength, final WriteResult result)
    {
        result.clear();
        if (!RecordMemory.areValid(keyLength, 0))
        {
            return Status.INVALID;
        }
        if (!writer.find(hash, key, keyLength))
        {
            return Status.NOT_FOUND;
        }
        writer.remove();
        writer.onRemoved(result);
        evictions.onDeleted(hash);
        deletes++;
        return Status.OK;
    }

    /**
     * Gives a key another time, and leaves its value and version.
     *
     * @param hash      of the key.
     * @param key       its raw address.
     * @param keyLength in bytes.
     * @param expiry    a time, or {@link Expiry#NEVER}; if it is over, the key is absent afterwards.
     * @param result    where the key's slot is now.
     * @return OK, NOT_FOUND or INVALID; or as {@link #put} if there is no room for a record with a time.
     */
    public Status touch(
        final long hash, final long key, final int keyLength, final long expiry, final WriteResult result)
    {
        result.clear();
        if (!RecordMemory.areValid(keyLength, 0))
        {
            return Status.INVALID;
        }
        if (!writer.find(hash, key, keyLength))
        {
            return Status.NOT_FOUND;
        }
        final long offset = records.offset(chains.word());
        if (expiry != Expiry.NEVER && expirations.isOver(expiry))
        {
            writer.removeOverdue(hash, true, result);
            return Status.OK;
        }
        if (!records.hasExpiry(offset) && expiry != Expiry.NEVER)
        {
            final long value = records.address(records.valueOffset(offset));
            return writer.store(hash, true, key, keyLength, value, records.valueLength(offset), expiry,
                records.version(offset), result);
        }
        if (records.hasExpiry(offset))
        {
            heap.settle(offset);
            final long before = expirations.of(offset);
            expirations.onChange(hash, before, expiry);
            records.changeExpiry(offset, before, expiry);
        }
        writer.onWritten(chains.word(), records.version(offset), result);
        return Status.OK;
    }

    /**
     * Goes on with removing records whose time has come.
     *
     * @param budget records to look at, each of them in some hundred nanoseconds.
     * @return how many were looked at.
     */
    public int expire(final int budget)
    {
        return expirations.step(budget);
    }

    /**
     * @return for how long {@link #expire} has nothing to do, in milliseconds; {@link Long#MAX_VALUE} for ever.
     */
    public long expiryRestMs()
    {
        return expirations.restMs();
    }

    /**
     * Looks a key up.
     *
     * @param hash      of the key.
     * @param key       its raw address.
     * @param keyLength in bytes.
     * @param found     where its record is, until the next write.
     * @return whether there is one.
     */
    public boolean find(final long hash, final long key, final int keyLength, final FoundRecord found)
    {
        if (!RecordMemory.areValid(keyLength, 0) || !writer.find(hash, key, keyLength))
        {
            return false;
        }
        final long offset = records.offset(chains.word());
        heap.finishMove(offset);
        final long value = records.valueOffset(offset);
        found.fill(
            offset, value, records.address(value), records.valueLength(offset), records.version(offset),
            records.check(offset), expirations.of(offset));
        return true;
    }

    /**
     * @return identifier of the table, without which a version means nothing.
     */
    public long id()
    {
        return id;
    }

    /**
     * Tells which version a key has.
     *
     * @param hash      of the key.
     * @param key       its raw address.
     * @param keyLength in bytes, within the limits.
     * @return version of its record; 0 if there is none, as no record has version 0.
     */
    public long version(final long hash, final long key, final int keyLength)
    {
        return writer.find(hash, key, keyLength) ? records.version(records.offset(chains.word())) : 0;
    }

    /**
     * Tells which version the key of a reserved extent has as yet.
     *
     * @param extent reserved.
     * @return as {@link #version}.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public long presentVersion(final long extent)
    {
        return version(reservations.get(extent).hash(), records.keyAddress(extent), records.keyLength(extent));
    }

    /**
     * Reserves an extent for a long value, which ends with {@link #publish} or {@link Reservations#abandon}.
     *
     * @param hash        of the key.
     * @param key         its raw address.
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @return table offset of the extent, or {@link #FULL}, {@link #WAIT} or {@link #INVALID}.
     */
    public long reserve(final long hash, final long key, final int keyLength, final int valueLength)
    {
        if (!RecordMemory.areValid(keyLength, valueLength))
        {
            return INVALID;
        }
        final long length = RecordDescriptor.length(keyLength, valueLength, RecordDescriptor.EXPIRY_FLAG);
        final long extent = writer.allocate(length, writer.find(hash, key, keyLength));
        if (extent < 0)
        {
            return extent == HeapSpace.WAIT ? WAIT : FULL;
        }
        reservations.begin(extent, hash, key, keyLength, valueLength);
        return extent;
    }

    /**
     * Tells whether a reserved extent's value has to wait until there is memory for the index.
     *
     * @param extent reserved, with its value.
     * @return whether {@link #publish} should be called later.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public boolean mustWait(final long extent)
    {
        final Reservation reservation = reservations.get(extent);
        return !writer.find(reservation.hash(), records.keyAddress(extent), records.keyLength(extent)) &&
            chains.room() == Status.BUSY;
    }

    /**
     * Stores a reserved extent's value. Whatever the answer, the extent is the caller's no more.
     *
     * @param extent reserved, with its value.
     * @param expiry a time, or one of {@link Expiry}.
     * @param result where the key's slot is now.
     * @return OK, INDEX_FULL or CHAIN_FULL; if not OK, nothing changed.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public Status publish(final long extent, final long expiry, final WriteResult result)
    {
        result.clear();
        final Reservation reservation = reservations.get(extent);
        final long hash = reservation.hash();
        final long key = records.keyAddress(extent);
        final int keyLength = records.keyLength(extent);
        final boolean present = writer.find(hash, key, keyLength);
        final long time = expirations.resolve(expiry, present, present ? records.offset(chains.word()) : 0);
        if (time != Expiry.NEVER && expirations.isOver(time))
        {
            reservations.abandon(extent);
            writer.removeOverdue(hash, present, result);
            return Status.OK;
        }
        final Status room = present ? Status.OK : evictions.roomInIndex(hash, key, keyLength);
        if (room != Status.OK)
        {
            reservations.abandon(extent);
            return room == Status.BUSY ? Status.INDEX_FULL : room;
        }
        final long length = reservation.length();
        writer.makeLive(extent, length, reservations.finish(extent, writer.nextVersion(), time), hash, present, result);
        puts++;
        return Status.OK;
    }

    /**
     * @return what is reserved.
     */
    public Reservations reservations()
    {
        return reservations;
    }

    /**
     * @return how records leave when memory is full.
     */
    public Evictions evictions()
    {
        return evictions;
    }

    /**
     * @return how many keys chains can still get.
     */
    public ChainRoom chainRoom()
    {
        return new ChainRoom(chains, splitter, overflow);
    }

    /**
     * @return what is lent to readers.
     */
    public LentValues lentValues()
    {
        return lentValues;
    }

    /**
     * @return what visits the records for a snapshot.
     */
    public TableWalk walk()
    {
        return writer.walk();
    }

    /**
     * @return what loads the records of a snapshot.
     */
    public TableLoad load()
    {
        return load;
    }

    /**
     * Goes on with work that was put off: zeroing long records that are no more. Writes do some of it too.
     *
     * @param maxBytes to zero at most.
     * @return whether there was any.
     */
    public boolean clean(final int maxBytes)
    {
        return heap.clean(maxBytes) > 0;
    }

    /**
     * Goes on with making room for a record, by moving others, in a step of bounded length; first by letting records
     * leave, if they do. Also puts in its place what a write to a full heap has left in the reserve.
     *
     * @param length of the record that is to have room, in bytes, header and key included; 0 if none waits for room:
     *               then what was gathered is anybody's.
     * @param budget granules that may be copied, hashed or zeroed. A step ends between two records, so one of up to
     *               64 KiB may exceed the budget.
     * @return about how many it were; 0 if there is nothing to do, or nothing that can be done before something is
     *         freed, or given back.
     */
    public long makeRoom(final long length, final long budget)
    {
        final long evicted = evictions.step(length, budget);
        final long moved = heap.makeRoom(length, budget - evicted);
        evictions.onGathered(moved);
        return evicted + moved;
    }

    /**
     * Goes on with splitting buckets while the index has too few of them for its records. To be called between
     * requests, often: without it chains get longer, until the first put is refused.
     *
     * @param maxBuckets to split in this step, each of them in about half a microsecond; fewer are split if their keys
     *                   are long.
     * @return how many were split.
     */
    public int grow(final int maxBuckets)
    {
        return growth.grow(writer.recordCount(), maxBuckets);
    }

    /**
     * @return bytes of the heap in use, as of a moment ago; safe to ask from any thread, and allocates nothing.
     */
    public long heapBytesUsed()
    {
        return heap.bytesUsed();
    }

    /**
     * @return how many records there are.
     */
    public long recordCount()
    {
        return writer.recordCount();
    }

    /**
     * @return the counters now.
     */
    public TableStatistics statistics()
    {
        return new TableStatistics(
            writer.recordCount(),
            splitter.bucketCount(),
            overflow.begun(),
            overflow.used(),
            memory.segments(),
            memory.indexRetiredBytes(),
            memory.indexReleasedBytes(),
            memory.heapReleasedBytes(),
            heap.bytes(),
            heap.bytesUsed(),
            puts,
            writer.putsInPlace(),
            deletes,
            heap.recordsMoved(),
            heap.bytesMoved(),
            expirations.expiring(),
            expirations.expired(),
            expirations.bytes(),
            evictions.forHeap(),
            evictions.forIndex(),
            evictions.bytes(),
            evictions.estimatedHits(0),
            evictions.estimatedHits(1),
            evictions.estimatedHits(2),
            evictions.estimatedLookups());
    }
}

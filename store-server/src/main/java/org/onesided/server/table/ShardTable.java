package org.onesided.server.table;

import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
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
    private final long id;
    private final RecordMemory records;
    private final BucketChains chains;
    private final OverflowBuckets overflow;
    private final BucketSplitter splitter;
    private final HeapSpace heap;
    private final ShardMemory memory;
    private final RecordWriter writer;
    private final Expirations expirations;
    private final TableLookups lookups;
    private final Reservations reservations;
    private final LongPuts longPuts;
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
        lookups = new TableLookups(records, chains, heap, writer);
        longPuts = new LongPuts(records, chains, writer, reservations);
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
     * @return identifier of the table, without which a version means nothing.
     */
    public long id()
    {
        return id;
    }

    /**
     * @return what looks keys up.
     */
    public TableLookups lookups()
    {
        return lookups;
    }

    /**
     * @return puts of long values.
     */
    public LongPuts longPuts()
    {
        return longPuts;
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
            puts + longPuts.published(),
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

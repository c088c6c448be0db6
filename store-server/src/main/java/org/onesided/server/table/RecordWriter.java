package org.onesided.server.table;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.VersionWord;

/**
 * Writes a shard's records and their slots. Readers, who READ the region at any moment, rely on the order of its steps:
 *
 * <ul>
 * <li>In place, if the granule count stays and the record is at most {@value RecordMemory#MAX_IN_PLACE_LENGTH} bytes:
 * the code is computed on a private copy; check := 1; fence; version, value, zeroed tail; check := code.</li>
 * <li>Out of place: the new record whole with check = 1; fence; old check := 0; slot := new; new check := code;
 * fence; the old one's forward := new; its rest is zeroed, and it is freed. An insert is the same without an old
 * one.</li>
 * <li>Delete: check := 0; slot := 0; fence; forward := 0; zeroed and freed. Then the chain is mended, which may move
 * another key into the slot.</li>
 * </ul>
 *
 * <p>The store of the code, or of the deleted record's check, is the linearization point. So at any moment at most
 * one live record holds a key. Between check := 1 and check := code of a live record nothing is allocated, hashed or
 * zeroed. Not thread-safe.
 */
final class RecordWriter
{
    private final RecordMemory records;
    private final BucketChains chains;
    private final HeapSpace heap;
    private final Expirations expirations;
    private final Evictions evictions;
    private final TableWalk walk;
    /** Keeps {@link #staging} in memory. */
    private final ByteBuffer stagingBuffer;
    private final long staging;

    private long version;
    private long recordCount;
    private long mostRecords;
    private long putsInPlace;
    private boolean waitsForIndex;

    RecordWriter(
        final ShardLayout layout,
        final RecordMemory records,
        final BucketMemory buckets,
        final BucketSplitter splitter,
        final BucketChains chains,
        final HeapSpace heap,
        final KeyHash keyHash,
        final TableTime time,
        final int serverTerm)
    {
        this.records = records;
        this.chains = chains;
        this.heap = heap;
        expirations = new Expirations(records, chains, heap, keyHash, time, this::removeExpired);
        evictions = new Evictions(layout, buckets, splitter, chains, records, heap, keyHash, this::evict);
        walk = new TableWalk(layout, records, buckets, splitter, heap, expirations, keyHash);
        stagingBuffer = BufferUtil.allocateDirectAligned(RecordMemory.MAX_IN_PLACE_LENGTH, SlotWord.GRANULE);
        staging = BufferUtil.address(stagingBuffer);
        version = VersionWord.startOf(serverTerm);
    }

    /** Times of the records. */
    Expirations expirations()
    {
        return expirations;
    }

    /** What leaves when memory is full. */
    Evictions evictions()
    {
        return evictions;
    }

    /** Visits records before they change. */
    TableWalk walk()
    {
        return walk;
    }

    /** As the chains find a key, but a record whose time has come is removed, and not found. */
    boolean find(final long hash, final long key, final int keyLength)
    {
        if (!chains.find(hash, key, keyLength))
        {
            return false;
        }
        if (!expirations.isDue(records.offset(chains.word())))
        {
            return true;
        }
        removeExpired(hash);
        expirations.onExpired();
        // There is an empty slot now, which the search finds.
        return chains.find(hash, key, keyLength);
    }

    /** After {@link #find}: gives the key a record. */
    Status store(
        final long hash,
        final boolean present,
        final long key,
        final int keyLength,
        final long value,
        final int valueLength,
        final long expiry,
        final long newVersion,
        final WriteResult result)
    {
        final int flags = Expirations.flags(keyLength, valueLength, expiry);
        final long length = RecordDescriptor.length(keyLength, valueLength, flags);
        if (present && fitsInPlace(records.offset(chains.word()), length))
        {
            expirations.onChange(hash, expirations.of(records.offset(chains.word())), expiry);
            putInPlace(key, keyLength, value, valueLength, flags, expiry, newVersion, result);
            evictions.onPut(hash, length, false);
            return Status.OK;
        }
        final Status room = roomInIndex(hash, present, key, keyLength);
        if (room != Status.OK)
        {
            return room;
        }
        final long extent = allocate(length, present);
        if (extent < 0)
        {
            return extent == HeapSpace.WAIT ? Status.BUSY : fullStatus();
        }
        final long address = records.address(extent);
        records.beginWrite(extent);
        RecordMemory.writeHeader(address, key, keyLength, valueLength, flags);
        UnsafeApi.copyMemory(value, records.address(records.valueOffset(extent)), valueLength);
        RecordMemory.writeTail(address, length, flags, expiry);
        RecordMemory.writeVersion(address, newVersion);
        makeLive(extent, length, records.code(address, length, extent), hash, present, result);
        return Status.OK;
    }

    /** After {@link #find}: whether there is a slot for the key. Asked once: memory may come at any moment. */
    Status roomInIndex(final long hash, final boolean present, final long key, final int keyLength)
    {
        final Status room = present ? Status.OK : evictions.roomInIndex(hash, key, keyLength);
        waitsForIndex = room == Status.BUSY;
        return room;
    }

    /**
     * An extent; if there is no room, and no memory to come, the reserve, where the current slot has a record that is
     * no shorter.
     */
    long allocate(final long length, final boolean present)
    {
        final long extent = heap.allocate(length);
        if (extent >= 0 || !present || !isNoLonger(length) || extent == HeapSpace.WAIT && heap.isGrowing())
        {
            return extent;
        }
        final long reserved = heap.allocateReserve(length);
        return reserved >= 0 || extent == HeapSpace.FULL ? reserved : extent;
    }

    private boolean isNoLonger(final long length)
    {
        return SlotWord.granules(length) <= SlotWord.granules(records.length(records.offset(chains.word())));
    }

    private boolean fitsInPlace(final long old, final long length)
    {
        final long granules = SlotWord.granules(length);
        return granules * SlotWord.GRANULE <= RecordMemory.MAX_IN_PLACE_LENGTH &&
            granules == SlotWord.granules(records.length(old)) && !heap.isLent(old);
    }

    private void putInPlace(
        final long key,
        final int keyLength,
        final long value,
        final int valueLength,
        final int flags,
        final long expiry,
        final long newVersion,
        final WriteResult result)
    {
        final long word = chains.word();
        final long offset = records.offset(word);
        final long length = RecordDescriptor.length(keyLength, valueLength, flags);
        RecordMemory.writeHeader(staging, key, keyLength, valueLength, flags);
        UnsafeApi.copyMemory(value, staging + RecordDescriptor.KEY_OFFSET + keyLength, valueLength);
        RecordMemory.writeTail(staging, length, flags, expiry);
        RecordMemory.writeVersion(staging, newVersion);
        final long code = records.code(staging, length, offset);
        records.beginWrite(offset);
        records.overwriteBody(staging, offset, SlotWord.granules(length) * SlotWord.GRANULE);
        records.publish(offset, code);
        putsInPlace++;
        onWritten(word, newVersion, result);
    }

    void onWritten(final long word, final long newVersion, final WriteResult result)
    {
        version = Math.max(version, newVersion);
        result.fill(word, newVersion, chains.bucketOffset(), chains.slotIndex());
    }

    /** Puts a record that is whole into its key's slot, which is the current one. */
    void makeLive(
        final long extent,
        final long length,
        final long code,
        final long hash,
        final boolean present,
        final WriteResult result)
    {
        final long word = records.word(KeyHash.fingerprint(hash), length, extent);
        final long expiry = expirations.of(extent);
        if (present)
        {
            final long old = records.offset(chains.word());
            expirations.onChange(hash, expirations.of(old), expiry);
            records.kill(old);
            chains.word(word);
            records.publish(extent, code);
            records.forward(old, word);
            heap.free(old);
        }
        else
        {
            expirations.onChange(hash, Expiry.NEVER, expiry);
            chains.claim();
            chains.word(word);
            records.publish(extent, code);
            recordCount++;
            mostRecords = Math.max(mostRecords, recordCount);
        }
        evictions.onPut(hash, length, !present);
        onWritten(word, records.version(extent), result);
    }

    /** Removes the record of the current slot, and mends the chain. */
    void remove()
    {
        final long old = records.offset(chains.word());
        expirations.onChange(0, expirations.of(old), Expiry.NEVER);
        records.kill(old);
        chains.word(SlotWord.EMPTY);
        records.forward(old, SlotWord.EMPTY);
        heap.free(old);
        recordCount--;
        chains.mend();
    }

    private void evict()
    {
        walk.beforeRemoval(records.offset(chains.word()));
        remove();
    }

    private void removeExpired(final long hash)
    {
        walk.beforeRemoval(records.offset(chains.word()));
        remove();
        evictions.onDeleted(hash);
    }

    void onRemoved(final WriteResult result)
    {
        version++;
        result.fill(chains.word(), version, chains.bucketOffset(), chains.slotIndex());
    }

    /** Carries out a write whose time is over: its key is absent afterwards. */
    void removeOverdue(final long hash, final boolean present, final WriteResult result)
    {
        if (present)
        {
            remove();
            onRemoved(result);
            result.withoutVersion();
            evictions.onDeleted(hash);
        }
        expirations.onExpired();
    }

    /** Why there is no room. */
    Status fullStatus()
    {
        return heap.isGrowthRefused() ? Status.GROWTH_REFUSED : Status.STORE_FULL;
    }

    /** Whether the last {@link #store} was BUSY for want of memory of the index. */
    boolean waitsForIndex()
    {
        return waitsForIndex;
    }

    /** The version of the last write. */
    long version()
    {
        return version;
    }

    /** Goes on from another version, which is no less. */
    void version(final long last)
    {
        if (last < version)
        {
            throw new IllegalArgumentException("versions cannot go back: version=" + last + " now=" + version);
        }
        version = last;
    }

    /** The version of the next write. */
    long nextVersion()
    {
        return version + 1;
    }

    long recordCount()
    {
        return recordCount;
    }

    long mostRecords()
    {
        return mostRecords;
    }

    long putsInPlace()
    {
        return putsInPlace;
    }
}

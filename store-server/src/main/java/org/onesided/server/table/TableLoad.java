package org.onesided.server.table;

import org.onesided.protocol.rpc.codec.Status;

/**
 * Builds a shard's table from the records of a snapshot: they keep their versions and times exactly, also times that
 * are over already. Belongs to the shard's thread, before the first request.
 *
 * <p>Records may come in any order. It is fastest if the index was prepared for as many buckets as the table had, and
 * the records come in the order of a {@link TableWalk}.
 *
 * <p>A record with a value longer than {@link TableWalk#MAX_SHORT_VALUE_LENGTH} may be loaded in pieces: it begins with
 * {@link LongPuts#reserve}; the value goes to {@link Reservations#valueAddress}, and {@link Reservations#publishStep}
 * may compute a part of its code meanwhile; {@link #publish} or {@link Reservations#abandon} ends it. Other records may
 * be loaded in between.
 */
public final class TableLoad
{
    private final RecordMemory records;
    private final RecordWriter writer;
    private final Reservations reservations;
    private final BucketSplitter splitter;
    private final IndexGrowth growth;
    private final WriteResult result = new WriteResult();

    TableLoad(
        final RecordMemory records,
        final RecordWriter writer,
        final Reservations reservations,
        final BucketSplitter splitter,
        final IndexGrowth growth)
    {
        this.records = records;
        this.writer = writer;
        this.reservations = reservations;
        this.splitter = splitter;
        this.growth = growth;
    }

    /**
     * Splits buckets until the index has enough of them. To be called again while it returns false: then memory for
     * them is on its way, or the limit of one call was reached. Does not wait.
     *
     * @param bucketCount that the index should have, as {@link TableStatistics#buckets} tells.
     * @param maxBuckets  to split in this call, each of them in some hundred nanoseconds while it is empty.
     * @return whether the index has so many buckets, or cannot get more for now. Then loading may begin; the index
     *         grows on as usual if {@link ShardTable#grow} is called.
     */
    public boolean prepareIndex(final long bucketCount, final int maxBuckets)
    {
        final int count = growth.growTo(bucketCount, maxBuckets);
        return splitter.bucketCount() >= bucketCount || count == 0 && splitter.isAtEnd();
    }

    /**
     * @return buckets that the index may have where the same is written to another table: those that there are; or, if
     *         the index lacks memory, those that the most records wanted that there were at a time, overflow buckets
     *         included.
     */
    public long wantedBuckets()
    {
        return Math.max(splitter.bucketCount(), BucketSplitter.wantedFor(writer.mostRecords()));
    }

    /**
     * @return version of the last write; that of the next one is greater by 1.
     */
    public long versionCounter()
    {
        return writer.version();
    }

    /**
     * Goes on from the versions of the table that the snapshot is of.
     *
     * @param version of that table's last write.
     * @throws IllegalArgumentException if a record has a greater version already.
     */
    public void versionCounter(final long version)
    {
        writer.version(version);
    }

    /**
     * Stores a record.
     *
     * @param hash        of the key.
     * @param key         its raw address.
     * @param keyLength   in bytes.
     * @param value       its raw address.
     * @param valueLength in bytes.
     * @param version     of the record.
     * @param expiry      a time, also one that is over, or {@link Expiry#NEVER}.
     * @return as {@link ShardTable#put}: if BUSY, {@link ShardTable#makeRoom} makes room, or it is on its way, and the
     *         call is to be repeated.
     */
    public Status put(
        final long hash,
        final long key,
        final int keyLength,
        final long value,
        final int valueLength,
        final long version,
        final long expiry)
    {
        if (!RecordMemory.areValid(keyLength, valueLength) || expiry < 0)
        {
            return Status.INVALID;
        }
        final boolean present = writer.find(hash, key, keyLength);
        return writer.store(hash, present, key, keyLength, value, valueLength, expiry, version, result);
    }

    /**
     * Stores a record whose value was written to a reserved extent. Unless the call is to be repeated, the extent is
     * the caller's no more.
     *
     * @param extent  reserved, with its value.
     * @param version of the record.
     * @param expiry  a time, also one that is over, or {@link Expiry#NEVER}.
     * @return OK; BUSY or GROWTH_REFUSED if memory of the index is on its way, or refused for now, and the call is to
     *         be repeated; or INVALID, INDEX_FULL or CHAIN_FULL.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public Status publish(final long extent, final long version, final long expiry)
    {
        final Reservation reservation = reservations.get(extent);
        final long hash = reservation.hash();
        final long length = reservation.length();
        final boolean present = writer.find(hash, records.keyAddress(extent), records.keyLength(extent));
        final Status room = expiry < 0 ? Status.INVALID :
            writer.roomInIndex(hash, present, records.keyAddress(extent), records.keyLength(extent));
        if (room == Status.BUSY || room == Status.GROWTH_REFUSED)
        {
            return room;
        }
        if (room != Status.OK)
        {
            reservations.abandon(extent);
            return room;
        }
        writer.makeLive(extent, length, reservations.finish(extent, version, expiry), hash, present, result);
        return Status.OK;
    }
}

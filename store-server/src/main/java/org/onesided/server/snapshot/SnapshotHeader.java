package org.onesided.server.snapshot;

import static org.onesided.server.snapshot.SnapshotDescriptor.*;

import java.nio.ByteBuffer;

/**
 * What a snapshot is of.
 *
 * @param tableId        names the table.
 * @param shard          number of the shard, from 0.
 * @param shards         of the table.
 * @param term           of the last log entry that the snapshot contains.
 * @param index          of that entry in the shard's log.
 * @param timeMs         of the shard at that entry, in milliseconds since 1970.
 * @param versionCounter version of the shard's last write.
 * @param bucketCount    buckets in use.
 * @param records        that the shard counted.
 * @param recordBytes    that the shard counted for them.
 * @param createdMs      time of the wall clock when the snapshot was begun, in milliseconds since 1970.
 */
public record SnapshotHeader(
    long tableId,
    int shard,
    int shards,
    long term,
    long index,
    long timeMs,
    long versionCounter,
    long bucketCount,
    long records,
    long recordBytes,
    long createdMs)
{
    /** Writes the body of a HEADER. */
    void write(final ByteBuffer to, final int at, final long id)
    {
        to.putLong(at + ID_OFFSET, id);
        to.putLong(at + TABLE_ID_OFFSET, tableId);
        to.putInt(at + SHARD_OFFSET, shard);
        to.putInt(at + SHARDS_OFFSET, shards);
        to.putLong(at + TERM_OFFSET, term);
        to.putLong(at + INDEX_OFFSET, index);
        to.putLong(at + TIME_OFFSET, timeMs);
        to.putLong(at + VERSION_COUNTER_OFFSET, versionCounter);
        to.putLong(at + BUCKET_COUNT_OFFSET, bucketCount);
        to.putLong(at + RECORDS_OFFSET, records);
        to.putLong(at + RECORD_BYTES_OFFSET, recordBytes);
        to.putLong(at + CREATED_OFFSET, createdMs);
    }

    /** Reads the body of a HEADER. */
    static SnapshotHeader read(final ByteBuffer from, final int at)
    {
        return new SnapshotHeader(
            from.getLong(at + TABLE_ID_OFFSET),
            from.getInt(at + SHARD_OFFSET),
            from.getInt(at + SHARDS_OFFSET),
            from.getLong(at + TERM_OFFSET),
            from.getLong(at + INDEX_OFFSET),
            from.getLong(at + TIME_OFFSET),
            from.getLong(at + VERSION_COUNTER_OFFSET),
            from.getLong(at + BUCKET_COUNT_OFFSET),
            from.getLong(at + RECORDS_OFFSET),
            from.getLong(at + RECORD_BYTES_OFFSET),
            from.getLong(at + CREATED_OFFSET));
    }
}

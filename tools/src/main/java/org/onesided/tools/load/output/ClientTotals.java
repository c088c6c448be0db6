package org.onesided.tools.load.output;

import java.io.Serializable;

/**
 * The client's counters for a phase; all 0 for a map.
 *
 * @param gets        lookups.
 * @param misses      those that found no key.
 * @param mirrorHits  those that needed no READ of a bucket.
 * @param bucketReads READs of buckets.
 * @param recordReads READs of records.
 * @param bytesRead   bytes transferred by READs.
 * @param retries     READs repeated because the bytes were changing, dead or of another record.
 * @param rpcGets     lookups that had to ask the server.
 * @param puts        puts that succeeded.
 * @param reconnects  connections restored.
 */
public record ClientTotals(
    long gets,
    long misses,
    long mirrorHits,
    long bucketReads,
    long recordReads,
    long bytesRead,
    long retries,
    long rpcGets,
    long puts,
    long reconnects) implements Serializable
{
    /** No operations. */
    public static final ClientTotals NONE = new ClientTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * @return all READs.
     */
    public long reads()
    {
        return bucketReads + recordReads;
    }

    /**
     * @param other of another client or another time.
     * @return the sums.
     */
    public ClientTotals plus(final ClientTotals other)
    {
        return combined(other, 1);
    }

    /**
     * @param earlier of the same client.
     * @return the differences.
     */
    public ClientTotals minus(final ClientTotals earlier)
    {
        return combined(earlier, -1);
    }

    private ClientTotals combined(final ClientTotals other, final long sign)
    {
        return new ClientTotals(
            gets + sign * other.gets,
            misses + sign * other.misses,
            mirrorHits + sign * other.mirrorHits,
            bucketReads + sign * other.bucketReads,
            recordReads + sign * other.recordReads,
            bytesRead + sign * other.bytesRead,
            retries + sign * other.retries,
            rpcGets + sign * other.rpcGets,
            puts + sign * other.puts,
            reconnects + sign * other.reconnects);
    }
}

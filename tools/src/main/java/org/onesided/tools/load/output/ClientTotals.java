package org.onesided.tools.load.output;

/**
 * What the clients' side of the store did during a phase; all 0 for a map.
 *
 * @param gets        lookups.
 * @param mirrorHits  those that needed no READ of a bucket.
 * @param bucketReads READs of buckets.
 * @param recordReads READs of records.
 * @param bytesRead   that READs brought.
 * @param retries     READs done again because what they brought was changing, dead or another's.
 * @param rpcGets     lookups that had to ask the server.
 * @param puts        done.
 * @param reconnects  connections made anew.
 */
public record ClientTotals(
    long gets,
    long mirrorHits,
    long bucketReads,
    long recordReads,
    long bytesRead,
    long retries,
    long rpcGets,
    long puts,
    long reconnects)
{
    /** Nothing was done. */
    public static final ClientTotals NONE = new ClientTotals(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * @return all READs.
     */
    public long reads()
    {
        return bucketReads + recordReads;
    }

    /**
     * @param other of another client, or of another time.
     * @return both together.
     */
    public ClientTotals plus(final ClientTotals other)
    {
        return combined(other, 1);
    }

    /**
     * @param earlier of the same client.
     * @return what was done since.
     */
    public ClientTotals minus(final ClientTotals earlier)
    {
        return combined(earlier, -1);
    }

    private ClientTotals combined(final ClientTotals other, final long sign)
    {
        return new ClientTotals(
            gets + sign * other.gets,
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

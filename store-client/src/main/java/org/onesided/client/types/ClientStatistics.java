package org.onesided.client.types;

/**
 * Counters of a client or a session, since it was made. Each is exact; together they are no snapshot of one moment.
 *
 * @param gets          lookups done.
 * @param hits          those among them that found their key.
 * @param misses        those among them that did not.
 * @param mirrorHits    those among them that needed no bucket READ.
 * @param forwardHits   those among the mirror's hits whose record had moved, and told where to.
 * @param bucketReads   READs of buckets.
 * @param recordReads   READs of records and of pieces of long ones.
 * @param bytesRead     bytes that READs brought.
 * @param retries       READs done again because a record or bucket was changing, dead or another's.
 * @param rpcGets       lookups that had to ask the server.
 * @param puts          puts, increments and appends done.
 * @param deletes       deletes done.
 * @param bytesPut      bytes of values put, and of bytes appended.
 * @param reconnects    connections made after the first.
 * @param leaseRequests requests for leases that were sent; 0 on a server that is alone, as are the next two.
 * @param leaseWaitNs   nanoseconds that lookups waited for a lease.
 * @param leaseRestarts lookups that had to begin again because a lease ended before they were done.
 */
public record ClientStatistics(
    long gets,
    long hits,
    long misses,
    long mirrorHits,
    long forwardHits,
    long bucketReads,
    long recordReads,
    long bytesRead,
    long retries,
    long rpcGets,
    long puts,
    long deletes,
    long bytesPut,
    long reconnects,
    long leaseRequests,
    long leaseWaitNs,
    long leaseRestarts)
{
    /**
     * Without leases, as servers report the counters of their clients.
     *
     * @param gets        lookups done.
     * @param hits        those among them that found their key.
     * @param misses      those among them that did not.
     * @param mirrorHits  those among them that needed no bucket READ.
     * @param forwardHits those among the mirror's hits whose record had moved, and told where to.
     * @param bucketReads READs of buckets.
     * @param recordReads READs of records and of pieces of long ones.
     * @param bytesRead   bytes that READs brought.
     * @param retries     READs done again because a record or bucket was changing, dead or another's.
     * @param rpcGets     lookups that had to ask the server.
     * @param puts        puts, increments and appends done.
     * @param deletes     deletes done.
     * @param bytesPut    bytes of values put, and of bytes appended.
     * @param reconnects  connections made after the first.
     */
    public ClientStatistics(
        final long gets,
        final long hits,
        final long misses,
        final long mirrorHits,
        final long forwardHits,
        final long bucketReads,
        final long recordReads,
        final long bytesRead,
        final long retries,
        final long rpcGets,
        final long puts,
        final long deletes,
        final long bytesPut,
        final long reconnects)
    {
        this(
            gets, hits, misses, mirrorHits, forwardHits, bucketReads, recordReads, bytesRead, retries, rpcGets, puts,
            deletes, bytesPut, reconnects, 0, 0, 0);
    }

    /**
     * @return all READs of lookups.
     */
    public long reads()
    {
        return bucketReads + recordReads;
    }

    /**
     * @return READs that a lookup took on average: all READs, those of buckets and those done again too, and those of
     *         scans and of warming up; 0 if there was no lookup. A lookup cannot do with less than 1.
     */
    public double readsPerGet()
    {
        return gets == 0 ? 0 : (double)reads() / gets;
    }
}

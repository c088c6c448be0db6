package org.onesided.client.session;

import java.util.concurrent.atomic.AtomicLongArray;
import org.onesided.client.types.ClientStatistics;
import org.onesided.protocol.bootstrap.SessionTotals;

/**
 * A session's counters, written by the session's thread and read by any thread, and the totals of the last report to
 * the server.
 */
public final class Counters
{
    /** Lookups that found a value. */
    public static final int HITS = 0;
    /** Lookups that found none. */
    public static final int MISSES = HITS + 1;
    /** Lookups that found the record through the mirror. */
    public static final int MIRROR_HITS = MISSES + 1;
    /** Of these, lookups that a dead record forwarded. */
    public static final int FORWARD_HITS = MIRROR_HITS + 1;
    /** READs of buckets. */
    public static final int BUCKET_READS = FORWARD_HITS + 1;
    /** READs of records. */
    public static final int RECORD_READS = BUCKET_READS + 1;
    /** Bytes of all READs. */
    public static final int BYTES_READ = RECORD_READS + 1;
    /** Repeated READs. */
    public static final int RETRIES = BYTES_READ + 1;
    /** Lookups by request. */
    public static final int RPC_GETS = RETRIES + 1;
    /** Successful puts. */
    public static final int PUTS = RPC_GETS + 1;
    /** Successful deletes. */
    public static final int DELETES = PUTS + 1;
    /** Bytes of values that were put. */
    public static final int BYTES_PUT = DELETES + 1;
    static final int RECONNECTS = BYTES_PUT + 1;
    /** Record READs with a wrong check word; for tests, not reported to the server. */
    public static final int TORN_READS = RECONNECTS + 1;
    /** Requests for leases; this and the next two are not reported to the server. */
    public static final int LEASE_REQUESTS = TORN_READS + 1;
    /** Nanoseconds for which lookups waited for a lease. */
    public static final int LEASE_WAIT_NS = LEASE_REQUESTS + 1;
    /** Lookups whose lease ended before they did. */
    public static final int LEASE_RESTARTS = LEASE_WAIT_NS + 1;
    private static final int COUNT = LEASE_RESTARTS + 1;

    private final AtomicLongArray values = new AtomicLongArray(COUNT);
    private volatile SessionTotals reported = SessionTotals.NONE;

    /**
     * @param counter to add 1 to.
     */
    public void increment(final int counter)
    {
        add(counter, 1);
    }

    /**
     * @param counter to add to.
     * @param amount  to add.
     */
    public void add(final int counter, final long amount)
    {
        values.setOpaque(counter, values.getPlain(counter) + amount);
    }

    /** Adds other counters. Callers ensure that one thread writes at a time. */
    void addAll(final Counters other)
    {
        for (int i = 0; i < COUNT; i++)
        {
            add(i, other.get(i));
        }
    }

    long get(final int counter)
    {
        return values.getOpaque(counter);
    }

    /** Totals to report to the server. */
    SessionTotals totals()
    {
        return new SessionTotals(
            get(HITS), get(MISSES), get(MIRROR_HITS), get(FORWARD_HITS),
            get(BUCKET_READS), get(RECORD_READS), get(BYTES_READ),
            get(RETRIES), get(RPC_GETS), get(PUTS), get(DELETES), get(BYTES_PUT), get(RECONNECTS));
    }

    /** Totals of the last report, over any connection. Used by one thread at a time. */
    void reported(final SessionTotals totals)
    {
        reported = totals;
    }

    SessionTotals reported()
    {
        return reported;
    }

    /** Whether there is something to report. */
    boolean isUnreported()
    {
        return !totals().equals(reported);
    }

    /**
     * @param totals as the server tells them.
     * @return the same as statistics.
     */
    public static ClientStatistics statistics(final SessionTotals totals)
    {
        return new ClientStatistics(
            totals.hits() + totals.misses(), totals.hits(), totals.misses(), totals.mirrorHits(),
            totals.forwardHits(),
            totals.bucketReads(), totals.recordReads(), totals.bytesRead(), totals.retries(), totals.rpcGets(),
            totals.puts(), totals.deletes(), totals.bytesPut(), totals.reconnects());
    }

    /**
     * @return the counters as they are now.
     */
    public ClientStatistics statistics()
    {
        final SessionTotals now = totals();
        return new ClientStatistics(
            now.hits() + now.misses(), now.hits(), now.misses(), now.mirrorHits(), now.forwardHits(),
            now.bucketReads(), now.recordReads(), now.bytesRead(), now.retries(), now.rpcGets(),
            now.puts(), now.deletes(), now.bytesPut(), now.reconnects(),
            get(LEASE_REQUESTS), get(LEASE_WAIT_NS), get(LEASE_RESTARTS));
    }
}

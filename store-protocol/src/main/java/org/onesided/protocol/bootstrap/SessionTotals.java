package org.onesided.protocol.bootstrap;

import java.util.function.LongBinaryOperator;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;

/**
 * What sessions have done, as clients report it. None is negative; sums that would overflow stay at the largest number.
 *
 * @param hits        lookups that found their key.
 * @param misses      lookups that did not.
 * @param mirrorHits  lookups that needed no bucket READ.
 * @param forwardHits lookups that followed a dead record's hint.
 * @param bucketReads READs of buckets.
 * @param recordReads READs of records.
 * @param bytesRead   bytes that READs brought.
 * @param retries     READs done again.
 * @param rpcGets     lookups that asked the server.
 * @param puts        puts, increments and appends done.
 * @param deletes     deletes done.
 * @param bytesPut    bytes of values put, and of bytes appended.
 * @param reconnects  connections made after the first.
 */
public record SessionTotals(
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
    long reconnects)
{
    /** Nothing done. */
    public static final SessionTotals NONE = new SessionTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * Reads what a peer reports, which may be any bits.
     *
     * @param message that was checked.
     * @return what it says; 0 for what its version does not say or what no counter can be.
     */
    public static SessionTotals read(final HeartbeatDecoder message)
    {
        return new SessionTotals(
            plausible(message.hits()),
            plausible(message.misses()),
            plausible(message.mirrorHits()),
            plausible(message.forwardHits()),
            plausible(message.bucketReads()),
            plausible(message.recordReads()),
            plausible(message.bytesRead()),
            plausible(message.retries()),
            plausible(message.rpcGets()),
            plausible(message.puts()),
            plausible(message.deletes()),
            plausible(message.bytesPut()),
            plausible(message.reconnects()));
    }

    /**
     * @param message to write to, after its header.
     */
    public void write(final HeartbeatEncoder message)
    {
        message
            .hits(hits)
            .misses(misses)
            .mirrorHits(mirrorHits)
            .forwardHits(forwardHits)
            .bucketReads(bucketReads)
            .recordReads(recordReads)
            .bytesRead(bytesRead)
            .retries(retries)
            .rpcGets(rpcGets)
            .puts(puts)
            .deletes(deletes)
            .bytesPut(bytesPut)
            .reconnects(reconnects);
    }

    /**
     * @param other to add.
     * @return the sums.
     */
    public SessionTotals plus(final SessionTotals other)
    {
        return combine(other, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b);
    }

    /**
     * @param earlier to take away.
     * @return how much more this has of each; 0 where it has less.
     */
    public SessionTotals since(final SessionTotals earlier)
    {
        return combine(earlier, (now, before) -> Math.max(0, now - before));
    }

    /**
     * @param earlier report of the same session.
     * @return the larger of each: counters do not go back.
     */
    public SessionTotals atLeast(final SessionTotals earlier)
    {
        return combine(earlier, Math::max);
    }

    private SessionTotals combine(final SessionTotals other, final LongBinaryOperator operator)
    {
        return new SessionTotals(
            operator.applyAsLong(hits, other.hits),
            operator.applyAsLong(misses, other.misses),
            operator.applyAsLong(mirrorHits, other.mirrorHits),
            operator.applyAsLong(forwardHits, other.forwardHits),
            operator.applyAsLong(bucketReads, other.bucketReads),
            operator.applyAsLong(recordReads, other.recordReads),
            operator.applyAsLong(bytesRead, other.bytesRead),
            operator.applyAsLong(retries, other.retries),
            operator.applyAsLong(rpcGets, other.rpcGets),
            operator.applyAsLong(puts, other.puts),
            operator.applyAsLong(deletes, other.deletes),
            operator.applyAsLong(bytesPut, other.bytesPut),
            operator.applyAsLong(reconnects, other.reconnects));
    }

    private static long plausible(final long value)
    {
        return Math.max(0, value);
    }
}

package org.onesided.server.cluster;

/**
 * What a member is to a partition, and its leases. Each number is exact; together they are no snapshot of one moment.
 *
 * @param stage   of its reign.
 * @param restNs  nanoseconds until leases that could be held are over: those of earlier leaders while it waits, its own
 *                while it hands over; else 0.
 * @param held    sessions that were granted a lease which may be held still, at most. A client that asks for a lease by
 *                one session holds it for all of them.
 * @param granted leases, since the start.
 * @param proofs  entries that were logged for leases alone, since the start: there was nothing else to log.
 */
public record ReignMetrics(ReignStage stage, long restNs, int held, long granted, long proofs)
{
}

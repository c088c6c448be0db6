/**
 * What a shard counts, and tells of itself: {@link org.onesided.server.shard.ShardMetrics}, with
 * {@link org.onesided.server.shard.DurabilityMetrics} and {@link org.onesided.server.shard.DurationHistogram}, is what
 * users of the server see; {@link org.onesided.server.shard.ShardCounters} counts; and
 * {@link org.onesided.server.shard.RequestKind} names what clients ask for.
 *
 * <p>The shard itself is in the packages below, which are internal. The arrows between them point one way, from the
 * first to the last: {@code agent} (the thread and its queue pairs), {@code requests} (from arrival to answer),
 * {@code logged} (the way through the log), {@code reign} (who leads, and who may answer), {@code snapshot},
 * {@code apply} (committed entries), {@code proposal} (what is to be logged), {@code execution} (one request on the
 * table), {@code session} (what outlives a queue pair). All of it belongs to the agent's thread, which never waits for
 * a client: requests that cannot proceed are kept and retried after a completion.
 */
package org.onesided.server.shard;

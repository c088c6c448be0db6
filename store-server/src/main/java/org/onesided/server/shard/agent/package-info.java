/**
 * One shard's agent, and the queue pairs that it serves. {@code Shard} is the agent: its rounds poll completions
 * ({@code CompletionPoller}), go on with what waits, and do the table's housekeeping ({@code Housekeeping}).
 * {@code CreditedQueuePair} is a session's queue pair; {@code ShardQueuePairs} makes, takes over and ends them, and
 * {@code EndingQueuePairs} has those that are not served any more. {@code ShardDevice} and {@code ShardDevices} are its
 * ends of the devices; {@code ShardChannels} and {@code ShardIdleStrategy} let the one thread sleep for all of them.
 * {@code ShardListener} hears of it all. Nothing else of the shard knows this package.
 */
package org.onesided.server.shard.agent;

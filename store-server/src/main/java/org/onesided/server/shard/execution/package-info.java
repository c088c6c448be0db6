/**
 * A request, and its execution on the shard's table. {@code Request} is decoded once, and has a {@code RequestBlock} of
 * fixed fields. {@code RequestExecutor} executes it, with {@code BatchPuts} for many puts in one,
 * {@code ComputedWrites} and {@code DecimalText} for increments and appends, {@code Condition} for what a write asks of
 * its key, and {@code RequestedExpiry} for its time; {@code AnswerMessages} and {@code StatMessage} write the answer. A
 * {@code Pull} is a value that is longer than a message, on its way to its {@code PullOwner}. {@code DeviceSessions} is
 * what the counters tell of connections. It knows neither queue pairs nor the log.
 */
package org.onesided.server.shard.execution;

/**
 * What a shard proposes to its log, and whether there will be room when it is committed. {@code Proposals} collects a
 * round's items into entries, and {@code LoggedPulls} adds long values piece by piece. {@code LoggedRoom} counts bytes,
 * with {@code ProposedLengths} and {@code RoomPromise}; {@code SlotRoom} counts slots, with {@code ProposedKeys};
 * {@code LoggedEvictions} lets records leave. {@code LoggedTime} is the time of a table that follows a log, and
 * {@code MemoryWait} bounds the wait for memory.
 */
package org.onesided.server.shard.proposal;

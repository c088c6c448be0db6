package org.onesided.server;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.server.operating.MemberStand;
import org.onesided.server.session.SessionMetrics;
import org.onesided.server.shard.ShardMetrics;

/**
 * A server's counters and how it stands. Taken without disturbing the server's threads.
 *
 * @param sessions     what became of sessions, and what clients report.
 * @param shards       one each.
 * @param memory       how the table's memory stands.
 * @param deviceFaults by kind of device, such as {@code tcp}: how often each reason occurred that it knows for
 *                     something going wrong by what peers did or left undone. Without devices that count none.
 * @param eviction     which records leave when the memory is full.
 * @param defaultTtlMs for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
 * @param stand        how the server stands as a member of a cluster; null if it is alone.
 */
public record ServerMetrics(
    SessionMetrics sessions,
    List<ShardMetrics> shards,
    MemoryMetrics memory,
    Map<String, Map<String, Long>> deviceFaults,
    Eviction eviction,
    long defaultTtlMs,
    @Nullable MemberStand stand)
{
}

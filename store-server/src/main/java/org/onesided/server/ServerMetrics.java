package org.onesided.server;

import java.util.List;
import org.onesided.server.session.SessionMetrics;
import org.onesided.server.shard.ShardMetrics;

/**
 * A server's counters and how it stands. Taken without disturbing the server's threads.
 *
 * @param sessions what became of sessions, and what clients report.
 * @param shards   one each.
 */
public record ServerMetrics(SessionMetrics sessions, List<ShardMetrics> shards)
{
}

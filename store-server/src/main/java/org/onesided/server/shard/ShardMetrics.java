package org.onesided.server.shard;

import java.util.Map;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.cluster.ReignMetrics;
import org.onesided.server.table.TableStatistics;

/**
 * A shard's counters, since its start, and how it stands. Each number is exact; together they are no snapshot of one
 * moment.
 *
 * @param shard           its number, from 0.
 * @param table           what it holds.
 * @param requests        executed, by what they asked for.
 * @param refusals        of them, by reason.
 * @param resent          answers given a second time, to clients that had lost them.
 * @param bytesReceived   of requests.
 * @param bytesSent       of answers.
 * @param bytesPulled     of values that the shard READ from clients.
 * @param pullFailures    such READs that failed.
 * @param connections     there are now, by the name of the device.
 * @param connectionsLost ended because a queue pair or the client failed.
 * @param waiting         requests that have come but cannot be executed yet, now.
 * @param roomWaits       puts that had to wait for room in the heap.
 * @param waitingForRoom  puts that wait for room in the heap, now.
 * @param pulls           values being READ from clients now.
 * @param pullBytes       their length in bytes.
 * @param polls           of the completion queue that brought something.
 * @param completions     that they brought.
 * @param rounds          of the shard's thread: at least one a second, even while it has nothing to do.
 * @param times           from when the shard saw a request to when its answer was ready, by what was asked for; empty
 *                        if that is not measured.
 * @param durability      how the table stands on disk; null if it is in memory only.
 * @param reign           what the server is to the partition as a member of a cluster; null if it is alone.
 */
public record ShardMetrics(
    int shard,
    TableStatistics table,
    Map<RequestKind, Long> requests,
    Map<Status, Long> refusals,
    long resent,
    long bytesReceived,
    long bytesSent,
    long bytesPulled,
    long pullFailures,
    Map<String, Long> connections,
    long connectionsLost,
    long waiting,
    long roomWaits,
    long waitingForRoom,
    long pulls,
    long pullBytes,
    long polls,
    long completions,
    long rounds,
    Map<RequestKind, DurationHistogram> times,
    DurabilityMetrics durability,
    ReignMetrics reign)
{
}

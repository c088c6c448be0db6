package org.onesided.server.shard.execution;

import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.StatAnswerEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.DurabilityMetrics;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.TableStatistics;

/**
 * Writes the message that tells a shard's counters. Belongs to the shard's thread.
 */
final class StatMessage
{
    private final ShardTable table;
    private final List<DeviceSessions> devices;
    private final ShardCounters counters;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final StatAnswerEncoder statAnswer = new StatAnswerEncoder();

    /**
     * @param table    of the shard.
     * @param devices  of the shard.
     * @param counters of the shard.
     */
    StatMessage(final ShardTable table, final List<DeviceSessions> devices, final ShardCounters counters)
    {
        this.table = table;
        this.devices = devices;
        this.counters = counters;
    }

    /** Tells the counters; {@code disk} is null if the table is in memory only. Returns the answer's length. */
    int write(final long requestId, final UnsafeBuffer answer, final DurabilityMetrics disk, final Status status)
    {
        long sessions = 0;
        for (final DeviceSessions device : devices)
        {
            sessions += device.count();
        }
        final TableStatistics statistics = table.statistics();
        statAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .records(statistics.records())
            .buckets(statistics.buckets())
            .overflowBuckets(statistics.overflowBuckets())
            .overflowBucketsUsed(statistics.overflowBucketsUsed())
            .segments(statistics.segments())
            .retiredBytes(statistics.retiredBytes())
            .releasedBytes(statistics.releasedBytes())
            .heapReleasedBytes(statistics.heapReleasedBytes())
            .evictedForHeap(statistics.evictedForHeap())
            .evictedForIndex(statistics.evictedForIndex())
            .evictedBytes(statistics.evictedBytes())
            .hitsHalf(statistics.hitsHalf())
            .hitsSame(statistics.hitsSame())
            .hitsDouble(statistics.hitsDouble())
            .hitsOf(statistics.hitsOf())
            .heapBytes(statistics.heapBytes())
            .heapBytesUsed(statistics.heapBytesUsed())
            .puts(statistics.puts())
            .putsInPlace(statistics.putsInPlace())
            .deletes(statistics.deletes())
            .gets(counters.executions(RequestKind.GET))
            .bytesPulled(counters.get(ShardCounters.BYTES_PULLED))
            .refused(counters.allRefusals())
            .sessions(sessions)
            .status(status)
            .recordsMoved(statistics.recordsMoved())
            .expiring(statistics.expiring())
            .expired(statistics.expired())
            .waitingForRoom(counters.get(ShardCounters.WAITING_FOR_ROOM));
        statAnswer
            .logState((short)(disk == null ? 0 : disk.takesWrites() ? 1 : 2))
            .snapshotPercent((byte)(disk == null ? -1 : Math.floor(100 * disk.snapshotProgress())))
            .appliedIndex(disk == null ? -1 : disk.appliedIndex())
            .logBytes(disk == null ? 0 : disk.logBytes())
            .snapshotIndex(disk == null ? -1 : disk.snapshotIndex())
            .snapshotBytes(disk == null ? 0 : disk.snapshotBytes())
            .snapshotAge(disk == null ? -1 : disk.snapshotAgeMs())
            .snapshotFailures(disk == null ? 0 : disk.snapshotFailures());
        final StatAnswerEncoder.DevicesEncoder group = statAnswer.devicesCount(devices.size());
        for (final DeviceSessions device : devices)
        {
            group.next().deviceSessions(device.count()).name(device.device());
        }
        return MessageHeaderEncoder.ENCODED_LENGTH + statAnswer.encodedLength();
    }
}

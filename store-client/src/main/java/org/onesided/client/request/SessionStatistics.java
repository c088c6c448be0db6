package org.onesided.client.request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.Counters;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.ShardStorage;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.rpc.codec.StatAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.waiting.Pause;

/**
 * Asks the server for its counters and for the totals that clients reported. Not thread-safe.
 */
public final class SessionStatistics
{
    /** States of a shard's log. */
    private static final int IN_MEMORY = 0;
    private static final int TAKES_WRITES = 1;
    private static final String LATE = "deadline passed before the answer came";

    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final Requests requests;

    /**
     * @param core     of the session.
     * @param requests of the session.
     */
    public SessionStatistics(final SessionCore core, final Requests requests)
    {
        this.requests = requests;
        operation = core.operation();
        reconnector = core.reconnector();
    }

    /**
     * Asks all shards.
     *
     * @return their counters.
     */
    public List<ShardStatistics> ask()
    {
        return reconnector.read(attachment -> askAll(attachment, false), LATE);
    }

    /**
     * Asks all shards to write a snapshot.
     *
     * @return their counters at that moment.
     */
    public List<ShardStatistics> snapshot()
    {
        return reconnector.read(attachment -> askAll(attachment, true), LATE);
    }

    /**
     * Asks one shard, with one request.
     *
     * @param shard to ask.
     * @return its counters.
     */
    public ShardStatistics ask(final int shard)
    {
        return reconnector.read(attachment -> askOne(attachment, shard), LATE);
    }

    /**
     * @return the sums of what all clients have reported to the server.
     */
    public ClientStatistics reported()
    {
        return reconnector.read(this::reported, LATE);
    }

    private List<ShardStatistics> askAll(final Attachment attachment, final boolean isForSnapshot)
    {
        final List<ShardStatistics> all = new ArrayList<>();
        for (int shard = attachment.table().firstShard(); shard < attachment.table().endShard(); shard++)
        {
            all.add(ask(requests.rpc(), shard, isForSnapshot));
        }
        return List.copyOf(all);
    }

    private ShardStatistics askOne(final Attachment attachment, final int shard)
    {
        if (shard < attachment.table().firstShard() || shard >= attachment.table().endShard())
        {
            throw new IllegalArgumentException("there is no such shard: shard=" + shard + " shards=" +
                attachment.table().shardCount());
        }
        return ask(requests.rpc(), shard, false);
    }

    private ClientStatistics reported(final Attachment attachment)
    {
        final ClientStatistics reported =
            Counters.statistics(attachment.connection().reported(operation.deadline()));
        reconnector.succeeded();
        return reported;
    }

    /** Numbers by device. The server states the lengths, so each is checked before use. */
    private Map<String, Long> deviceSessions(final StatAnswerDecoder answer)
    {
        final int length = answer.buffer().capacity();
        checkRoom(answer, StatAnswerDecoder.DevicesDecoder.sbeHeaderSize(), length);
        final Map<String, Long> all = new LinkedHashMap<>();
        for (final StatAnswerDecoder.DevicesDecoder group = answer.devices(); group.hasNext();)
        {
            checkRoom(answer, StatAnswerDecoder.DevicesDecoder.sbeBlockLength(), length);
            final long sessions = group.next().deviceSessions();
            checkRoom(answer, StatAnswerDecoder.DevicesDecoder.nameHeaderLength(), length);
            checkRoom(answer, StatAnswerDecoder.DevicesDecoder.nameHeaderLength() + group.nameLength(), length);
            all.put(OneLine.of(group.name()), sessions);
        }
        return Collections.unmodifiableMap(all);
    }

    private void checkRoom(final StatAnswerDecoder answer, final int needed, final int length)
    {
        if (needed > length - answer.limit())
        {
            throw new AttachmentLostException("answer is cut short: length=" + length);
        }
    }

    private static ShardStorage storage(final StatAnswerDecoder answer)
    {
        return answer.logState() == IN_MEMORY ? null : new ShardStorage(
            answer.logState() == TAKES_WRITES,
            answer.appliedIndex(),
            answer.logBytes(),
            answer.snapshotIndex(),
            answer.snapshotBytes(),
            answer.snapshotAge(),
            answer.snapshotPercent(),
            answer.snapshotFailures());
    }

    private ShardStatistics ask(final Rpc rpc, final int shard, final boolean isForSnapshot)
    {
        int attempts = 0;
        while (true)
        {
            rpc.statistics(shard, isForSnapshot);
            final StatAnswerDecoder answer = rpc.awaitStatistics();
            final Status status = RequestCodec.status(answer.statusRaw());
            if (status == Status.OK)
            {
                reconnector.succeeded();
                return new ShardStatistics(
                    shard,
                    answer.records(),
                    answer.buckets(),
                    answer.overflowBuckets(),
                    answer.overflowBucketsUsed(),
                    answer.segments(),
                    answer.retiredBytes(),
                    answer.releasedBytes(),
                    answer.heapReleasedBytes(),
                    answer.heapBytes(),
                    answer.heapBytesUsed(),
                    answer.puts(),
                    answer.putsInPlace(),
                    answer.deletes(),
                    answer.gets(),
                    answer.bytesPulled(),
                    answer.refused(),
                    answer.recordsMoved(),
                    answer.waitingForRoom(),
                    answer.expiring(),
                    answer.expired(),
                    answer.evictedForHeap(),
                    answer.evictedForIndex(),
                    answer.evictedBytes(),
                    answer.hitsHalf(),
                    answer.hitsSame(),
                    answer.hitsDouble(),
                    answer.hitsOf(),
                    answer.sessions(),
                    deviceSessions(answer),
                    storage(answer));
            }
            if (status == Status.READ_ONLY)
            {
                throw new StoreReadOnlyException(
                    "client may only look up at this server, as its token or certificate says, and a snapshot is " +
                        "more: show one that may write", operation.failure(WriteFate.NONE));
            }
            if (status != Status.BUSY)
            {
                throw new StoreLimitException(
                    "server refuses to tell its counters: status=" + status, operation.failure(WriteFate.NONE));
            }
            reconnector.checkDeadline("server has too much to do, try again later", WriteFate.NONE);
            Pause.after(attempts++);
        }
    }
}

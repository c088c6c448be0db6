package org.onesided.server.shard.execution;

import java.util.List;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.ComputedAnswerEncoder;
import org.onesided.protocol.rpc.codec.GetAnswerEncoder;
import org.onesided.protocol.rpc.codec.LeaseAnswerEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerEncoder;
import org.onesided.protocol.rpc.codec.StatAnswerEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.TtlAnswerEncoder;
import org.onesided.protocol.rpc.codec.WriteAnswerEncoder;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.shard.DurabilityMetrics;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.table.Expiry;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.TableStatistics;
import org.onesided.server.table.WriteResult;

/**
 * Executes requests on a shard's table and writes their answers.
 */
public final class RequestExecutor
{
    /** Result of {@link #put}, {@link #touch} and {@link #compute}: no room yet, so no answer. */
    public static final int WAIT = -1;
    /** Result of {@link #compare}: the write may go on. */
    public static final int HOLDS = -2;

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int GET_ANSWER_OVERHEAD =
        HEADER_LENGTH + GetAnswerEncoder.BLOCK_LENGTH + GetAnswerEncoder.valueHeaderLength();

    private final ShardTable table;
    private final ComputedWrites computed;
    private final BatchPuts batches;
    private final int shard;
    private final int shards;
    private final List<DeviceSessions> devices;
    private final WriteResult result = new WriteResult();
    private final Condition condition = new Condition();
    private final FoundRecord found = new FoundRecord();
    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final LeaseAnswerEncoder leaseAnswer = new LeaseAnswerEncoder();
    private final WriteAnswerEncoder writeAnswer = new WriteAnswerEncoder();
    private final ComputedAnswerEncoder computedAnswer = new ComputedAnswerEncoder();
    private final GetAnswerEncoder getAnswer = new GetAnswerEncoder();
    private final StatAnswerEncoder statAnswer = new StatAnswerEncoder();
    private final ReleaseAnswerEncoder releaseAnswer = new ReleaseAnswerEncoder();
    private final TtlAnswerEncoder ttlAnswer = new TtlAnswerEncoder();
    private final RequestedExpiry expiry;
    private final LongSupplier clock;
    private final ShardCounters counters;
    private Status lastStatus = Status.OK;

    /**
     * @param table    to execute on.
     * @param keyHash  of the table.
     * @param shard    number of the shard.
     * @param shards   how many there are.
     * @param devices  of the shard.
     * @param counters of the shard.
     * @param now      time of the table in milliseconds, by which it decides.
     * @param clock    time of the shard in milliseconds; ahead of the table's if that follows a log.
     */
    public RequestExecutor(
        final ShardTable table,
        final KeyHash keyHash,
        final int shard,
        final int shards,
        final List<DeviceSessions> devices,
        final ShardCounters counters,
        final LongSupplier now,
        final LongSupplier clock)
    {
        this.clock = clock;
        expiry = new RequestedExpiry(now);
        this.counters = counters;
        this.table = table;
        computed = new ComputedWrites(table);
        batches = new BatchPuts(table, keyHash, shard, shards, counters);
        this.devices = devices;
        this.shard = shard;
        this.shards = shards;
    }

    /**
     * Stores the value in a request.
     *
     * @param request a put.
     * @param answer  where the answer is written.
     * @return the answer's length or {@link #WAIT}.
     */
    public int put(final Request request, final UnsafeBuffer answer)
    {
        return put(request, request.value(), request.valueLength(), answer);
    }

    /**
     * @return carries out batches of puts.
     */
    public BatchPuts batches()
    {
        return batches;
    }

    /**
     * Stores a value that is at an address.
     *
     * @param request      a put.
     * @param valueAddress raw address of the value.
     * @param valueLength  of the value in bytes.
     * @param answer       where the answer is written.
     * @return the answer's length or {@link #WAIT}.
     */
    public int put(final Request request, final long valueAddress, final int valueLength, final UnsafeBuffer answer)
    {
        if (!isForThisShard(request))
        {
            return writeAnswer(request.requestId(), Status.INVALID, answer);
        }
        final int conflict = compare(request, answer);
        if (conflict != HOLDS)
        {
            return conflict;
        }
        final Status status = table.put(
            request.keyHash(), request.key(), request.keyLength(), valueAddress, valueLength, expiry.of(request),
            result);
        return status == Status.BUSY ? WAIT : writeAnswer(request.requestId(), status, answer);
    }

    /**
     * Changes the time when a key expires.
     *
     * @param request a touch.
     * @param answer  where the answer is written.
     * @return the answer's length or {@link #WAIT}.
     */
    public int touch(final Request request, final UnsafeBuffer answer)
    {
        final Status status = isForThisShard(request) ? table.touch(
            request.keyHash(), request.key(), request.keyLength(), expiry.of(request), result) : Status.INVALID;
        return status == Status.BUSY ? WAIT : writeAnswer(request.requestId(), status, answer);
    }

    /**
     * Tells when a key expires.
     *
     * @param request of that kind.
     * @param answer  where the answer is written.
     * @return the answer's length.
     */
    public int ttl(final Request request, final UnsafeBuffer answer)
    {
        final Status status = !isForThisShard(request) ? Status.INVALID :
            table.lookups().find(request.keyHash(), request.key(), request.keyLength(), found) ? Status.OK :
                Status.NOT_FOUND;
        count(status);
        final long time = status == Status.OK ? found.expiry() : Expiry.NEVER;
        ttlAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(request.requestId())
            .expiry(time)
            .left(time == Expiry.NEVER ? 0 : Math.max(0, time - clock.getAsLong()))
            .status(status);
        return HEADER_LENGTH + ttlAnswer.encodedLength();
    }

    /**
     * Carries out an increment or append.
     *
     * @param request of one of these kinds.
     * @param answer  where the answer is written.
     * @return the answer's length or {@link #WAIT}.
     */
    public int compute(final Request request, final UnsafeBuffer answer)
    {
        final Status status =
            isForThisShard(request) ? computed.write(request, expiry.of(request), result) : Status.INVALID;
        return status == Status.BUSY ? WAIT :
            status == Status.OK ? computedAnswer(request.requestId(), answer) :
            writeAnswer(request.requestId(), status, answer);
    }

    /**
     * @return length of the value for which the last {@link #compute} had no room.
     */
    public int computedLength()
    {
        return computed.valueLength();
    }

    /**
     * @return whether the last put waits for memory of the index, and not for room in the heap.
     */
    public boolean waitsForIndex()
    {
        return table.waitsForIndex();
    }

    /**
     * Removes a key.
     *
     * @param request a delete.
     * @param answer  where the answer is written.
     * @return the answer's length.
     */
    public int delete(final Request request, final UnsafeBuffer answer)
    {
        if (!isForThisShard(request))
        {
            return writeAnswer(request.requestId(), Status.INVALID, answer);
        }
        final int conflict = compare(request, answer);
        if (conflict != HOLDS)
        {
            return conflict;
        }
        final Status status = table.delete(request.keyHash(), request.key(), request.keyLength(), result);
        return writeAnswer(request.requestId(), status, answer);
    }

    /**
     * Compares the condition of a write, if it has one, with the present record of its key, which belongs to this
     * shard. If the condition does not hold, this answers the write.
     *
     * @param request a write.
     * @param answer  where that is written if the condition does not hold.
     * @return {@link #HOLDS}, or the answer's length.
     */
    public int compare(final Request request, final UnsafeBuffer answer)
    {
        if (!request.block().isConditional())
        {
            return HOLDS;
        }
        request.block().condition(condition);
        final long present = table.lookups().version(request.keyHash(), request.key(), request.keyLength());
        return condition.holds(table.id(), present) ? HOLDS : conflict(request.requestId(), present, answer);
    }

    private int conflict(final long requestId, final long present, final UnsafeBuffer answer)
    {
        final int length = writeAnswer(requestId, Status.CONFLICT, answer);
        writeAnswer.version(present);
        return length;
    }

    /**
     * Publishes a value that was pulled, if its condition holds now: other sessions may have written meanwhile.
     *
     * @param pull   that is whole, and whose code is computed.
     * @param answer where the answer is written.
     * @return the answer's length.
     */
    public int publish(final Pull pull, final UnsafeBuffer answer)
    {
        if (pull.condition().exists())
        {
            final long present = table.longPuts().presentVersion(pull.extent());
            if (!pull.condition().holds(table.id(), present))
            {
                table.reservations().abandon(pull.extent());
                return conflict(pull.requestId(), present, answer);
            }
        }
        final long expiryMs = expiry.of(pull.expiryKind(), pull.expiry());
        final Status status = table.longPuts().publish(pull.extent(), expiryMs, result);
        if (status == Status.OK)
        {
            counters.add(ShardCounters.BYTES_PULLED, pull.length());
        }
        return writeAnswer(pull.requestId(), status, answer);
    }

    /**
     * @return why a put has got no room that has waited for it.
     */
    public Status roomlessStatus()
    {
        return table.roomlessStatus();
    }

    /**
     * Refuses a write.
     *
     * @param requestId of the write.
     * @param status    of the answer.
     * @param answer    where the answer is written.
     * @return the answer's length.
     */
    public int refuse(final long requestId, final Status status, final UnsafeBuffer answer)
    {
        return writeAnswer(requestId, status, answer);
    }

    /**
     * Looks a key up. A value that does not fit into an answer is lent to the session.
     *
     * @param request a lookup.
     * @param session that asks.
     * @param answer  where the answer is written; its capacity counts.
     * @return the answer's length.
     */
    public int get(
        final Request request, final ShardSession session, final UnsafeBuffer answer)
    {
        final long requestId = request.requestId();
        if (!isForThisShard(request))
        {
            return getAnswer(requestId, Status.INVALID, 0, 0, answer);
        }
        if (!table.lookups().find(request.keyHash(), request.key(), request.keyLength(), found))
        {
            return getAnswer(requestId, Status.NOT_FOUND, 0, 0, answer);
        }

        final int length = found.valueLength();
        if (GET_ANSWER_OVERHEAD + length <= answer.capacity())
        {
            value.wrap(found.valueAddress(), length);
            getAnswer.wrapAndApplyHeader(answer, 0, header).requestId(requestId).version(found.version()).extent(0)
                .wholeLength(length).status(Status.OK).check(found.check()).expiry(found.expiry())
                .putValue(value, 0, length);
            return HEADER_LENGTH + getAnswer.encodedLength();
        }
        // What is lent stays in the heap, so nothing is lent whose room is counted on.
        if (!session.mayBorrow(length) || table.evictions().isLeaving(request.keyHash()))
        {
            return getAnswer(requestId, Status.BUSY, 0, 0, answer);
        }
        final long extent = table.lentValues().lend(found);
        session.borrow(extent, length);
        return getAnswer(requestId, Status.OK, extent, length, answer);
    }

    /**
     * Takes back what was lent to a lookup.
     *
     * @param request that names the extent.
     * @param session to which it was lent.
     * @param answer  where the answer is written.
     * @return the answer's length.
     */
    public int release(final Request request, final ShardSession session, final UnsafeBuffer answer)
    {
        final boolean isLent = session.giveBack(request.block().extent());
        if (isLent)
        {
            table.lentValues().release(request.block().extent());
        }
        releaseAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(request.requestId())
            .status(isLent ? Status.OK : Status.NOT_FOUND);
        return HEADER_LENGTH + releaseAnswer.encodedLength();
    }

    /**
     * Takes back all that is lent to a session.
     *
     * @param session that reads it no more.
     */
    public void releaseAll(final ShardSession session)
    {
        for (long extent = session.anyExtent(); extent >= 0; extent = session.anyExtent())
        {
            session.giveBack(extent);
            table.lentValues().release(extent);
        }
    }

    /**
     * Tells the counters.
     *
     * @param request for them.
     * @param answer  where the answer is written.
     * @param disk    how the table stands on disk; null if it is in memory only.
     * @param status  of the answer.
     * @return the answer's length.
     */
    public int stat(
        final Request request, final UnsafeBuffer answer, final DurabilityMetrics disk, final Status status)
    {
        count(status);
        long sessions = 0;
        for (final DeviceSessions device : devices)
        {
            sessions += device.count();
        }
        final TableStatistics table = this.table.statistics();
        statAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(request.requestId())
            .records(table.records())
            .buckets(table.buckets())
            .overflowBuckets(table.overflowBuckets())
            .overflowBucketsUsed(table.overflowBucketsUsed())
            .segments(table.segments())
            .retiredBytes(table.retiredBytes())
            .releasedBytes(table.releasedBytes())
            .heapReleasedBytes(table.heapReleasedBytes())
            .evictedForHeap(table.evictedForHeap())
            .evictedForIndex(table.evictedForIndex())
            .evictedBytes(table.evictedBytes())
            .hitsHalf(table.hitsHalf())
            .hitsSame(table.hitsSame())
            .hitsDouble(table.hitsDouble())
            .hitsOf(table.hitsOf())
            .heapBytes(table.heapBytes())
            .heapBytesUsed(table.heapBytesUsed())
            .puts(table.puts())
            .putsInPlace(table.putsInPlace())
            .deletes(table.deletes())
            .gets(counters.executions(RequestKind.GET))
            .bytesPulled(counters.get(ShardCounters.BYTES_PULLED))
            .refused(counters.allRefusals())
            .sessions(sessions)
            .status(status)
            .recordsMoved(table.recordsMoved())
            .expiring(table.expiring())
            .expired(table.expired())
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
        return HEADER_LENGTH + statAnswer.encodedLength();
    }

    /**
     * @param request with or without a key.
     * @return whether its key is valid and belongs to this shard, where lookups search for it.
     */
    public boolean isForThisShard(final Request request)
    {
        return request.hasValidKey() && KeyHash.shard(request.keyHash(), shards) == shard;
    }

    /**
     * Answers as a member that does not lead.
     *
     * @param requestId of the request.
     * @param term      in which another member leads.
     * @param leader    number of that member; 0 if it is not known.
     * @param answer    where the answer is written.
     * @return the answer's length.
     */
    public int notLeading(final long requestId, final long term, final long leader, final UnsafeBuffer answer)
    {
        writeAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .slotWord(leader == 0 ? 0 : term)
            .version(leader)
            .bucketOffset(0)
            .slotIndex((short)0)
            .status(Status.NOT_LEADING);
        return HEADER_LENGTH + writeAnswer.encodedLength();
    }

    /**
     * Answers a request for a lease that is granted.
     *
     * @param requestId of the request.
     * @param region    that the client may believe.
     * @param term      in which this member leads.
     * @param answer    where the answer is written.
     * @return the answer's length.
     */
    public int leaseGranted(final long requestId, final long region, final long term, final UnsafeBuffer answer)
    {
        leaseAnswer.wrapAndApplyHeader(answer, 0, header).requestId(requestId).life(region).term(term);
        return HEADER_LENGTH + leaseAnswer.encodedLength();
    }

    private int writeAnswer(final long requestId, final Status status, final UnsafeBuffer answer)
    {
        count(status);
        final boolean hasResult = status == Status.OK || status == Status.NOT_FOUND;
        writeAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .slotWord(hasResult ? result.slotWord() : 0)
            .version(hasResult ? result.version() : 0)
            .bucketOffset(hasResult ? result.bucketOffset() : 0)
            .slotIndex((short)(hasResult ? result.slotIndex() : 0))
            .status(status);
        return HEADER_LENGTH + writeAnswer.encodedLength();
    }

    private int computedAnswer(final long requestId, final UnsafeBuffer answer)
    {
        count(Status.OK);
        computedAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .slotWord(result.slotWord())
            .version(result.version())
            .bucketOffset(result.bucketOffset())
            .slotIndex((short)result.slotIndex())
            .status(Status.OK)
            .result(computed.outcome());
        return HEADER_LENGTH + computedAnswer.encodedLength();
    }

    private int getAnswer(
        final long requestId, final Status status, final long extent, final int length, final UnsafeBuffer answer)
    {
        count(status);
        getAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .version(status == Status.OK ? found.version() : 0)
            .extent(extent)
            .wholeLength(length)
            .status(status)
            .check(status == Status.OK ? found.check() : 0)
            .expiry(status == Status.OK ? found.expiry() : Expiry.NEVER)
            .putValue(value, 0, 0);
        return HEADER_LENGTH + getAnswer.encodedLength();
    }

    /**
     * @return status of the last answer.
     */
    public Status lastStatus()
    {
        return lastStatus;
    }

    private void count(final Status status)
    {
        lastStatus = status;
        if (status != Status.OK && status != Status.NOT_FOUND && status != Status.CONFLICT)
        {
            counters.refused(status);
        }
    }
}

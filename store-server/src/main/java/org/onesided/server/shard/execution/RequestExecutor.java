package org.onesided.server.shard.execution;

import java.util.List;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.shard.DurabilityMetrics;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.table.Expiry;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.ShardTable;
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

    private final ShardTable table;
    private final ComputedWrites computed;
    private final BatchPuts batches;
    private final int shard;
    private final int shards;
    private final WriteResult result = new WriteResult();
    private final Condition condition = new Condition();
    private final FoundRecord found = new FoundRecord();
    private final AnswerMessages messages = new AnswerMessages();
    private final StatMessage stats;
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
        stats = new StatMessage(table, devices, counters);
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
        final long left = time == Expiry.NEVER ? 0 : Math.max(0, time - clock.getAsLong());
        return messages.ttl(request.requestId(), status, time, left, answer);
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
        count(Status.CONFLICT);
        return messages.conflict(requestId, present, answer);
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
        if (messages.fits(length, answer))
        {
            return messages.found(requestId, found, answer);
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
        return messages.released(request.requestId(), isLent, answer);
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
        return stats.write(request.requestId(), answer, disk, status);
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
        return messages.notLeading(requestId, term, leader, answer);
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
        return messages.leaseGranted(requestId, region, term, answer);
    }

    private int writeAnswer(final long requestId, final Status status, final UnsafeBuffer answer)
    {
        count(status);
        return messages.write(requestId, status, result, answer);
    }

    private int computedAnswer(final long requestId, final UnsafeBuffer answer)
    {
        count(Status.OK);
        return messages.computed(requestId, result, computed.outcome(), answer);
    }

    private int getAnswer(
        final long requestId, final Status status, final long extent, final int length, final UnsafeBuffer answer)
    {
        count(status);
        return messages.get(requestId, status, extent, length, found, answer);
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

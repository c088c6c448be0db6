package org.onesided.client.request;

import java.util.function.BooleanSupplier;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.Table;
import org.onesided.protocol.rpc.BatchLimits;

/**
 * Stages writes that are to be under way together: gives each a place in a message, which the {@link RequestEngine}
 * posts. A write without a place is refused, and its owner waits until there is one. Not thread-safe.
 */
public final class StagedWrites
{
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final RequestEngine engine;
    private final Requests requests;
    private final Outcomes outcomes;
    private final WriteRequest request = new WriteRequest();
    private final BooleanSupplier hasRoom;
    private int refusedShard;
    private long refusedDeadlineNs;
    private long tableId;

    /**
     * @param operation   that the session carries out, whose key is that of the write.
     * @param reconnector keeps the session attached.
     * @param engine      of the session.
     */
    public StagedWrites(final RunningOperation operation, final Reconnector reconnector, final RequestEngine engine)
    {
        this.operation = operation;
        this.reconnector = reconnector;
        this.engine = engine;
        requests = engine.requests();
        outcomes = engine.outcomes();
        hasRoom = () -> engine.isReady() || hasRoom();
    }

    /**
     * Stages a put of the key in the operation's key space. It may have its outcome at once.
     *
     * @param valueBase   array that holds the value, or null for native memory.
     * @param valueOffset of the value in the array as UnsafeApi counts it, or its address.
     * @param valueLength of the value in bytes, which {@link Requests#fits}.
     * @param correlation that its outcome is told under.
     * @param deadlineNs  when the write must end, a time of {@link System#nanoTime()}.
     * @return whether there was a place for it; if not, others are to be waited for.
     */
    public boolean tryStagePut(
        final Object valueBase,
        final long valueOffset,
        final int valueLength,
        final long correlation,
        final long deadlineNs)
    {
        return tryStagePut(WriteTerms.PLAIN, valueBase, valueOffset, valueLength, correlation, deadlineNs);
    }

    /**
     * As {@link #tryStagePut(Object, long, int, long, long)}, with terms that the value fits with.
     *
     * @param terms       of the put.
     * @param valueBase   array that holds the value, or null for native memory.
     * @param valueOffset of the value in the array as UnsafeApi counts it, or its address.
     * @param valueLength of the value in bytes, which {@link Requests#fits}.
     * @param correlation that its outcome is told under.
     * @param deadlineNs  when the write must end, a time of {@link System#nanoTime()}.
     * @return whether there was a place for it; if not, others are to be waited for.
     */
    public boolean tryStagePut(
        final WriteTerms terms,
        final Object valueBase,
        final long valueOffset,
        final int valueLength,
        final long correlation,
        final long deadlineNs)
    {
        request.put(terms, valueBase, valueOffset, valueLength);
        return tryStage(correlation, deadlineNs);
    }

    /**
     * As {@link #tryStagePut(Object, long, int, long, long)}; puts that are staged so one after the other share
     * messages, and are answered together. Their outcomes have no versions. Those of a message have the same deadline.
     * If there is no place, {@link RequestEngine#progress} may make one at once.
     */
    boolean tryStageJointPut(
        final Object valueBase,
        final long valueOffset,
        final int valueLength,
        final long correlation,
        final long deadlineNs)
    {
        request.putJointly(valueBase, valueOffset, valueLength);
        return tryStage(correlation, deadlineNs);
    }

    /** Table that the write staged last is for: only it can answer, since no other server life resumes the session. */
    long tableId()
    {
        return tableId;
    }

    /**
     * Stages a delete of the key in the operation's key space, as {@link #tryStagePut(Object, long, int, long, long)}.
     *
     * @param terms       of the delete: a condition, or none.
     * @param correlation that its outcome is told under.
     * @param deadlineNs  when the write must end, a time of {@link System#nanoTime()}.
     * @return whether there was a place for it; if not, others are to be waited for.
     */
    public boolean tryStageDelete(final WriteTerms terms, final long correlation, final long deadlineNs)
    {
        request.delete(terms);
        return tryStage(correlation, deadlineNs);
    }

    /**
     * Stages an increment of the key in the operation's key space, as {@link #tryStagePut(Object, long, int, long,
     * long)}.
     *
     * @param terms       what becomes of the key's time.
     * @param delta       to add.
     * @param initial     number to which it is added if the key is absent.
     * @param correlation that its outcome is told under.
     * @param deadlineNs  when the write must end, a time of {@link System#nanoTime()}.
     * @return whether there was a place for it; if not, others are to be waited for.
     */
    public boolean tryStageIncrement(
        final WriteTerms terms, final long delta, final long initial, final long correlation, final long deadlineNs)
    {
        request.increment(terms, delta, initial);
        return tryStage(correlation, deadlineNs);
    }

    /**
     * Stages an append to the value of the key in the operation's key space, as {@link #tryStagePut(Object, long, int,
     * long, long)}.
     *
     * @param terms       what becomes of the key's time.
     * @param addedBase   array that holds the bytes to add, or null for native memory.
     * @param addedOffset of these in the array as UnsafeApi counts it, or their address.
     * @param addedLength in bytes; more than {@link Requests#maxAppended} fail.
     * @param correlation that its outcome is told under.
     * @param deadlineNs  when the write must end, a time of {@link System#nanoTime()}.
     * @return whether there was a place for it; if not, others are to be waited for.
     */
    public boolean tryStageAppend(
        final WriteTerms terms,
        final Object addedBase,
        final long addedOffset,
        final int addedLength,
        final long correlation,
        final long deadlineNs)
    {
        request.append(terms, addedBase, addedOffset, addedLength);
        return tryStage(correlation, deadlineNs);
    }

    /**
     * Stages a change of the time of the key in the operation's key space, as {@link #tryStagePut(Object, long, int,
     * long, long)}.
     *
     * @param terms       the time.
     * @param correlation that its outcome is told under.
     * @param deadlineNs  when the write must end, a time of {@link System#nanoTime()}.
     * @return whether there was a place for it; if not, others are to be waited for.
     */
    public boolean tryStageTouch(final WriteTerms terms, final long correlation, final long deadlineNs)
    {
        request.touch(terms);
        return tryStage(correlation, deadlineNs);
    }

    private boolean tryStage(final long correlation, final long deadlineNs)
    {
        try
        {
            return tryStageHere(correlation, deadlineNs);
        }
        finally
        {
            request.forget();
        }
    }

    private boolean tryStageHere(final long correlation, final long deadlineNs)
    {
        if (engine.isHeld() && reconnector.attachment() == null)
        {
            return false;
        }
        final Attachment before = reconnector.attachment();
        final Attachment attachment;
        try
        {
            attachment = engine.isHeld() ? before : engine.attached(deadlineNs);
        }
        catch (final StoreException e)
        {
            engine.addOutcome(correlation, Outcomes.FAILED, 0, 0, e);
            return true;
        }
        if (attachment != before && deadlineNs - System.nanoTime() <= 0)
        {
            // Its caller may have been told so, and use the key and the value for something else.
            engine.addOutcome(correlation, Outcomes.FAILED, 0, 0, new StoreDeadlineException(
                "deadline passed before the server was back", operation.failure(WriteFate.NOT_APPLIED)));
            return true;
        }
        final int longest = requests.maxAppended(operation.keyLength());
        if (request.isAppend() && request.length() > longest)
        {
            engine.addOutcome(correlation, Outcomes.FAILED, 0, 0, ValueLength.refusedToAppend(
                request.length(), longest, operation.failure(WriteFate.NOT_APPLIED)));
            return true;
        }
        final Table table = attachment.table();
        final int shard = table.shardOf(operation.keySpace().addressOffset(), operation.keyLength());
        final RequestSlots slots = requests.slots();
        tableId = table.id();
        final boolean isJoint = request.isJoint() && slots.takesBatches();
        // What may fail for want of memory comes before anything changes.
        outcomes.reserve(engine.inFlight() + 2, slots.count());
        final int open = isJoint ? slots.openBatch(shard) : RequestSlots.NONE;
        final boolean hasJoined = open != RequestSlots.NONE && tryJoin(slots, open, correlation);
        // A full message is sent at once, so that the server works while the next one is written.
        final boolean mustPost = open != RequestSlots.NONE && !hasJoined && !slots.isHeldBack(open);
        final int slot = hasJoined || mustPost ? RequestSlots.NONE : slots.next(shard);
        if (!hasJoined && slot == RequestSlots.NONE)
        {
            refusedShard = shard;
            refusedDeadlineNs = deadlineNs;
            return false;
        }
        if (!hasJoined)
        {
            request.stage(requests.rpc(), slot, operation.keySpace(), operation.keyLength());
            slots.correlations().set(slot, correlation, deadlineNs);
            if (isJoint)
            {
                slots.correlations().open(slot);
            }
        }
        engine.writes().add(deadlineNs);
        return true;
    }

    /** Writes the put that is staged behind those of an open batch, if there is room in the message. */
    private boolean tryJoin(final RequestSlots slots, final int open, final long correlation)
    {
        final int joined = RequestCodec.joinedLength(operation.keyLength(), request.length());
        if (slots.correlations().puts(open) == BatchLimits.MAX_PUTS ||
            slots.length(open) + joined > slots.messages().messageLength())
        {
            return false;
        }
        slots.join(open, request.join(requests.rpc(), open, operation.keySpace(), operation.keyLength()), correlation);
        return true;
    }

    /**
     * @return whether there is a place now for the write that was refused last, for want of one.
     */
    public boolean hasRoom()
    {
        final RequestSlots slots = requests.slots();
        return slots.served().contains(refusedShard) && slots.next(refusedShard) != RequestSlots.NONE;
    }

    /** Waits until {@link RequestEngine#isReady} or {@link #hasRoom}, at most until the refused write's deadline. */
    void awaitRoom()
    {
        engine.await(hasRoom, refusedDeadlineNs);
    }

    /**
     * As {@link #awaitRoom()}, for a condition that these or a wake-up make true.
     *
     * @param condition to wait for.
     */
    public void awaitRoom(final BooleanSupplier condition)
    {
        engine.await(condition, refusedDeadlineNs);
    }
}

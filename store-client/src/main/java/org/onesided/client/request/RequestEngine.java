package org.onesided.client.request;

import java.util.function.BooleanSupplier;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.Counters;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.Table;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.protocol.table.KeyHash;

/**
 * Carries a session's writes out: each is staged in a slot, posted, and ends with one outcome, whatever happens to the
 * server. The outcome comes with the answer; where the session was resumed, with that to the same request sent again;
 * or it is a failure that knows whether the write may have taken effect.
 *
 * <p>As many writes as the session has credits may be under way together: staged one by one, posted with one doorbell a
 * shard, told apart by their owner's correlations. Their outcomes come in any order and wait in {@link #outcomes}. A
 * write <em>alone</em> is a pipeline of one: the session awaits its outcome, and nothing else is under way.
 *
 * <p>It sets the running operation's deadline to the earliest one of its writes while it waits. Not thread-safe.
 */
public final class RequestEngine
{
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final InFlightWrites writes;
    private final Requests requests;
    private final Outcomes outcomes;
    private final WriteRequest staged = new WriteRequest();
    private final BooleanSupplier isReady = this::isReady;
    private final BooleanSupplier hasRoom = () -> isReady() || hasRoom();
    private final BooleanSupplier isSettled = () -> inFlight() == 0 || isPostable();
    private boolean isHeld;
    private int refusedShard;
    private long refusedDeadlineNs;
    private long stagedTableId;

    /**
     * @param operation   that the session carries out.
     * @param reconnector keeps the session attached.
     * @param counters    of the session.
     */
    public RequestEngine(final RunningOperation operation, final Reconnector reconnector, final Counters counters)
    {
        this.operation = operation;
        this.reconnector = reconnector;
        writes = new InFlightWrites(operation, new DoneWrites(reconnector, counters));
        requests = writes.requests();
        outcomes = writes.outcomes();
    }

    /** State and outcome of a write alone. No other write is in flight then. */
    LoneWrite alone()
    {
        return writes.alone();
    }

    /** Version that the write alone got, or met if its condition did not hold; 0 if the key was absent then. */
    long versionAlone()
    {
        return writes.lastVersion();
    }

    /** What the server computed for the write alone. */
    long resultAlone()
    {
        return writes.lastResult();
    }

    /**
     * Posts the write alone, which was staged, and waits for its answer. Where that does not come, {@link #goOnAlone}
     * tells what is next.
     */
    void awaitAlone(final int slot)
    {
        writes.addAlone();
        final Rpc rpc = requests.rpc();
        rpc.postAwaited(slot);
        // The server is at work now, so reading the clock costs no latency.
        writes.limitAlone();
        rpc.awaitWrite();
    }

    /**
     * Awaits the outcome of the write alone after something came in between.
     *
     * @param reason what, or null if only time passed.
     */
    void goOnAlone(final String reason)
    {
        writes.limitAlone();
        writes.expire(null, reason);
        settle();
    }

    /** Ends the write alone. It has no outcome only if something other than the store failed. */
    void endAlone()
    {
        writes.endAlone();
    }

    /**
     * @return the session's requests.
     */
    public Requests requests()
    {
        return requests;
    }

    /** Number of writes without an outcome. */
    int inFlight()
    {
        return writes.count();
    }

    /**
     * @return outcomes of the writes that are under way together.
     */
    public Outcomes outcomes()
    {
        return outcomes;
    }

    /**
     * While the attachment is held, it is not replaced even if it is lost: something in its memory is in use.
     *
     * @param isHeldNow whether it is held from here on.
     */
    public void holdAttachment(final boolean isHeldNow)
    {
        isHeld = isHeldNow;
    }

    /**
     * Tells whether a value fits into a message, so that its put may be under way together with others.
     *
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @return whether it fits.
     */
    public boolean fits(final int keyLength, final int valueLength)
    {
        return valueLength <= RequestCodec.maxInlineValue(requests.slots().messageLength(), keyLength);
    }

    /**
     * As {@link #fits(int, int)}, for a put with terms.
     *
     * @param terms       of the put.
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @return whether it fits.
     */
    public boolean fits(final WriteTerms terms, final int keyLength, final int valueLength)
    {
        return terms.isPlain() ? fits(keyLength, valueLength) :
            valueLength <= RequestCodec.maxQualifiedInlineValue(requests.slots().messageLength(), keyLength);
    }

    /** Most bytes that an append may add to the value of a key of this length. */
    int maxAppended(final int keyLength)
    {
        return RequestCodec.maxAppended(requests.slots().messageLength(), keyLength);
    }

    /**
     * Stages a put of the key in the operation's key space. It may have its outcome at once.
     *
     * @param valueBase   array that holds the value, or null for native memory.
     * @param valueOffset of the value in the array as UnsafeApi counts it, or its address.
     * @param valueLength of the value in bytes, which {@link #fits}.
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
     * @param valueLength of the value in bytes, which {@link #fits}.
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
        staged.put(terms, valueBase, valueOffset, valueLength);
        return tryStage(correlation, deadlineNs);
    }

    /**
     * As {@link #tryStagePut(Object, long, int, long, long)}; puts that are staged so one after the other share
     * messages, and are answered together. Their outcomes have no versions. Those of a message have the same deadline.
     * If there is no place, {@link #progress} may make one at once.
     */
    boolean tryStageJointPut(
        final Object valueBase,
        final long valueOffset,
        final int valueLength,
        final long correlation,
        final long deadlineNs)
    {
        staged.putJointly(valueBase, valueOffset, valueLength);
        return tryStage(correlation, deadlineNs);
    }

    /** Table that the write staged last is for: only it can answer, since no other server life resumes the session. */
    long stagedTableId()
    {
        return stagedTableId;
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
        staged.delete(terms);
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
        staged.increment(terms, delta, initial);
        return tryStage(correlation, deadlineNs);
    }

    /**
     * Stages an append to the value of the key in the operation's key space, as {@link #tryStagePut(Object, long, int,
     * long, long)}.
     *
     * @param terms       what becomes of the key's time.
     * @param addedBase   array that holds the bytes to add, or null for native memory.
     * @param addedOffset of these in the array as UnsafeApi counts it, or their address.
     * @param addedLength in bytes; more than {@link #maxAppended} fail.
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
        staged.append(terms, addedBase, addedOffset, addedLength);
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
        staged.touch(terms);
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
            staged.forget();
        }
    }

    private boolean tryStageHere(final long correlation, final long deadlineNs)
    {
        if (isHeld && reconnector.attachment() == null)
        {
            return false;
        }
        final Attachment before = reconnector.attachment();
        final Attachment attachment;
        try
        {
            attachment = isHeld ? before : attached(deadlineNs);
        }
        catch (final StoreException e)
        {
            addOutcome(correlation, Outcomes.FAILED, 0, 0, e);
            return true;
        }
        if (attachment != before && deadlineNs - System.nanoTime() <= 0)
        {
            // Its caller may have been told so, and use the key and the value for something else.
            addOutcome(correlation, Outcomes.FAILED, 0, 0, new StoreDeadlineException(
                "deadline passed before the server was back", operation.failure(WriteFate.NOT_APPLIED)));
            return true;
        }
        final int longest = maxAppended(operation.keyLength());
        if (staged.isAppend() && staged.length() > longest)
        {
            addOutcome(correlation, Outcomes.FAILED, 0, 0, ValueLength.refusedToAppend(
                staged.length(), longest, operation.failure(WriteFate.NOT_APPLIED)));
            return true;
        }
        final int shard = shard(attachment);
        final RequestSlots slots = requests.slots();
        stagedTableId = attachment.table().id();
        final boolean isJoint = staged.isJoint() && slots.takesBatches();
        // What may fail for want of memory comes before anything changes.
        outcomes.reserve(inFlight() + 2, slots.count());
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
            staged.stage(requests.rpc(), slot, operation.keySpace(), operation.keyLength());
            slots.correlate(slot, correlation, deadlineNs);
            if (isJoint)
            {
                slots.open(slot);
            }
        }
        writes.add(deadlineNs);
        return true;
    }

    /** Writes the put that is staged behind those of an open batch, if there is room in the message. */
    private boolean tryJoin(final RequestSlots slots, final int open, final long correlation)
    {
        final int joined = RequestCodec.joinedLength(operation.keyLength(), staged.length());
        if (slots.puts(open) == BatchLimits.MAX_PUTS || slots.length(open) + joined > slots.messageLength())
        {
            return false;
        }
        slots.join(open, staged.join(requests.rpc(), open, operation.keySpace(), operation.keyLength()), correlation);
        return true;
    }

    /** The shard that the key in the operation's key space belongs to. */
    int shard(final Attachment attachment)
    {
        final Table table = attachment.table();
        final long hash = table.hash(operation.keySpace().addressOffset(), operation.keyLength());
        return KeyHash.shard(hash, table.shardCount());
    }

    /**
     * Adds the outcome of a write that is not under way together with others.
     *
     * @param correlation that it is told under.
     * @param ended       how: one of {@link Outcomes}.
     * @param tableId     that has answered, or 0.
     * @param version     that the key has got, or that a condition met; else 0.
     * @param reason      of the failure, or null.
     */
    public void addOutcome(
        final long correlation, final byte ended, final long tableId, final long version, final StoreException reason)
    {
        outcomes.reserve(inFlight() + 1, requests.slots().count());
        outcomes.add(correlation, ended, tableId, version, 0, reason);
    }

    /** Posts staged writes, processes completions, and fails late writes; reconnects if necessary. */
    public void progress()
    {
        final Attachment current = reconnector.attachment();
        if (inFlight() == 0 && (current == null || current.isLost()))
        {
            return;
        }
        String reason = null;
        try
        {
            final Attachment attachment = attached(writes.firstDeadlineNs() + InFlightWrites.NEVER_NS);
            requests.rpc().post();
            attachment.loop().progress();
        }
        catch (final AttachmentLostException e)
        {
            reconnector.detach(e.getMessage());
            reason = Reconnector.late(e);
        }
        catch (final StoreException e)
        {
            // All writes have failed with it already.
        }
        writes.expire(null, reason);
    }

    /**
     * @return whether there is an outcome, or something to be posted that had to wait.
     */
    public boolean isReady()
    {
        return outcomes.count() > 0 || isPostable();
    }

    private boolean isPostable()
    {
        return requests.slots().canPost();
    }

    /** Waits until all writes have their outcomes. */
    public void settle()
    {
        while (inFlight() > 0)
        {
            progress();
            if (inFlight() > 0)
            {
                await(isSettled, writes.firstDeadlineNs());
            }
        }
    }

    /**
     * @return whether there is a place now for the write that was refused last, for want of one.
     */
    public boolean hasRoom()
    {
        final RequestSlots slots = requests.slots();
        return slots.served().contains(refusedShard) && slots.next(refusedShard) != RequestSlots.NONE;
    }

    /** Waits until {@link #isReady} or {@link #hasRoom}, at most until the refused write's deadline. */
    void awaitRoom()
    {
        await(hasRoom, refusedDeadlineNs);
    }

    /**
     * As {@link #awaitRoom()}, for a condition that these or a wake-up make true.
     *
     * @param condition to wait for.
     */
    public void awaitRoom(final BooleanSupplier condition)
    {
        await(condition, refusedDeadlineNs);
    }

    /**
     * Waits for a condition that {@link #isReady} or a wake-up makes true, for no longer than the first deadline.
     *
     * @param condition to wait for.
     */
    public void await(final BooleanSupplier condition)
    {
        if (inFlight() > 0)
        {
            await(condition, writes.firstDeadlineNs());
        }
    }

    private void await(final BooleanSupplier condition, final long untilNs)
    {
        final Attachment attachment = reconnector.attachment();
        if (attachment != null)
        {
            beginWaiting(untilNs);
            try
            {
                attachment.loop().awaitUntil(condition);
            }
            catch (final AttachmentLostException e)
            {
                reconnector.detach(e.getMessage());
                // A write whose deadline has passed must not start another reconnect.
                writes.expire(null, Reconnector.late(e));
            }
            catch (final DeadlinePassedException e)
            {
                writes.expire(null, null);
            }
        }
    }

    private void beginWaiting(final long untilNs)
    {
        final long firstNs = writes.firstDeadlineNs();
        operation.deadline().at(inFlight() > 0 && firstNs - untilNs < 0 ? firstNs : untilNs);
    }

    /** Fails all writes in flight, because the session is closed. */
    public void close()
    {
        writes.failAll(new StoreClosedException(
            "session was closed", FailureContext.ofServer(operation.server())));
    }

    /** Fails all writes, and drops outcomes that were not taken. */
    void clear()
    {
        if (inFlight() > 0)
        {
            close();
        }
        outcomes.clear();
    }

    /**
     * The attachment. Until it is there, writes whose deadline passes fail.
     *
     * @param deadlineNs of the caller, besides those of the writes.
     * @throws StoreException if there can be none, of which all writes were told; or none in time.
     */
    private Attachment attached(final long deadlineNs)
    {
        final Attachment current = reconnector.attachment();
        if (current != null && !current.isLost())
        {
            return current;
        }
        while (true)
        {
            beginWaiting(deadlineNs);
            try
            {
                return reconnector.attached(WriteFate.NOT_APPLIED);
            }
            catch (final StoreDisconnectedException e)
            {
                writes.expire(e, null);
                final boolean isInterrupted = Thread.currentThread().isInterrupted();
                if (isInterrupted)
                {
                    writes.failAll(e);
                }
                if (isInterrupted || inFlight() == 0 || deadlineNs - System.nanoTime() <= 0)
                {
                    throw e;
                }
            }
            catch (final StoreException e)
            {
                writes.failAll(e);
                throw e;
            }
        }
    }
}

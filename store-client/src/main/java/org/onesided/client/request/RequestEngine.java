package org.onesided.client.request;

import java.util.function.BooleanSupplier;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.Counters;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;

/**
 * Carries a session's writes out: each was staged in a slot, is posted, and ends with one outcome, whatever happens to
 * the server. The outcome comes with the answer; where the session was resumed, with that to the same request sent
 * again; or it is a failure that knows whether the write may have taken effect.
 *
 * <p>As many writes as the session has credits may be under way together: staged one by one by {@link StagedWrites},
 * posted with one doorbell a shard, told apart by their owner's correlations. Their outcomes come in any order and wait
 * in {@link #outcomes}. A write <em>alone</em> is a pipeline of one: the session awaits its outcome, and nothing else
 * is under way.
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
    private final BooleanSupplier isSettled = () -> inFlight() == 0 || isPostable();
    private boolean isHeld;

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

    /** The writes without an outcome. */
    InFlightWrites writes()
    {
        return writes;
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

    /** Whether the attachment is held, so that there may be none for now. */
    boolean isHeld()
    {
        return isHeld;
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

    /** As {@link #await(BooleanSupplier)}, for no longer than until a time either. */
    void await(final BooleanSupplier condition, final long untilNs)
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
    Attachment attached(final long deadlineNs)
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

package org.onesided.client.request;

import org.onesided.client.exceptions.StoreException;
import org.onesided.client.session.RunningOperation;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * The writes of a session that are in flight. Each ends with one outcome: by its answer, by the loss of its session, by
 * its deadline, or by a failure of all. Not thread-safe.
 */
final class InFlightWrites implements RequestSlots.Listener, AnswerListener
{
    /** Longer than any deadline, and sums with one do not overflow. */
    static final long NEVER_NS = Long.MAX_VALUE / 2;

    private final RunningOperation operation;
    private final DoneWrites done;
    private final Outcomes outcomes = new Outcomes();
    private final LoneWrite alone = new LoneWrite();
    private final Requests requests = new Requests(this, this);
    private int count;
    /** No write's deadline is before this. */
    private long firstDeadlineNs;

    /**
     * @param operation that the session carries out.
     * @param done      takes the writes that took effect.
     */
    InFlightWrites(final RunningOperation operation, final DoneWrites done)
    {
        this.operation = operation;
        this.done = done;
    }

    /** The session's requests, which hold the writes. */
    Requests requests()
    {
        return requests;
    }

    /** Outcomes of the writes that are in flight together. */
    Outcomes outcomes()
    {
        return outcomes;
    }

    /** State and outcome of a write alone. */
    LoneWrite alone()
    {
        return alone;
    }

    /** The latest successful write's version; of one whose condition did not hold, the version it met, or 0. */
    long lastVersion()
    {
        return done.version();
    }

    /** What the server computed for the latest successful write. */
    long lastResult()
    {
        return done.result();
    }

    /** Number of writes without an outcome. */
    int count()
    {
        return count;
    }

    /** No write's deadline is before this, a time of {@link System#nanoTime()}; meaningless without writes. */
    long firstDeadlineNs()
    {
        return firstDeadlineNs;
    }

    /** A write was staged that must end at a time. */
    void add(final long deadlineNs)
    {
        firstDeadlineNs = count == 0 || deadlineNs - firstDeadlineNs < 0 ? deadlineNs : firstDeadlineNs;
        count++;
    }

    /** The write alone was staged; {@link #limitAlone} follows. */
    void addAlone()
    {
        count++;
    }

    @Override
    public void onAnswer(
        final RequestSlots slots, final int slot, final WriteAnswerDecoder answer, final long result)
    {
        final long message = slots.messages().address(slot);
        final boolean isDelete = RequestCodec.isDelete(message);
        final Status answered = RequestCodec.status(answer.statusRaw());
        if (answered == Status.OK ||
            answered == Status.NOT_FOUND && (isDelete || RequestCodec.isTouch(message)))
        {
            done.add(slots, slot, answer, result);
            end(slots, slot, RequestCodec.outcome(message, answered == Status.OK), null);
        }
        else if (answered == Status.CONFLICT && RequestCodec.isConditional(message))
        {
            done.conflict(answer);
            end(slots, slot, Outcomes.CONFLICT, null);
        }
        else if (slot == slots.awaited() && (answered == Status.BUSY || answered == Status.PULL_FAILED))
        {
            alone.putOff(answered);
            end(slots, slot, LoneWrite.AGAIN, null);
        }
        else
        {
            end(slots, slot, Outcomes.FAILED,
                WriteFailure.refused(slots, slot, operation.server(), answered));
        }
    }

    @Override
    public void onAnswer(final RequestSlots slots, final int slot, final BatchAnswer answer)
    {
        // What may fail comes before the first put ends: else the message is sent again, and puts end twice.
        final StoreException[] failures = failures(slots, slot, answer);
        long keyHeader = RequestCodec.keyHeader(slots.messages().address(slot));
        for (int put = 0; put < answer.count(); put++)
        {
            if (answer.status(put) == Status.OK)
            {
                done.addJoined(slots, slot, answer, put, RequestCodec.joinedValueLength(keyHeader));
            }
            keyHeader = RequestCodec.nextPut(keyHeader);
        }
        for (int put = 0; put < answer.count(); put++)
        {
            endJoined(slots, slot, put, failures == null ? null : failures[put]);
        }
    }

    /** Failures of the puts of a batch, null for those that are done; null if all are. */
    private StoreException[] failures(final RequestSlots slots, final int slot, final BatchAnswer answer)
    {
        StoreException[] failures = null;
        long keyHeader = RequestCodec.keyHeader(slots.messages().address(slot));
        for (int put = 0; put < answer.count(); put++)
        {
            final Status status = answer.status(put);
            if (status != Status.OK)
            {
                failures = failures == null ? new StoreException[answer.count()] : failures;
                failures[put] = WriteFailure.refusedOfBatch(slots, slot, keyHeader, operation.server(), status);
            }
            keyHeader = RequestCodec.nextPut(keyHeader);
        }
        return failures;
    }

    @Override
    public void onLost(final RequestSlots slots, final int slot)
    {
        if (slot == slots.awaited() && !slots.wasSent(slot))
        {
            // The request was never sent, so it can be staged again.
            end(slots, slot, LoneWrite.AGAIN, null);
        }
        else
        {
            end(slots, slot, Outcomes.FAILED, WriteFailure.lost(slots, slot, operation.server()));
        }
    }

    /** Ends the write alone. It has no outcome only if something other than the store failed. */
    void endAlone()
    {
        if (count > 0)
        {
            final RequestSlots slots = requests.slots();
            count = 0;
            alone.giveUp(slots.awaited() != RequestSlots.NONE && slots.wasSent(slots.awaited()));
            slots.abandonAwaited();
        }
    }

    /** Sets the deadline of the write alone: that of its operation. */
    void limitAlone()
    {
        final RequestSlots slots = requests.slots();
        final int slot = slots.awaited();
        if (slot != RequestSlots.NONE)
        {
            firstDeadlineNs = operation.deadline().atNs();
            slots.correlations().set(slot, 0, firstDeadlineNs);
        }
    }

    /**
     * Fails the writes whose deadline has passed.
     *
     * @param cause  why there is no server, or null.
     * @param reason why nothing more is tried, or null if only the time passed.
     */
    void expire(final StoreException cause, final String reason)
    {
        final long nowNs = System.nanoTime();
        if (count == 0 || nowNs - firstDeadlineNs < 0)
        {
            return;
        }
        final RequestSlots slots = requests.slots();
        long nextNs = nowNs + NEVER_NS;
        for (int slot = 0; slot < slots.count(); slot++)
        {
            if (slots.isPendingWrite(slot))
            {
                final long deadlineNs = slots.correlations().deadlineNs(slot);
                if (deadlineNs - nowNs <= 0)
                {
                    abandon(slots, slot, failure(cause, reason, slots, slot));
                }
                else if (deadlineNs - nextNs < 0)
                {
                    nextNs = deadlineNs;
                }
            }
        }
        firstDeadlineNs = nextNs;
    }

    private StoreException failure(
        final StoreException cause, final String reason, final RequestSlots slots, final int slot)
    {
        final String server = operation.server();
        return cause != null ? WriteFailure.of(cause, slots, slot) :
            operation.isClosing() ? WriteFailure.closed(slots, slot, server) :
            WriteFailure.late(slots, slot, server, reason);
    }

    /** Fails all writes. */
    void failAll(final StoreException cause)
    {
        final RequestSlots slots = requests.slots();
        for (int slot = 0; slot < slots.count(); slot++)
        {
            if (slots.isPendingWrite(slot))
            {
                abandon(slots, slot, WriteFailure.of(cause, slots, slot));
            }
        }
    }

    private void abandon(final RequestSlots slots, final int slot, final StoreException reason)
    {
        alone.giveUp(slots.wasSent(slot));
        end(slots, slot, Outcomes.FAILED, reason);
        slots.abandon(slot);
    }

    /** The write in a slot has its outcome. */
    private void end(final RequestSlots slots, final int slot, final byte ended, final StoreException reason)
    {
        // The puts of a batch fail together, by one reason.
        for (int put = 1; put < slots.correlations().puts(slot); put++)
        {
            endJoined(slots, slot, put, reason);
        }
        count--;
        if (slot == slots.awaited())
        {
            alone.end(ended, reason);
        }
        else
        {
            final boolean isComputed = ended == Outcomes.INCREMENTED || ended == Outcomes.APPENDED;
            final boolean hasVersion = isComputed || ended == Outcomes.PUT || ended == Outcomes.CONFLICT;
            outcomes.add(slots.correlations().of(slot), ended, slots.tableId(), hasVersion ? done.version() : 0,
                isComputed ? done.result() : 0, reason);
        }
    }

    /** One of the puts of a batch has its outcome. */
    private void endJoined(
        final RequestSlots slots, final int slot, final int put, final StoreException reason)
    {
        count--;
        outcomes.add(slots.correlations().of(slot, put), reason == null ? Outcomes.PUT : Outcomes.FAILED,
            slots.tableId(), 0, 0, reason);
    }
}

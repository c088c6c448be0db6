package org.onesided.client;

import java.lang.ref.Reference;
import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.read.AsyncGets;
import org.onesided.client.read.AsyncTtls;
import org.onesided.client.request.Outcomes;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.SessionWrites;
import org.onesided.client.request.StagedWrites;
import org.onesided.client.request.ValueLength;
import org.onesided.client.request.WriteTerms;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.MutableVersion;

/**
 * Takes operations of an asynchronous view into flight: checks them, copies key and value, and stages or collects them.
 * Each method tells whether there was room; if not, it has done nothing. Each operation has a deadline of its own, a
 * time of {@link System#nanoTime()}. For the session's one thread; without allocating.
 */
final class AsyncIntake
{
    private final SessionCore core;
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final SessionWrites writes;
    private final RequestEngine engine;
    private final StagedWrites staged;
    private final AsyncGets gets;
    private final AsyncTtls ttls;
    private final AsyncEnds ends;
    private final MutableVersion version = new MutableVersion();
    private boolean isDelivering;
    private boolean isClosed;

    /**
     * @param engine of the session.
     * @param staged writes of the view.
     * @param writes of the session, for values that are longer than a message.
     * @param gets   collects lookups.
     * @param ttls   collects questions for a key's time.
     * @param ends   counts what is in flight.
     */
    AsyncIntake(
        final SessionCore core,
        final RequestEngine engine,
        final StagedWrites staged,
        final SessionWrites writes,
        final AsyncGets gets,
        final AsyncTtls ttls,
        final AsyncEnds ends)
    {
        this.core = core;
        operation = core.operation();
        reconnector = core.reconnector();
        this.engine = engine;
        this.staged = staged;
        this.writes = writes;
        this.gets = gets;
        this.ttls = ttls;
        this.ends = ends;
    }

    /** From here on the listener is told of ends or not: meanwhile it may begin operations. */
    void deliver(final boolean isTelling)
    {
        isDelivering = isTelling;
    }

    /** Refuses all operations from here on. */
    void close()
    {
        isClosed = true;
    }

    boolean get(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.GET, key, keyOffset, keyLength);
        return ends.countIf(gets.add(key, keyOffset, keyLength, correlation, deadlineNs));
    }

    boolean put(
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final DirectBuffer value,
        final int valueOffset,
        final int valueLength,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.PUT, key, keyOffset, keyLength);
        value.boundsCheck(valueOffset, valueLength);
        ValueLength.check(Operation.PUT, valueLength, reconnector.server());
        useKey(Operation.PUT, key, keyOffset, keyLength);
        final Object base = value.byteArray();
        final long offset = value.addressOffset() + valueOffset;
        final boolean isTaken = engine.requests().fits(terms, keyLength, valueLength) ?
            staged.tryStagePut(terms, base, offset, valueLength, correlation, deadlineNs) :
            putAlone(terms, keyLength, base, offset, valueLength, correlation, deadlineNs);
        Reference.reachabilityFence(value);
        return ends.countIf(isTaken);
    }

    boolean delete(
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.DELETE, key, keyOffset, keyLength);
        useKey(Operation.DELETE, key, keyOffset, keyLength);
        return ends.countIf(staged.tryStageDelete(terms, correlation, deadlineNs));
    }

    boolean increment(
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long delta,
        final long initial,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.INCREMENT, key, keyOffset, keyLength);
        useKey(Operation.INCREMENT, key, keyOffset, keyLength);
        return ends.countIf(staged.tryStageIncrement(terms, delta, initial, correlation, deadlineNs));
    }

    boolean append(
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final DirectBuffer value,
        final int valueOffset,
        final int valueLength,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.APPEND, key, keyOffset, keyLength);
        value.boundsCheck(valueOffset, valueLength);
        ValueLength.checkAppended(valueLength, reconnector.server());
        useKey(Operation.APPEND, key, keyOffset, keyLength);
        final boolean isTaken = staged.tryStageAppend(
            terms, value.byteArray(), value.addressOffset() + valueOffset, valueLength, correlation, deadlineNs);
        Reference.reachabilityFence(value);
        return ends.countIf(isTaken);
    }

    boolean touch(
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.TOUCH, key, keyOffset, keyLength);
        useKey(Operation.TOUCH, key, keyOffset, keyLength);
        return ends.countIf(staged.tryStageTouch(terms, correlation, deadlineNs));
    }

    boolean ttl(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.TTL, key, keyOffset, keyLength);
        return ends.countIf(ttls.add(key, keyOffset, keyLength, correlation, deadlineNs));
    }

    private void check(final String name, final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        if (!isDelivering)
        {
            operation.checkIdle(name);
        }
        operation.checkOpen(name);
        if (isClosed)
        {
            throw new StoreClosedException(
                "session was closed, open another", FailureContext.unsent(name, operation.server()));
        }
        operation.checkedKeyLength(name, keyLength);
        key.boundsCheck(keyOffset, keyLength);
    }

    private void useKey(final String name, final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        operation.key(key.byteArray(), key.addressOffset() + keyOffset, keyLength);
        operation.next(name, keyLength);
    }

    private boolean putAlone(
        final WriteTerms terms,
        final int keyLength,
        final Object base,
        final long offset,
        final int length,
        final long correlation,
        final long deadlineNs)
    {
        if (isDelivering)
        {
            return false;
        }
        operation.beginAsync(Operation.PUT);
        try
        {
            engine.settle();
            operation.next(Operation.PUT, keyLength);
            operation.deadline().at(deadlineNs);
            reconnector.checkDeadline("deadline passed before it could be sent", WriteFate.NOT_APPLIED);
            final boolean isApplied = writes.put(terms, base, offset, length, version);
            engine.addOutcome(correlation, isApplied ? Outcomes.PUT : Outcomes.CONFLICT, version.tableId(),
                version.number(), null);
        }
        catch (final StoreException e)
        {
            engine.addOutcome(correlation, Outcomes.FAILED, 0, 0, e);
        }
        finally
        {
            core.endOperation();
        }
        return true;
    }
}

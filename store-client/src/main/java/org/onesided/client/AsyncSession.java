package org.onesided.client;

import java.lang.ref.Reference;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.read.AsyncGets;
import org.onesided.client.read.SessionGets;
import org.onesided.client.request.Outcomes;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.SessionWrites;
import org.onesided.client.request.ValueLength;
import org.onesided.client.request.WriteTerms;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;

/**
 * A session's operations without waiting: begun one by one, carried out together, told to a listener. Made by
 * {@link StoreSession#async}, for the same one thread as the session, and without allocating.
 *
 * <pre>{@code
 * AsyncSession async = session.async(listener);
 * while (!async.put(key, 0, keyLength, value, 0, valueLength, 17))
 * {
 *     async.poll();
 * }
 * async.drain();
 * }</pre>
 *
 * <p>An operation is begun by its method, which copies key and value and gives back {@code false}, having done nothing,
 * when too many are in flight: then {@link #poll} first. Writes are sent by the next poll, all to one shard with one
 * doorbell, and are bounded by the session's credits at that shard. Lookups are carried out by the next poll, their
 * READs together; at most 64 of them are collected. A value longer than a message is put within the call, after the
 * writes before it.
 *
 * <p>Between operations in flight together <em>no order</em> is promised, but that writes of one key take effect in the
 * order in which they were begun. Each operation has the client's deadline, counted from its beginning; it is told of
 * its end within that time if the view is polled often enough. While the server is lost a poll may take as long, since
 * it reconnects. What is wrong with the arguments is thrown at once; all else goes to the listener. While operations
 * are in flight the session's own methods throw {@link IllegalStateException}: {@link #drain} first.
 */
public final class AsyncSession
{
    private final SessionCore core;
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final SessionWrites writes;
    private final RequestEngine engine;
    private final Outcomes outcomes;
    private final AsyncGets gets;
    private final AsyncListener listener;
    private final BooleanSupplier isReady;
    private final BooleanSupplier hasRoom;
    private final MutableVersion version = new MutableVersion();
    private boolean isDelivering;
    private boolean isClosed;
    private int inFlight;
    private int delivered;
    private RuntimeException thrown;

    /**
     * @param hasMore whether there is more to begin, so that waiting ends; asked by this thread.
     */
    AsyncSession(
        final SessionCore core,
        final RequestEngine engine,
        final SessionGets gets,
        final SessionWrites writes,
        final AsyncListener listener,
        final BooleanSupplier hasMore)
    {
        this.core = core;
        operation = core.operation();
        reconnector = core.reconnector();
        this.writes = writes;
        this.listener = listener;
        this.engine = engine;
        outcomes = engine.outcomes();
        isReady = () -> engine.isReady() || hasMore.getAsBoolean();
        hasRoom = () -> isReady.getAsBoolean() || engine.hasRoom();
        this.gets = new AsyncGets(core, gets, new AsyncGets.Listener()
        {
            @Override
            public void onValue(final long correlation, final DirectBuffer value)
            {
                tellValue(correlation, value);
            }

            @Override
            public void onFailure(final long correlation, final StoreException failure)
            {
                tellFailure(correlation, failure);
            }
        });
    }

    /**
     * Begins a lookup.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean get(final DirectBuffer key, final int keyOffset, final int keyLength, final long correlation)
    {
        return get(key, keyOffset, keyLength, correlation, operation.newDeadlineNs());
    }

    boolean get(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.GET, key, keyOffset, keyLength);
        return countIf(gets.add(key, keyOffset, keyLength, correlation, deadlineNs));
    }

    /**
     * Begins a put.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes; longer than a message, it is not begun within a call to the listener.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean put(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final DirectBuffer value,
        final int valueOffset,
        final int valueLength,
        final long correlation)
    {
        return put(
            key, keyOffset, keyLength, value, valueOffset, valueLength, PutOptions.NONE, correlation,
            operation.newDeadlineNs());
    }

    /**
     * Begins a put under a condition and with a time when the key expires.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes; longer than a message, it is not begun within a call to the listener.
     * @param options     condition and time; if it has a condition, the listener has {@link AsyncListener#onConflict}.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean put(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final DirectBuffer value,
        final int valueOffset,
        final int valueLength,
        final PutOptions options,
        final long correlation)
    {
        return put(key, keyOffset, keyLength, value, valueOffset, valueLength, options, correlation,
            operation.newDeadlineNs());
    }

    boolean put(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final DirectBuffer value,
        final int valueOffset,
        final int valueLength,
        final PutOptions options,
        final long correlation,
        final long deadlineNs)
    {
        final WriteTerms terms = WriteTerms.of(options);
        check(Operation.PUT, key, keyOffset, keyLength);
        value.boundsCheck(valueOffset, valueLength);
        ValueLength.check(Operation.PUT, valueLength, reconnector.server());
        useKey(Operation.PUT, key, keyOffset, keyLength);
        final Object base = value.byteArray();
        final long offset = value.addressOffset() + valueOffset;
        final boolean isTaken = engine.fits(terms, keyLength, valueLength) ?
            engine.tryStagePut(terms, base, offset, valueLength, correlation, deadlineNs) :
            putAlone(terms, keyLength, base, offset, valueLength, correlation, deadlineNs);
        Reference.reachabilityFence(value);
        return countIf(isTaken);
    }

    /**
     * Begins a delete.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength, final long correlation)
    {
        return delete(key, keyOffset, keyLength, correlation, operation.newDeadlineNs());
    }

    boolean delete(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        check(Operation.DELETE, key, keyOffset, keyLength);
        useKey(Operation.DELETE, key, keyOffset, keyLength);
        return countIf(engine.tryStageDelete(correlation, deadlineNs));
    }

    /**
     * Sends what was begun, carries lookups out, and tells the listener of all that has ended by then. It waits for
     * READs, and for the server while that is lost, but not for answers to writes.
     *
     * @return of how many operations the listener was told.
     */
    public int poll()
    {
        delivered = 0;
        operation.beginAsync(Operation.POLL);
        try
        {
            engine.progress();
            deliver(true);
        }
        finally
        {
            core.endOperation();
        }
        rethrow();
        return delivered;
    }

    /**
     * Polls, and waits as the client was told to, until nothing is in flight: at most until the last deadline.
     */
    public void drain()
    {
        while (inFlight > 0)
        {
            if (poll() == 0)
            {
                await();
            }
        }
    }

    /**
     * @return operations that were begun and that the listener was not told of yet.
     */
    public int inFlight()
    {
        return inFlight;
    }

    private void deliver(final boolean isOpen)
    {
        isDelivering = true;
        engine.holdAttachment(true);
        try
        {
            if (isOpen)
            {
                gets.run();
            }
            else
            {
                gets.close(new StoreClosedException(
                    "session was closed", FailureContext.unsent(Operation.GET, operation.server())));
            }
            // The listener may block, and the session looks at what is retired before its next READ.
            core.reconnector().pauseReads();
            tellOutcomes();
        }
        finally
        {
            isDelivering = false;
            engine.holdAttachment(false);
        }
    }

    /** Waits until a write has ended, or there is more to begin. */
    void await()
    {
        if (gets.collected() == 0 && inFlight > 0)
        {
            operation.beginAsync(Operation.POLL);
            try
            {
                engine.await(isReady);
            }
            finally
            {
                core.endOperation();
            }
        }
    }

    /** As {@link #await}, also until there is room for the last refused write, or its deadline. */
    void awaitRoom()
    {
        if (gets.collected() == 0)
        {
            operation.beginAsync(Operation.POLL);
            try
            {
                engine.awaitRoom(hasRoom);
            }
            finally
            {
                core.endOperation();
            }
        }
    }

    /** Fails operations in flight and reports them to the listener, before the session closes. */
    void close()
    {
        if (inFlight > 0)
        {
            operation.checkIdle("close");
            engine.close();
            isClosed = true;
            deliver(false);
            rethrow();
        }
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

    private boolean countIf(final boolean isTaken)
    {
        if (isTaken)
        {
            operation.asyncInFlight(++inFlight);
        }
        return isTaken;
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

    private void tellOutcomes()
    {
        // Without the outcomes that the listener's own operations add.
        for (int i = outcomes.count(); i > 0; i--)
        {
            outcomes.takeNext();
            final long correlation = outcomes.correlation();
            version.set(outcomes.tableId(), outcomes.version());
            try
            {
                switch (outcomes.kind())
                {
                    case Outcomes.PUT -> listener.onPut(correlation, version);
                    case Outcomes.CONFLICT -> listener.onConflict(correlation, version);
                    case Outcomes.DELETED -> listener.onDelete(correlation, true);
                    case Outcomes.ABSENT -> listener.onDelete(correlation, false);
                    default -> listener.onFailure(correlation, outcomes.failure());
                }
            }
            catch (final RuntimeException e)
            {
                remember(e);
            }
            finally
            {
                told();
            }
        }
    }

    private void tellValue(final long correlation, final DirectBuffer value)
    {
        try
        {
            listener.onValue(correlation, value);
        }
        catch (final RuntimeException e)
        {
            remember(e);
        }
        finally
        {
            told();
        }
    }

    private void tellFailure(final long correlation, final StoreException failure)
    {
        try
        {
            listener.onFailure(correlation, failure);
        }
        catch (final RuntimeException e)
        {
            remember(e);
        }
        finally
        {
            told();
        }
    }

    private void told()
    {
        delivered++;
        operation.asyncInFlight(--inFlight);
    }

    private void remember(final RuntimeException e)
    {
        if (thrown == null)
        {
            thrown = e;
        }
        else if (thrown != e)
        {
            thrown.addSuppressed(e);
        }
    }

    private void rethrow()
    {
        if (thrown != null)
        {
            final RuntimeException e = thrown;
            thrown = null;
            throw e;
        }
    }
}

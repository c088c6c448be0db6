package org.onesided.client;

import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.read.AsyncGets;
import org.onesided.client.read.AsyncTtls;
import org.onesided.client.read.SessionGets;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.SessionWrites;
import org.onesided.client.request.StagedWrites;
import org.onesided.client.request.WriteTerms;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;

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
 * READs together; at most 64 of them are collected, and 64 questions for a key's time, which it asks one after another.
 * A value longer than a message is put within the call, after the writes before it.
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
    private final RequestEngine engine;
    private final StagedWrites staged;
    private final AsyncGets gets;
    private final AsyncTtls ttls;
    private final AsyncEnds ends;
    private final AsyncIntake intake;
    private final BooleanSupplier isReady;
    private final BooleanSupplier hasRoom;

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
        this.engine = engine;
        staged = new StagedWrites(operation, core.reconnector(), engine);
        isReady = () -> engine.isReady() || hasMore.getAsBoolean();
        hasRoom = () -> isReady.getAsBoolean() || staged.hasRoom();
        ends = new AsyncEnds(operation, engine.outcomes(), listener);
        this.gets = new AsyncGets(core, gets, ends);
        ttls = new AsyncTtls(core, engine, ends);
        intake = new AsyncIntake(core, engine, staged, writes, this.gets, ttls, ends);
    }

    /** Begins operations, with deadlines of their own. */
    AsyncIntake intake()
    {
        return intake;
    }

    /**
     * Begins a lookup. A listener that wants the value's version overrides {@link AsyncListener#onValue(long,
     * DirectBuffer, MutableVersion)}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean get(final DirectBuffer key, final int keyOffset, final int keyLength, final long correlation)
    {
        return intake.get(key, keyOffset, keyLength, correlation, operation.newDeadlineNs());
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
        return intake.put(
            WriteTerms.PLAIN, key, keyOffset, keyLength, value, valueOffset, valueLength, correlation,
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
        return intake.put(
            WriteTerms.of(options), key, keyOffset, keyLength, value, valueOffset, valueLength, correlation,
            operation.newDeadlineNs());
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
        return intake.delete(WriteTerms.PLAIN, key, keyOffset, keyLength, correlation, operation.newDeadlineNs());
    }

    /**
     * Begins a delete under the condition that nobody has changed the value that was looked up. If the condition does
     * not hold, the listener is told by {@link AsyncListener#onConflict}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param expected    version that the key has to have.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean deleteIfVersion(
        final DirectBuffer key, final int keyOffset, final int keyLength, final Version expected,
        final long correlation)
    {
        return intake.delete(
            WriteTerms.ofDelete(expected), key, keyOffset, keyLength, correlation, operation.newDeadlineNs());
    }

    /**
     * Begins an addition to a key's number, as {@link StoreSession#increment(byte[], long, long)}. The listener is told
     * the new one by {@link AsyncListener#onIncrement}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param delta       to add; may be negative.
     * @param initial     number to which it is added if the key is absent.
     * @param expiry      what becomes of the key's time; {@link Expiry#KEEP} as without it.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean increment(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long delta,
        final long initial,
        final Expiry expiry,
        final long correlation)
    {
        return intake.increment(
            WriteTerms.of(expiry), key, keyOffset, keyLength, delta, initial, correlation, operation.newDeadlineNs());
    }

    /**
     * Begins an addition to the end of a key's value, as {@link StoreSession#append(byte[], byte[])}. The listener is
     * told the new length by {@link AsyncListener#onAppend}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the bytes to add, which are copied.
     * @param valueOffset of these in their buffer.
     * @param valueLength up to 4096 bytes; with the key, they must fit into a message of the server.
     * @param expiry      what becomes of the key's time; {@link Expiry#KEEP} as without it.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean append(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final DirectBuffer value,
        final int valueOffset,
        final int valueLength,
        final Expiry expiry,
        final long correlation)
    {
        return intake.append(
            WriteTerms.of(expiry), key, keyOffset, keyLength, value, valueOffset, valueLength, correlation,
            operation.newDeadlineNs());
    }

    /**
     * Begins a change of the time when a key expires. The listener is told by {@link AsyncListener#onTouch}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param expiry      {@link Expiry#NEVER}, {@link Expiry#after} or {@link Expiry#at}.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     * @throws IllegalArgumentException for another expiry.
     */
    public boolean touch(
        final DirectBuffer key, final int keyOffset, final int keyLength, final Expiry expiry, final long correlation)
    {
        return intake.touch(
            WriteTerms.ofTouch(expiry), key, keyOffset, keyLength, correlation, operation.newDeadlineNs());
    }

    /**
     * Begins a question until when a key lives. The next poll asks the server, one question after another, and the
     * listener is told by {@link AsyncListener#onTtl}. Each answer is allocated.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param correlation given back to the listener.
     * @return whether it was begun; if not, poll first.
     */
    public boolean ttl(final DirectBuffer key, final int keyOffset, final int keyLength, final long correlation)
    {
        return intake.ttl(key, keyOffset, keyLength, correlation, operation.newDeadlineNs());
    }

    /**
     * Sends what was begun, carries lookups out, and tells the listener of all that has ended by then. It waits for
     * READs, and for the server while that is lost, but not for answers to writes.
     *
     * @return of how many operations the listener was told.
     */
    public int poll()
    {
        ends.beginTurn();
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
        ends.rethrow();
        return ends.delivered();
    }

    /**
     * Polls, and waits as the client was told to, until nothing is in flight: at most until the last deadline.
     */
    public void drain()
    {
        while (ends.inFlight() > 0)
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
        return ends.inFlight();
    }

    private void deliver(final boolean isOpen)
    {
        intake.deliver(true);
        engine.holdAttachment(true);
        try
        {
            if (isOpen)
            {
                gets.run();
                ttls.run();
            }
            else
            {
                gets.close(new StoreClosedException(
                    "session was closed", FailureContext.unsent(Operation.GET, operation.server())));
                ttls.close(new StoreClosedException(
                    "session was closed", FailureContext.unsent(Operation.TTL, operation.server())));
            }
            // The listener may block, and the session looks at what is retired before its next READ.
            core.reconnector().pauseReads();
            ends.tellWrites();
        }
        finally
        {
            intake.deliver(false);
            engine.holdAttachment(false);
        }
    }

    /** Whether there is something for the next poll to carry out. */
    private boolean hasCollected()
    {
        return gets.collected() > 0 || ttls.collected() > 0;
    }

    /** Waits until a write has ended, or there is more to begin. */
    void await()
    {
        if (!hasCollected() && ends.inFlight() > 0)
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
        if (!hasCollected())
        {
            operation.beginAsync(Operation.POLL);
            try
            {
                staged.awaitRoom(hasRoom);
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
        if (ends.inFlight() > 0)
        {
            operation.checkIdle("close");
            engine.close();
            intake.close();
            deliver(false);
            ends.rethrow();
        }
    }
}

package org.onesided.client.callback;

import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.PutOptions;

/**
 * An operation on its way from its caller to the thread that carries it out, and back. Until that thread has
 * <em>taken</em> it, its caller may end it as one that never began. Once it has <em>ended</em>, it is to be
 * <em>told</em>, outside of all code of the session, since callbacks run then. It is told once, by whoever is first.
 * Thread-safe, but for {@link #take}, {@link #end} and {@link #expire}, which exclude each other.
 */
public final class AsyncOperation
{
    /** Receives the end of an operation. */
    public interface Completion
    {
        /**
         * @param result  of a lookup a {@code byte[]}, or null; of a delete, touch or question whether a key is there
         *                a {@code Boolean}; of an increment or append a {@code VersionedValue}; of a question for a
         *                key's time a {@code TimeToLive}, or null; null of a put. With options, a {@code
         *                VersionedValue} of a lookup, or null; a {@code WriteOutcome} of a put or delete.
         * @param failure null if it succeeded.
         */
        void complete(Object result, StoreException failure);
    }

    private static final int QUEUED = 0;
    private static final int TAKEN = 1;
    private static final int ENDED = 2;
    private static final int TOLD = 3;

    private final String name;
    private final byte[] key;
    private final byte[] value;
    private final PutOptions options;
    private final long delta;
    private final long initial;
    private final long deadlineNs;
    private final Completion completion;
    private final AtomicInteger state = new AtomicInteger(QUEUED);
    private Object result;
    private StoreException failure;

    /**
     * @param name       {@link Operation#GET}, {@link Operation#PUT} or {@link Operation#DELETE}.
     * @param key        that it is about.
     * @param value      of a put, or null.
     * @param deadlineNs when it must end, a time of {@link System#nanoTime()}.
     * @param completion is told its end.
     */
    public AsyncOperation(
        final String name, final byte[] key, final byte[] value, final long deadlineNs, final Completion completion)
    {
        this(name, key, value, null, 0, 0, deadlineNs, completion);
    }

    /**
     * @param name       also {@link Operation#INCREMENT}, {@link Operation#APPEND}, {@link Operation#TOUCH}, {@link
     *                   Operation#TTL} or {@link Operation#CONTAINS}.
     * @param key        that it is about.
     * @param value      of a put or append, or null.
     * @param options    condition and time of a write, or null for none; of a lookup, not null if its result is to tell
     *                   the version.
     * @param delta      of an increment, or 0.
     * @param initial    of an increment, or 0.
     * @param deadlineNs when it must end, a time of {@link System#nanoTime()}.
     * @param completion is told its end.
     */
    public AsyncOperation(
        final String name,
        final byte[] key,
        final byte[] value,
        final PutOptions options,
        final long delta,
        final long initial,
        final long deadlineNs,
        final Completion completion)
    {
        this.name = name;
        this.key = key;
        this.value = value;
        this.options = options;
        this.delta = delta;
        this.initial = initial;
        this.deadlineNs = deadlineNs;
        this.completion = completion;
    }

    /**
     * @return its name, one of {@link Operation}.
     */
    public String name()
    {
        return name;
    }

    /**
     * @return the key that it is about.
     */
    public byte[] key()
    {
        return key;
    }

    /**
     * @return the value of a put, or the bytes of an append, or null.
     */
    public byte[] value()
    {
        return value;
    }

    /**
     * @return condition and time of a write, or null; not null for a lookup that is to tell the version.
     */
    public PutOptions options()
    {
        return options;
    }

    /**
     * @return what an increment adds.
     */
    public long delta()
    {
        return delta;
    }

    /**
     * @return the number to which an increment adds if the key is absent.
     */
    public long initial()
    {
        return initial;
    }

    /**
     * @return when it must end, a time of {@link System#nanoTime()}.
     */
    public long deadlineNs()
    {
        return deadlineNs;
    }

    /**
     * @return whether it changes nothing.
     */
    public boolean isLookup()
    {
        return name.equals(Operation.GET) || name.equals(Operation.CONTAINS) || name.equals(Operation.TTL);
    }

    /**
     * @return whether its deadline has passed.
     */
    public boolean isLate()
    {
        return deadlineNs - System.nanoTime() <= 0;
    }

    /**
     * Takes it for the thread that carries it out.
     *
     * @return whether that may begin it: its caller has not ended it.
     */
    public boolean take()
    {
        return state.compareAndSet(QUEUED, TAKEN);
    }

    /**
     * Ends it as one that never began, unless it was taken, and tells so.
     *
     * @param reason why it never began.
     */
    public void failUntaken(final StoreException reason)
    {
        if (state.compareAndSet(QUEUED, TOLD))
        {
            completion.complete(null, reason);
        }
    }

    /**
     * Notes its end, once taken.
     *
     * @param value  it came to, or null.
     * @param reason of its failure, or null.
     * @return whether it is to be told: it was not told an earlier one.
     */
    public boolean end(final Object value, final StoreException reason)
    {
        if (state.get() != TAKEN)
        {
            return false;
        }
        result = value;
        failure = reason;
        return state.compareAndSet(TAKEN, ENDED);
    }

    /**
     * Ends it, though its thread may be at it still, unless it has ended.
     *
     * @param reason of its failure.
     * @return whether it is to be told.
     */
    public boolean expire(final StoreException reason)
    {
        return (take() || state.get() == TAKEN) && end(null, reason);
    }

    /**
     * Tells its end in place of the thread that carries it out, unless it was told. That thread may be at it still, or
     * have ended it and be at others. Callbacks run within this call, and may block.
     *
     * @param untaken why it failed, if it was not taken.
     * @param taken   why it failed, if it was.
     */
    public void giveUp(final StoreException untaken, final StoreException taken)
    {
        failUntaken(untaken);
        if (state.compareAndSet(TAKEN, TOLD))
        {
            completion.complete(null, taken);
        }
        tell();
    }

    /** Tells the operation's end, once. Callbacks run within this call, and may block. */
    void tell()
    {
        if (state.compareAndSet(ENDED, TOLD))
        {
            completion.complete(result, failure);
        }
    }

    /**
     * @return whether its end was told.
     */
    public boolean isTold()
    {
        return state.get() == TOLD;
    }
}

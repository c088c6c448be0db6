package org.onesided.client;

import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;

/**
 * An operation on its way from its caller to the thread that carries it out, and back. Until that thread has
 * <em>taken</em> it, its caller may end it as one that never began. Once it has <em>ended</em>, it is to be
 * <em>told</em>, outside of all code of the session, since callbacks run then. It is told once, by whoever is first.
 * Thread-safe, but for {@link #take}, {@link #end} and {@link #expire}, which exclude each other.
 */
final class AsyncOperation
{
    /** Gets the end of an operation. */
    interface Completion
    {
        /**
         * @param result  a {@code byte[]} or null of a lookup, a {@code Boolean} of a delete, null of a put.
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
    private final long deadlineNs;
    private final Completion completion;
    private final AtomicInteger state = new AtomicInteger(QUEUED);
    private Object result;
    private StoreException failure;

    /**
     * @param name  {@link Operation#GET}, {@link Operation#PUT} or {@link Operation#DELETE}.
     * @param value of a put, or null.
     */
    AsyncOperation(
        final String name, final byte[] key, final byte[] value, final long deadlineNs, final Completion completion)
    {
        this.name = name;
        this.key = key;
        this.value = value;
        this.deadlineNs = deadlineNs;
        this.completion = completion;
    }

    String name()
    {
        return name;
    }

    byte[] key()
    {
        return key;
    }

    byte[] value()
    {
        return value;
    }

    long deadlineNs()
    {
        return deadlineNs;
    }

    boolean isLookup()
    {
        return name.equals(Operation.GET);
    }

    boolean isLate()
    {
        return deadlineNs - System.nanoTime() <= 0;
    }

    /** Whether the thread that carries it out may begin it: its caller has not ended it. */
    boolean take()
    {
        return state.compareAndSet(QUEUED, TAKEN);
    }

    /** Ends it as one that never began, unless it was taken, and tells so. */
    void failUntaken(final StoreException reason)
    {
        if (state.compareAndSet(QUEUED, TOLD))
        {
            completion.complete(null, reason);
        }
    }

    /** Notes its end, once taken; whether it is to be told: it was not told an earlier one. */
    boolean end(final Object value, final StoreException reason)
    {
        if (state.get() != TAKEN)
        {
            return false;
        }
        result = value;
        failure = reason;
        return state.compareAndSet(TAKEN, ENDED);
    }

    /** Ends it, though its thread may be at it still, unless it has ended; it is to be told then. */
    boolean expire(final StoreException reason)
    {
        return (take() || state.get() == TAKEN) && end(null, reason);
    }

    /** Tells its end, unless somebody did. Callbacks run within this call, and may block. */
    void tell()
    {
        if (state.compareAndSet(ENDED, TOLD))
        {
            completion.complete(result, failure);
        }
    }

    boolean isTold()
    {
        return state.get() == TOLD;
    }
}

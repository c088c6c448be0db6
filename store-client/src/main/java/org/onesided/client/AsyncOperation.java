package org.onesided.client;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An operation on its way from its caller to the thread that carries it out, and its end, which is told once. Until the
 * thread has <em>taken</em> it, its caller may end it as one that never began; then only the thread knows what became
 * of it. Thread-safe.
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

    private final String name;
    private final byte[] key;
    private final byte[] value;
    private final long deadlineNs;
    private final Completion completion;
    private final AtomicInteger state = new AtomicInteger(QUEUED);

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

    /** Ends it as one that never began, unless it was taken. */
    void failUntaken(final StoreException failure)
    {
        if (state.compareAndSet(QUEUED, ENDED))
        {
            completion.complete(null, failure);
        }
    }

    /** Ends it, once taken. */
    void succeed(final Object result)
    {
        if (state.compareAndSet(TAKEN, ENDED))
        {
            completion.complete(result, null);
        }
    }

    /** Ends it, once taken. */
    void fail(final StoreException failure)
    {
        if (state.compareAndSet(TAKEN, ENDED))
        {
            completion.complete(null, failure);
        }
    }
}

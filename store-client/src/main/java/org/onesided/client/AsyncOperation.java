package org.onesided.client;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An operation on its way from its caller to the thread that carries it out, and its end: told once, whoever comes to
 * it first. Thread-safe.
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

    private final String name;
    private final byte[] key;
    private final byte[] value;
    private final long deadlineNs;
    private final Completion completion;
    private final AtomicBoolean hasEnded = new AtomicBoolean();

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

    void succeed(final Object result)
    {
        if (hasEnded.compareAndSet(false, true))
        {
            completion.complete(result, null);
        }
    }

    void fail(final StoreException failure)
    {
        if (hasEnded.compareAndSet(false, true))
        {
            completion.complete(null, failure);
        }
    }
}

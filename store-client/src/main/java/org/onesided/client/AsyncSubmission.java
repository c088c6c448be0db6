package org.onesided.client;

import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ServerInfo;

/**
 * Hands operations to those who carry them out, with one deadline for each. Thread-safe.
 */
abstract class AsyncSubmission
{
    private final long durationNs;

    /** @param durationNs nanoseconds that an operation may take. */
    AsyncSubmission(final long durationNs)
    {
        this.durationNs = durationNs;
    }

    /** Nanoseconds that an operation may take. */
    final long durationNs()
    {
        return durationNs;
    }

    /** When an operation that begins now must end, a time of {@link System#nanoTime()}. */
    final long deadlineNs()
    {
        return System.nanoTime() + durationNs;
    }

    /** The same with another time for each operation, in nanoseconds. */
    abstract AsyncSubmission within(long otherNs);

    /** Hands an operation over; its parameters are those of {@link AsyncOperation}. */
    abstract void submit(
        String name,
        byte[] key,
        byte[] value,
        PutOptions options,
        long delta,
        long initial,
        long deadlineNs,
        AsyncOperation.Completion completion);

    /** The server, with its limits. */
    abstract ServerInfo server();

    /** What failures name as the server. */
    abstract String address();
}

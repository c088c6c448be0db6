package org.onesided.client;

import java.util.concurrent.atomic.AtomicLong;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.PutOptions;

/**
 * Hands operations to the thread that carries them out, with one deadline for each. Thread-safe.
 *
 * <p>That thread may wait for a lost server until the deadline of the operation that it is at. Those behind it have no
 * earlier one, unless views of the client have different deadlines: then {@link AsyncDeadlines} looks after operations
 * with less than the longest, of those before the longest view, too.
 */
final class AsyncSubmission
{
    private final AsyncWorker worker;
    private final long durationNs;
    /** The longest time of a view of this client so far. */
    private final AtomicLong longestNs;

    /**
     * With the client's own deadline.
     */
    AsyncSubmission(final ClientContext context, final AsyncWorker worker)
    {
        this(worker, context.configuration().deadlineNs(), new AtomicLong());
    }

    private AsyncSubmission(final AsyncWorker worker, final long durationNs, final AtomicLong longestNs)
    {
        this.worker = worker;
        this.durationNs = durationNs;
        this.longestNs = longestNs;
        final long beforeNs = longestNs.getAndAccumulate(durationNs, Math::max);
        if (beforeNs > 0 && beforeNs < durationNs)
        {
            worker.watchQueued();
        }
    }

    /** The same with another time for each operation, in nanoseconds. */
    AsyncSubmission within(final long otherNs)
    {
        return new AsyncSubmission(worker, otherNs, longestNs);
    }

    /** When an operation that begins now must end, a time of {@link System#nanoTime()}. */
    long deadlineNs()
    {
        return System.nanoTime() + durationNs;
    }

    /** Hands an operation over; its parameters are those of {@link AsyncOperation}. */
    void submit(
        final String name,
        final byte[] key,
        final byte[] value,
        final PutOptions options,
        final long delta,
        final long initial,
        final long deadlineNs,
        final AsyncOperation.Completion completion)
    {
        final AsyncOperation operation =
            new AsyncOperation(name, key, value, options, delta, initial, deadlineNs, completion);
        final boolean isWatched = isShort();
        if (isWatched)
        {
            worker.deadlines().add(operation);
        }
        worker.submit(operation);
        if (!isWatched && isShort())
        {
            // Another thread has made a view with more time meanwhile.
            worker.deadlines().add(operation);
        }
    }

    private boolean isShort()
    {
        return durationNs < longestNs.get();
    }
}

package org.onesided.client;

import java.util.concurrent.atomic.AtomicLong;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ServerInfo;

/**
 * Hands operations to the thread of a server's client that carries them out. Thread-safe.
 *
 * <p>That thread may wait for a lost server until the deadline of the operation that it is at. Those behind it have no
 * earlier one, unless views of the client have different deadlines: then {@link AsyncDeadlines} looks after operations
 * with less than the longest, of those before the longest view, too.
 */
final class WorkerSubmission extends AsyncSubmission
{
    private final ClientContext context;
    private final AsyncWorker worker;
    /** The longest time of a view of this client so far. */
    private final AtomicLong longestNs;

    /**
     * With the client's own deadline.
     */
    WorkerSubmission(final ClientContext context, final AsyncWorker worker)
    {
        this(context, worker, context.configuration().deadlineNs(), new AtomicLong());
    }

    private WorkerSubmission(
        final ClientContext context, final AsyncWorker worker, final long durationNs, final AtomicLong longestNs)
    {
        super(durationNs);
        this.context = context;
        this.worker = worker;
        this.longestNs = longestNs;
        final long beforeNs = longestNs.getAndAccumulate(durationNs, Math::max);
        if (beforeNs > 0 && beforeNs < durationNs)
        {
            worker.watchQueued();
        }
    }

    @Override
    AsyncSubmission within(final long otherNs)
    {
        return new WorkerSubmission(context, worker, otherNs, longestNs);
    }

    @Override
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
        return durationNs() < longestNs.get();
    }

    @Override
    ServerInfo server()
    {
        return context.server();
    }

    @Override
    String address()
    {
        return context.addressText();
    }
}

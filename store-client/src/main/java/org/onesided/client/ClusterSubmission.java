package org.onesided.client;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ServerInfo;

/**
 * Hands each operation to the client of its key's partition. The first one of a partition connects that. Thread-safe.
 */
final class ClusterSubmission extends AsyncSubmission
{
    private final Partitions partitions;
    /** Those of each partition that was used. */
    private final AtomicReferenceArray<AsyncSubmission> used;

    /** @param durationNs nanoseconds that an operation may take. */
    ClusterSubmission(final Partitions partitions, final long durationNs)
    {
        super(durationNs);
        this.partitions = partitions;
        used = new AtomicReferenceArray<>(partitions.count());
    }

    @Override
    AsyncSubmission within(final long otherNs)
    {
        return new ClusterSubmission(partitions, otherNs);
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
        final AsyncSubmission partition;
        try
        {
            partition = of(partitions.of(key), name, deadlineNs);
        }
        catch (final StoreException e)
        {
            completion.complete(null, e);
            return;
        }
        partition.submit(name, key, value, options, delta, initial, deadlineNs, completion);
    }

    private AsyncSubmission of(final int shard, final String name, final long deadlineNs)
    {
        final AsyncSubmission known = used.get(shard);
        if (known != null)
        {
            return known;
        }
        final AsyncSubmission submission = partitions
            .client(shard, name, Math.max(1, deadlineNs - System.nanoTime())).submission().within(durationNs());
        used.set(shard, submission);
        return submission;
    }

    @Override
    ServerInfo server()
    {
        return partitions.server();
    }

    @Override
    String address()
    {
        return partitions.text();
    }
}

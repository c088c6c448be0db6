package org.onesided.server.shard.agent;

import org.onesided.protocol.table.KeyHash;
import org.onesided.server.agent.Commands;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.table.ShardTable;
import org.onesided.verbs.WorkCompletions;

/**
 * Polls the shard's completion queues and hands each completion to its queue pair. If a poll brings several, their
 * requests are decoded before the first of them is executed, so that the cache misses of buckets and records overlap.
 * Belongs to the shard's thread.
 */
final class CompletionPoller implements AutoCloseable
{
    private static final int LIMIT = 32;
    /** The same while batches of puts come over the device, so that a round stays short for what others ask. */
    private static final int BATCH_LIMIT = 4;

    private final ShardTable table;
    private final Commands commands;
    private final ShardCounters counters;
    private final WorkCompletions many = new WorkCompletions(LIMIT);
    private final WorkCompletions few = new WorkCompletions(BATCH_LIMIT);
    /** Those of the present poll. */
    private WorkCompletions completions = many;
    /** Decoded requests, one per completion of a poll. */
    private final Request[] requests = new Request[LIMIT];
    /** Keeps the compiler from removing the prefetches. */
    private long fetched;

    /**
     * @param table    of the shard.
     * @param keyHash  of the table.
     * @param commands of the shard, one of which may announce a queue pair whose completions are there already.
     * @param counters of the shard.
     */
    CompletionPoller(
        final ShardTable table, final KeyHash keyHash, final Commands commands, final ShardCounters counters)
    {
        this.table = table;
        this.commands = commands;
        this.counters = counters;
        for (int i = 0; i < LIMIT; i++)
        {
            requests[i] = new Request(keyHash);
        }
    }

    /**
     * Polls the completion queue of a device once.
     *
     * @return how many completions there were, or a negative errno if the queue is broken.
     */
    int poll(final ShardDevice device)
    {
        completions = device.hasBatches() ? few : many;
        final int count = completions.poll(device.queue());
        if (count > 0)
        {
            counters.increment(ShardCounters.POLLS);
            counters.add(ShardCounters.COMPLETIONS, count);
            final long nowNs = System.nanoTime();
            if (count > 1)
            {
                decodeAll(device, count, nowNs);
                fetchAhead(count);
            }
            else
            {
                requests[0].clear();
            }
            for (int i = 0; i < count; i++)
            {
                handOver(device, i, nowNs);
            }
            device.onPolled(haveBatch(count));
        }
        return count;
    }

    private boolean haveBatch(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (requests[i].isBatch())
            {
                return true;
            }
        }
        return false;
    }

    private void decodeAll(final ShardDevice device, final int count, final long nowNs)
    {
        for (int i = 0; i < count; i++)
        {
            requests[i].clear();
            final CreditedQueuePair queuePair = device.queuePair(completions.queuePair(i));
            if (queuePair != null)
            {
                queuePair.decode(completions, i, requests[i], nowNs);
            }
        }
    }

    /** Prefetches the buckets, then the records, of the requests. */
    private void fetchAhead(final int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            final long hash = requests[i].keyHash();
            sum += hash == 0 ? 0 : table.lookups().fetchBucket(hash);
        }
        for (int i = 0; i < count; i++)
        {
            final long hash = requests[i].keyHash();
            sum += hash == 0 ? 0 : table.lookups().fetchRecord(hash);
        }
        fetched = sum;
    }

    private void handOver(final ShardDevice device, final int index, final long nowNs)
    {
        final int number = completions.queuePair(index);
        CreditedQueuePair queuePair = device.queuePair(number);
        if (queuePair == null)
        {
            // The command may have come after the check above.
            commands.execute();
            queuePair = device.queuePair(number);
        }
        if (queuePair != null)
        {
            try
            {
                queuePair.onCompletion(completions, index, requests[index], nowNs);
            }
            catch (final RuntimeException e)
            {
                queuePair.life().fail(e);
            }
        }
    }

    @Override
    public void close()
    {
        many.close();
        few.close();
    }
}

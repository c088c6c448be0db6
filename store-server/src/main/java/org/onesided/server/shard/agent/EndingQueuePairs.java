package org.onesided.server.shard.agent;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queue pairs that the shard no longer serves, until they have no work left. Belongs to the shard's thread.
 */
final class EndingQueuePairs
{
    private static final Logger LOGGER = LoggerFactory.getLogger(EndingQueuePairs.class);

    private final int shard;
    private final ShardListener listener;
    /** Queue pairs to destroy after all completions of this poll are processed. */
    private final List<CreditedQueuePair> ending = new ArrayList<>();
    /** Destroyed queue pairs whose pulled values are still being published. */
    private final List<CreditedQueuePair> finishing = new ArrayList<>();

    /**
     * @param shard    number of the shard, for the log.
     * @param listener told of each end.
     */
    EndingQueuePairs(final int shard, final ShardListener listener)
    {
        this.shard = shard;
        this.listener = listener;
    }

    void add(final CreditedQueuePair queuePair)
    {
        ending.add(queuePair);
    }

    boolean isEmpty()
    {
        return ending.isEmpty() && finishing.isEmpty();
    }

    /**
     * Destroys those that were added, and tells the listener of those of which nothing goes on any more.
     *
     * @param devices of the shard, which know them no longer afterwards.
     * @return how many have ended.
     */
    int close(final ShardDevice[] devices)
    {
        for (final CreditedQueuePair queuePair : ending)
        {
            devices[queuePair.device()].remove(queuePair);
            finishing.add(queuePair);
            try
            {
                queuePair.close();
            }
            catch (final RuntimeException e)
            {
                LOGGER.error("queue pair could not be destroyed: shard={}", shard, e);
            }
        }
        ending.clear();
        int count = 0;
        for (int i = finishing.size() - 1; i >= 0; i--)
        {
            final CreditedQueuePair queuePair = finishing.get(i);
            if (queuePair.hasEnded())
            {
                finishing.remove(i);
                listener.onEnded(queuePair, queuePair.reason());
                count++;
            }
        }
        return count;
    }
}

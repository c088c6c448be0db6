package org.onesided.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class GroupBoundTest
{
    private static final int SHARDS = 4;

    private final GroupBound bound = new GroupBound(64);

    @Test
    void shouldFillTheQueuePairsOfAllShards()
    {
        // Two groups of 29 are under way. One bound for the session would have allowed 16 READs.
        assertEquals(29, size(16, i -> i % SHARDS));
        assertEquals(61, size(32, i -> i % SHARDS));
    }

    @Test
    void shouldNotExceedHalfOfOneQueuePair()
    {
        assertEquals(8, size(16, i -> 2));
        assertEquals(64, size(256, i -> 2));
        assertEquals(1, size(1, i -> i % SHARDS));
    }

    @Test
    void shouldHaveALimitWhateverTheQueuePairsCanDo()
    {
        assertEquals(64, size(1000, i -> i % SHARDS));
    }

    /** Keys of a group, and of the next one, for shards by the keys' places. */
    private int size(final int depth, final IntUnaryOperator shardOf)
    {
        final int first = fill(depth, shardOf);
        assertEquals(first, fill(depth, shardOf));
        return first;
    }

    private int fill(final int depth, final IntUnaryOperator shardOf)
    {
        bound.begin(SHARDS, depth);
        int keys = 0;
        while (!bound.addReaches(shardOf.applyAsInt(keys)))
        {
            keys++;
        }
        return keys + 1;
    }
}

package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardLayoutTest
{
    private static ShardLayout layout(final int firstBuckets, final int levels)
    {
        return new ShardLayout(4096, firstBuckets, levels, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100, 1024})
    void shouldFollowAKeyThroughAllSplitPoints(final int first)
    {
        final int levels = 4;
        final ShardLayout layout = layout(first, levels);
        assertEquals(15L * first, layout.bucketCount());
        final Random random = new Random(first);
        for (int i = 0; i < 200; i++)
        {
            final long hash = random.nextLong();
            for (int level = 0; level < levels; level++)
            {
                final long count = (long)first << level;
                final long last = level == levels - 1 ? 0 : count - 1;
                for (long split = 0; split <= last; split++)
                {
                    final long point = SplitPoint.of(level, split);
                    assertTrue(layout.isReachable(point));
                    final long bucket = KeyHash.bucket(hash, count);
                    final long expected = bucket < split ?
                        layout.firstIndex(level + 1) + KeyHash.bucket(hash, 2 * count) :
                        layout.firstIndex(level) + bucket;
                    final long index = layout.bucket(hash, point);
                    assertEquals(expected, index);
                    final long firstInUse = layout.firstInUse(point);
                    assertTrue(index >= firstInUse && index < layout.child(firstInUse));
                    assertTrue(index < layout.bucketCount());
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "5, 4", "1000, 2"})
    void shouldTellAncestorsAndPoints(final int first, final int levels)
    {
        final ShardLayout layout = layout(first, levels);
        for (int level = 0; level < levels; level++)
        {
            for (long i = 0; i < (long)first << level; i++)
            {
                final long index = layout.firstIndex(level) + i;
                assertEquals(level, layout.level(index));
                assertEquals(index, layout.parent(layout.child(index)));
                assertEquals(index, layout.parent(layout.child(index) + 1));
                assertEquals(level == 0, layout.parent(index) < 0);
                final long behind = layout.pointBehind(index);
                assertEquals(index + 1, layout.firstInUse(behind));
                assertEquals(layout.level(layout.child(index)) < levels, layout.isReachable(behind));
                assertTrue(behind > SplitPoint.of(level, i));
            }
        }
    }

    @Test
    void shouldRejectPointsThatSplittingCannotReach()
    {
        final ShardLayout layout = layout(4, 3);
        assertTrue(layout.isReachable(SplitPoint.START));
        assertTrue(layout.isReachable(SplitPoint.of(2, 0)));
        assertFalse(layout.isReachable(SplitPoint.of(0, 4)));
        assertFalse(layout.isReachable(SplitPoint.of(2, 1)));
        assertFalse(layout.isReachable(SplitPoint.of(3, 0)));
        assertFalse(layout.isReachable(-1));
    }

    @Test
    void shouldPlaceArraysOneBehindTheOther()
    {
        final ShardLayout layout = layout(10, 3);
        assertEquals(4096, layout.bucketOffset(0));
        assertEquals(4096 + 64 * 10, layout.bucketOffset(layout.firstIndex(1)));
        assertEquals(4096 + 64 * 30, layout.bucketOffset(layout.firstIndex(2)));
    }
}

package org.onesided.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DrawTest
{
    private static final int COUNT = 1000;
    private static final int DRAWS = 1_000_000;

    private static long[] frequencies(final Draw draw)
    {
        final long[] frequencies = new long[COUNT];
        for (int i = 0; i < DRAWS; i++)
        {
            frequencies[(int)draw.next()]++;
        }
        return frequencies;
    }

    @Test
    void shouldDrawAllRecordsAlike()
    {
        final long[] frequencies = frequencies(Draw.uniform(COUNT, 1));
        assertTrue(Arrays.stream(frequencies).min().orElseThrow() > DRAWS / COUNT * 8 / 10, "some are too rare");
        assertTrue(Arrays.stream(frequencies).max().orElseThrow() < DRAWS / COUNT * 12 / 10, "some are too frequent");
    }

    @Test
    void shouldDrawTheSameForTheSameSeed()
    {
        final Draw one = Draw.uniform(COUNT, 5);
        final Draw other = Draw.uniform(COUNT, 5);
        for (int i = 0; i < COUNT; i++)
        {
            assertEquals(one.next(), other.next());
        }
    }

    /** The most frequent of n has a share of 1 / zeta(n, 0.99), which is 0.1293 for 1000. */
    @Test
    void shouldDrawFewRecordsOften()
    {
        final long[] frequencies = frequencies(Draw.zipfian(COUNT, 1));
        Arrays.sort(frequencies);
        assertEquals(0.1293, (double)frequencies[COUNT - 1] / DRAWS, 0.01);
        assertTrue(frequencies[COUNT / 2] < DRAWS / COUNT, "half of them should be rare");
    }
}

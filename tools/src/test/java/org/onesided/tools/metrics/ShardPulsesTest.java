package org.onesided.tools.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ShardPulsesTest
{
    private final long[] rounds = {5, 7};
    /** Goes on by itself, so that a last look ends. */
    private long nowNs;
    private final ShardPulses pulses = new ShardPulses(() -> nowNs += 100_000_000);

    @Test
    void shouldFindAShardThatStandsStill()
    {
        assertTrue(lost() < 0);
        pass(1);
        rounds[0]++;
        assertTrue(lost() < 0);
        pass(1);
        rounds[0]++;
        assertEquals(1, lost());
        rounds[1]++;
        assertTrue(lost() < 0);
    }

    @Test
    void shouldNotTakeTheTimeBetweenTwoLooksForAHang()
    {
        assertTrue(lost() < 0);
        for (int i = 0; i < 3; i++)
        {
            pass(1000);
            rounds[0]++;
            rounds[1]++;
            assertTrue(lost() < 0);
        }
    }

    @Test
    void shouldGiveAProcessThatWasStoppedTimeToGoOn()
    {
        assertTrue(lost() < 0);
        pass(1000);
        final int[] looks = {0};
        assertTrue(pulses.lost(() ->
        {
            // The shard comes round a little later than whoever looks.
            looks[0]++;
            return new long[]{rounds[0] + looks[0] / 3, rounds[1] + looks[0] / 5};
        }) < 0);
        assertTrue(looks[0] >= 5, "looks " + looks[0]);
    }

    @Test
    void shouldBeginAnewWithAnotherServer()
    {
        assertTrue(lost() < 0);
        pass(1000);
        assertTrue(pulses.lost(() -> new long[]{5, 7, 9}) < 0);
    }

    private int lost()
    {
        return pulses.lost(rounds::clone);
    }

    private void pass(final int times)
    {
        nowNs += times * (ShardPulses.LONGEST_NS * 3 / 5);
    }
}

package org.onesided.server.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.collections.Long2LongHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.server.TestSize;

class ExpiryWheelTest
{
    private static final long LATEST_MS = 2 * ExpiryWheel.TICK_MS;
    private static final int BUDGET = 256;

    /** Times of keys, 0 for one that stays. */
    private final Long2LongHashMap times = new Long2LongHashMap(0);
    private final ExpiryWheel wheel = new ExpiryWheel(this::removeExpired);
    private long now = 1_700_000_000_000L;
    private long looks;
    private long latest;

    private long removeExpired(final long key)
    {
        looks++;
        final long time = times.get(key);
        if (time == 0 || time > now)
        {
            return time;
        }
        latest = Math.max(latest, now - time);
        times.remove(key);
        return 0;
    }

    /** As a table does. */
    private void set(final long key, final long time)
    {
        final long before = times.get(key);
        if (time == 0)
        {
            times.remove(key);
            return;
        }
        times.put(key, time);
        if (before == 0 || time < before)
        {
            wheel.add(key, now, time);
        }
    }

    private void pass(final long untilMs)
    {
        while (now < untilMs)
        {
            now = Math.min(untilMs, Math.max(now + 1, wheel.nextStep(now)));
            drain();
        }
    }

    private void drain()
    {
        while (wheel.step(now, times.size(), BUDGET) > 0)
        {
            // Goes on until nothing is left for now.
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 15, 16, 17, 4_000, 4_095, 4_096, 4_097, 9_000, 1_048_576, 1_048_577, 5_000_000,
        268_435_456L, 1_000_000_000L})
    void shouldLookAtAKeyWhenItsTimeHasComeAndNotBefore(final long ttl)
    {
        final long time = now + ttl;
        set(7, time);
        pass(time - 1);
        assertEquals(1, times.size());
        pass(time + LATEST_MS);
        assertEquals(0, times.size());
        assertEquals(0, wheel.size());
        assertTrue(looks <= 5, "looks: " + looks);
    }

    @Test
    void shouldTakeTimesThatAreOver()
    {
        set(1, now - 1000);
        pass(now + LATEST_MS);
        assertEquals(0, times.size());
    }

    @Test
    void shouldLookAgainIfTheTimeWasPutOff()
    {
        set(1, now + 100);
        set(1, now + 100_000);
        assertEquals(1, wheel.size());
        pass(now + 99_999);
        assertEquals(1, times.size());
        pass(now + 1 + LATEST_MS);
        assertEquals(0, times.size());
    }

    @Test
    void shouldLookEarlierIfTheTimeCameNearer()
    {
        final long begin = now;
        set(1, begin + 100_000);
        set(1, begin + 100);
        pass(begin + 100 + LATEST_MS);
        assertEquals(0, times.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldBeInTimeWhateverHappensToKeys(final int seed)
    {
        final Random random = new Random(seed);
        final int keys = 2000;
        final long[] spans = {30, 500, 5_000, 70_000, 1_500_000};
        for (int i = 0; i < 200_000; i++)
        {
            final long key = random.nextInt(keys) * 0x1234_5678_9ABL & 0xFFFF_FFFF_FFFFL;
            switch (random.nextInt(4))
            {
                case 0 -> set(key, 0);
                case 1 ->
                {
                    if (times.get(key) != 0)
                    {
                        set(key, now + 1 + random.nextLong(spans[random.nextInt(spans.length)]));
                    }
                }
                default -> set(key, now + 1 + random.nextLong(spans[random.nextInt(spans.length)]));
            }
            if (random.nextInt(10) == 0)
            {
                pass(now + random.nextInt(100));
            }
            else
            {
                drain();
            }
            if (random.nextInt(10_000) == 0)
            {
                pass(now + random.nextInt(2_000_000));
            }
        }
        pass(now + 2_000_000);
        assertEquals(0, times.size());
        assertEquals(0, wheel.size());
        assertTrue(latest <= LATEST_MS, "latest: " + latest);
    }

    @Test
    void shouldForgetKeysThatWereDeletedOrStayLongBeforeTheirTime()
    {
        for (int round = 0; round < 100; round++)
        {
            for (long key = 0; key < 10_000; key++)
            {
                set(key, now + 86_400_000 + key);
                set(key, 0);
                if (key % 100 == 0)
                {
                    drain();
                }
            }
        }
        drain();
        assertTrue(wheel.size() <= 10_000, "entries: " + wheel.size());
        assertTrue(wheel.bytes() < 1 << 20, "bytes: " + wheel.bytes());
    }

    @Test
    void shouldKeepFewEntriesOfAKeyThatIsDeletedAndPutAgainAndAgain()
    {
        for (long key = 1; key <= 1000; key++)
        {
            set(key, now + 1_800_000);
        }
        for (int i = 0; i < 1_000_000; i++)
        {
            set(7, 0);
            set(7, now + 1_800_000);
            if (i % 100 == 0)
            {
                pass(now + 1);
                drain();
            }
        }
        assertTrue(wheel.size() < 12_000, "entries: " + wheel.size());
    }

    @Test
    void shouldTakeAtMostEightBytesForEachOfManyKeys()
    {
        final Random random = new Random(5);
        final int count = TestSize.of(20_000_000, 3_000_000);
        final ExpiryWheel many = new ExpiryWheel(key -> now + 1 + (key & 0xFFFFF));
        for (int i = 0; i < count; i++)
        {
            many.add(random.nextLong() & 0xFFFF_FFFF_FFFFL, now, now + random.nextLong(86_400_000));
        }
        assertTrue(many.bytes() <= 8L * count, "bytes: " + many.bytes());
    }

    @Test
    void shouldRestUntilTheNextTime()
    {
        assertEquals(Long.MAX_VALUE, wheel.nextStep(now));
        set(1, now + 1000);
        final long next = wheel.nextStep(now);
        assertTrue(next > now + 900 && next <= now + 1000 + LATEST_MS, "next: " + (next - now));
        set(2, now + 3_600_000);
        pass(now + 2000);
        assertTrue(wheel.nextStep(now) > now);
    }
}

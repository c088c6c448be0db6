package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.server.expiry.ExpiryWheel;

class HousekeepingTest
{
    private static final int LATEST_MS = 50;

    private long now = 1_700_000_000_000L;
    private long latestMs;

    /** Rounds that do nothing but put keys which expire: the wheel must not fall behind, however long that goes on. */
    @ParameterizedTest
    @ValueSource(longs = {100, 6_000, 20_000})
    void shouldLookAtKeysInTimeWhileAllRequestsPutKeysThatExpire(final long ttlMs)
    {
        final int puts = 32;
        final Map<Long, Long> times = new HashMap<>();
        final ExpiryWheel wheel = new ExpiryWheel(key ->
        {
            final long time = times.get(key);
            if (time > now)
            {
                return time;
            }
            latestMs = Math.max(latestMs, now - time);
            times.remove(key);
            return 0;
        });
        long key = 0;
        for (int round = 0; round < 3 * ttlMs; round++)
        {
            for (int i = 0; i < puts; i++)
            {
                times.put(++key, now + ttlMs);
                wheel.add(key, now, now + ttlMs);
            }
            wheel.step(now, times.size(), Housekeeping.expireStep(puts));
            now++;
        }
        assertTrue(latestMs <= LATEST_MS, "late by ms: " + latestMs);
    }

    @Test
    void shouldLookAtMoreKeysWhileThereIsNothingElseToDo()
    {
        assertTrue(Housekeeping.expireStep(0) > Housekeeping.expireStep(1));
    }
}

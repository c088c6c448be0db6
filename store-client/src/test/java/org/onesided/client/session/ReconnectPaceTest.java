package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReconnectPaceTest
{
    private static final long MS = 1_000_000L;

    private final ReconnectPace pace = new ReconnectPace(false, (bound) -> bound - 1);

    @Test
    void shouldTryAtOnceWhenWhatWasLostWasOfUse()
    {
        pace.begin(5);

        assertEquals(0, pace.pauseNs(5));
    }

    @Test
    void shouldPauseLongerAfterEachFailureUpToHalfASecond()
    {
        pace.begin(0);
        for (long spanMs = 2; spanMs <= 256; spanMs *= 2)
        {
            pace.failed(0);
            assertEquals(spanMs * MS, pace.pauseNs(0));
        }
        pace.failed(0);
        assertEquals(500 * MS, pace.pauseNs(0));
        pace.failed(0);
        assertEquals(500 * MS, pace.pauseNs(0));
    }

    @Test
    void shouldGoOnWithThePauseWhereTheOperationBeforeGaveUp()
    {
        pace.begin(0);
        pace.failed(0);
        pace.failed(0);
        pace.begin(1 * MS);

        assertEquals(3 * MS, pace.pauseNs(1 * MS));
        pace.failed(4 * MS);
        assertEquals(8 * MS, pace.pauseNs(4 * MS));
    }

    @Test
    void shouldPauseWhereWhatWasMadeIsLostBeforeItWasOfUse()
    {
        pace.begin(0);
        pace.failed(0);
        pace.attached(2 * MS);
        pace.begin(3 * MS);

        assertEquals(4 * MS, pace.pauseNs(3 * MS));
    }

    @Test
    void shouldStartAnewAfterASuccessOrALongLife()
    {
        pace.begin(0);
        pace.failed(0);
        pace.failed(0);
        pace.attached(10 * MS);
        pace.succeeded();
        pace.begin(11 * MS);
        assertEquals(0, pace.pauseNs(11 * MS));
        pace.failed(11 * MS);
        assertEquals(2 * MS, pace.pauseNs(11 * MS));

        pace.attached(20 * MS);
        pace.begin(1020 * MS);
        assertEquals(0, pace.pauseNs(1020 * MS));
    }
}

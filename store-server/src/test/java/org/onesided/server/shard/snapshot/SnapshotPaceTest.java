package org.onesided.server.shard.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotPaceTest
{
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final SnapshotPace pace = new SnapshotPace(100, 1_000);
    /** Also where the clock overflows. */
    private long now = Long.MAX_VALUE - SECOND;

    private void takes(final long ns)
    {
        pace.begin(now);
        now += ns;
    }

    @Test
    void shouldBeDueWhenTheLogHasGrown()
    {
        assertFalse(pace.isDue(now));
        pace.logged(99);
        assertFalse(pace.isDue(now));
        pace.logged(1);
        assertTrue(pace.isDue(now));
        takes(SECOND);
        pace.logged(100);
        pace.end(now);
        assertTrue(pace.isDue(now), "without a pause: the disk gets full else");
    }

    /** Then it takes the disk from writes: the log must not grow without end while it is written. */
    @Test
    void shouldBeLateWhenTheLogHasGrownMeanwhile()
    {
        pace.logged(100);
        pace.begin(now);
        assertFalse(pace.isLate());
        pace.logged(49);
        assertFalse(pace.isLate());
        pace.logged(1);
        assertTrue(pace.isLate());
        pace.end(now);
        pace.begin(now);
        assertFalse(pace.isLate());
        pace.fail(now);
        for (int i = 0; i < 500; i++)
        {
            pace.logged(0);
        }
        assertTrue(pace.isLate());
    }

    /** Each takes memory, however short it is. */
    @Test
    void shouldBeDueAfterManyShortEntries()
    {
        final SnapshotPace entries = new SnapshotPace(Long.MAX_VALUE, 3);
        for (int round = 0; round < 2; round++)
        {
            entries.logged(1);
            entries.logged(1);
            assertFalse(entries.isDue(now));
            entries.logged(1);
            assertTrue(entries.isDue(now));
            entries.begin(now);
            entries.end(now);
        }
    }

    @Test
    void shouldFollowTheFirstRequestAtOnce()
    {
        assertEquals(SnapshotPace.NEVER, pace.restNs(now));
        pace.request();
        assertTrue(pace.isDue(now));
        assertEquals(0, pace.restNs(now));
        takes(SECOND);
        pace.end(now);
        assertFalse(pace.isDue(now + 100 * SECOND));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "5, 5", "29, 29", "300, 30"})
    void shouldPauseForAsLongAsTheOneBeforeTook(final long took, final long pause)
    {
        pace.request();
        takes(took * SECOND);
        // These share one snapshot.
        pace.request();
        pace.request();
        pace.end(now);
        assertEquals(pause * SECOND, pace.restNs(now));
        assertFalse(pace.isDue(now + pause * SECOND - 1));
        now += pause * SECOND;
        assertTrue(pace.isDue(now));
        takes(took * SECOND);
        pace.end(now);
        assertEquals(SnapshotPace.NEVER, pace.restNs(now));
    }

    @Test
    void shouldAskForNothingIfNothingHasChanged()
    {
        pace.request();
        pace.skip();
        assertFalse(pace.isDue(now));
        pace.request();
        assertTrue(pace.isDue(now), "no snapshot was written, so there is no pause");
    }

    /** Those behind the newest snapshot, however many tries have failed. */
    @Test
    void shouldSayThatTheLogIsTooLongIfNoSnapshotCanBeWritten()
    {
        final SnapshotPace entries = new SnapshotPace(Long.MAX_VALUE, 3);
        for (int i = 0; i < 20; i++)
        {
            entries.logged(1);
        }
        assertFalse(entries.isOverdue(), "it is being written, or about to be");
        entries.begin(now);
        entries.end(now);
        for (int i = 0; i < 6; i++)
        {
            assertFalse(entries.isOverdue());
            entries.begin(now);
            entries.logged(1);
            entries.fail(now);
        }
        assertTrue(entries.isOverdue());
        assertEquals(6, entries.entriesBehind());
        entries.begin(now);
        entries.logged(1);
        assertTrue(entries.isOverdue());
        entries.end(now);
        assertFalse(entries.isOverdue());
        assertEquals(1, entries.entriesBehind());
    }

    @Test
    void shouldTryAgainAfterAFailureOrWhenAsked()
    {
        pace.logged(100);
        takes(SECOND);
        pace.logged(100);
        pace.fail(now);
        assertFalse(pace.isDue(now + SnapshotPace.RETRY_NS - 1));
        assertTrue(pace.isDue(now + SnapshotPace.RETRY_NS));
        pace.request();
        assertFalse(pace.isDue(now + SECOND - 1), "a client cannot keep a failing disk busy");
        assertTrue(pace.isDue(now + SECOND));
    }
}

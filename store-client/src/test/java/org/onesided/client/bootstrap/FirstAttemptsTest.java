package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.AttachFailedException.Kind;

class FirstAttemptsTest
{
    private int attempts;

    private static long in(final long ms)
    {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    }

    /** The pauses of a client that is refused so often. */
    private List<Long> pauses(final int refusals)
    {
        final List<Long> pauses = new ArrayList<>();
        assertThrows(AttachFailedException.class, () -> FirstAttempts.run(in(60_000), () -> false, () ->
        {
            throw fail(Kind.BUSY);
        }, (ns) -> pauses.add(ns) && pauses.size() < refusals));
        return pauses;
    }

    /** The same of one that follows a leader. */
    private List<Long> movingPauses(final int refusals)
    {
        final List<Long> pauses = new ArrayList<>();
        assertThrows(AttachFailedException.class, () -> FirstAttempts.follow(in(60_000), false, () -> false, () ->
        {
            throw fail(Kind.BUSY);
        }, (ns) -> pauses.add(ns) && pauses.size() < refusals));
        return pauses;
    }

    /** Each is between half of the first span and the whole of its own, and uses the most of that. */
    private static void assertSpans(final List<Long> pauses, final long longestMs)
    {
        long spanMs = 20;
        for (final long pause : pauses)
        {
            assertTrue(pause >= TimeUnit.MILLISECONDS.toNanos(10), () -> "pauses=" + pauses);
            assertTrue(pause <= TimeUnit.MILLISECONDS.toNanos(spanMs), () -> "pauses=" + pauses);
            spanMs = Math.min(longestMs, 2 * spanMs);
        }
        final List<Long> ofLongest = pauses.subList(pauses.size() / 2, pauses.size());
        assertTrue(ofLongest.stream().anyMatch((ns) -> ns < TimeUnit.MILLISECONDS.toNanos(longestMs / 2)));
        assertTrue(ofLongest.stream().anyMatch((ns) -> ns > TimeUnit.MILLISECONDS.toNanos(3 * longestMs / 4)));
    }

    private AttachFailedException fail(final Kind kind)
    {
        attempts++;
        return new AttachFailedException(kind, "failed", null);
    }

    @Test
    void shouldTryAgainWhereThereIsNoRoom() throws AttachFailedException
    {
        assertEquals("done", FirstAttempts.run(in(60_000), () -> false, () ->
        {
            if (attempts < 3)
            {
                throw fail(Kind.BUSY);
            }
            return "done";
        }));
        assertEquals(3, attempts);
    }

    /** Clients that a server refuses at once must not come again at once. */
    @Test
    void shouldNotTryAgainInStepWithAnother()
    {
        final int refusals = 200;
        final List<Long> one = pauses(refusals);
        final List<Long> other = pauses(refusals);
        final List<Long> moving = movingPauses(refusals);
        final List<Long> otherMoving = movingPauses(refusals);
        assertEquals(4 * refusals, attempts);
        assertSpans(one, 500);
        assertSpans(other, 500);
        assertSpans(moving, 50);
        assertSpans(otherMoving, 50);
        for (int i = 0; i < refusals; i++)
        {
            // Equal once in ten million times; the test fails where two pauses in a row are.
            final int next = Math.min(i + 1, refusals - 1);
            assertTrue(!one.get(i).equals(other.get(i)) || !one.get(next).equals(other.get(next)));
            assertTrue(!moving.get(i).equals(otherMoving.get(i)) || !moving.get(next).equals(otherMoving.get(next)));
        }
    }

    @Test
    void shouldPauseNoLongerThanUntilTheDeadline()
    {
        final long leftNs = TimeUnit.MILLISECONDS.toNanos(9);
        final List<Long> pauses = new ArrayList<>();
        assertThrows(AttachFailedException.class, () -> FirstAttempts.run(
            System.nanoTime() + leftNs, () -> false, () ->
            {
                throw fail(Kind.BUSY);
            }, pauses::add));
        // None where this thread has not run meanwhile.
        final long longestNs = pauses.stream().mapToLong(Long::longValue).max().orElse(0);
        assertTrue(longestNs <= leftNs, () -> "longest-ns=" + longestNs);
    }

    @Test
    void shouldFailAtOnceWhereWaitingDoesNotHelp()
    {
        for (final Kind kind : new Kind[]{
            Kind.TRANSIENT, Kind.PERMANENT, Kind.NO_WAY, Kind.DEVICE, Kind.CREDENTIALS, Kind.INTERRUPTED})
        {
            attempts = 0;
            final AttachFailedException failure = assertThrows(
                AttachFailedException.class, () -> FirstAttempts.run(in(60_000), () -> false, () ->
                {
                    throw fail(kind);
                }));
            assertEquals(kind, failure.kind());
            assertEquals(1, attempts);
        }
    }

    @Test
    void shouldNotTryForEverWhereConnectionsAreClosed()
    {
        assertThrows(AttachFailedException.class, () -> FirstAttempts.run(in(60_000), () -> false, () ->
        {
            throw fail(Kind.CLOSED);
        }));
        assertEquals(9, attempts);
    }

    @Test
    void shouldGoOnWithAServerThatWasBusyThoughItClosesConnections() throws AttachFailedException
    {
        assertEquals("done", FirstAttempts.run(in(60_000), () -> false, () ->
        {
            if (attempts < 12)
            {
                throw fail(attempts < 1 ? Kind.BUSY : Kind.CLOSED);
            }
            return "done";
        }));
        assertEquals(12, attempts);
    }

    @Test
    void shouldNameTheLimitThoughConnectionsWereClosedSince()
    {
        final AttachFailedException refusal = fail(Kind.BUSY);
        for (final Kind kind : new Kind[]{Kind.CLOSED, Kind.BUSY})
        {
            attempts = 0;
            assertSame(refusal, assertThrows(
                AttachFailedException.class, () -> FirstAttempts.run(in(60_000), () -> attempts > 1, () ->
                {
                    attempts++;
                    throw attempts == 1 ? refusal :
                        new AttachFailedException(kind, "closed", new EOFException("closed"));
                })));
            assertEquals(2, attempts);
        }
    }

    @Test
    void shouldEndAtTheDeadlineWithTheRefusalThatNamesTheLimit()
    {
        final AttachFailedException refusal = fail(Kind.BUSY);
        assertEquals(Kind.BUSY, assertThrows(
            AttachFailedException.class, () -> FirstAttempts.run(in(100), () -> false, () ->
            {
                throw refusal;
            })).kind());
        attempts = 0;
        assertSame(refusal, assertThrows(
            AttachFailedException.class, () -> FirstAttempts.run(in(60_000), () -> false, () ->
            {
                attempts++;
                throw attempts == 1 ? refusal : new AttachFailedException(Kind.TRANSIENT, "no answer in time", null);
            })));
        assertEquals(2, attempts);
    }

    private AttachFailedException follow(final long atNs, final Kind... kinds)
    {
        return assertThrows(AttachFailedException.class, () -> FirstAttempts.follow(atNs, false, () -> false, () ->
        {
            throw fail(kinds[attempts]);
        }));
    }

    @Test
    void shouldFollowALeader()
    {
        assertEquals(Kind.PERMANENT, follow(in(60_000), Kind.TRANSIENT, Kind.CLOSED, Kind.NOT_LEADING, Kind.BUSY,
            Kind.STRANGER, Kind.PERMANENT).kind());
        assertEquals(6, attempts);
    }

    @Test
    void shouldEndWithTheLastFailureAtTheDeadline()
    {
        assertEquals(Kind.STRANGER, follow(in(-1), Kind.STRANGER).kind());
        assertEquals(1, attempts);
    }

    /** The leader may have been lost amid the attempt. */
    @Test
    void shouldFollowALeaderThatCouldNotBeReached()
    {
        assertEquals(Kind.CREDENTIALS, follow(in(60_000), Kind.NO_WAY, Kind.NO_WAY, Kind.TRANSIENT, Kind.NO_WAY,
            Kind.DEVICE, Kind.NOT_LEADING, Kind.CREDENTIALS).kind());
        assertEquals(7, attempts);
    }

    @Test
    void shouldFindThatTheDeviceReachesNoLeader()
    {
        assertEquals(Kind.NO_WAY,
            follow(in(60_000), Kind.TRANSIENT, Kind.NO_WAY, Kind.NO_WAY, Kind.NO_WAY).kind());
        assertEquals(4, attempts);
    }

    @Test
    void shouldEndWhenTheClientIsClosedOrTheThreadInterrupted()
    {
        assertThrows(AttachFailedException.class, () -> FirstAttempts.run(in(60_000), () -> attempts > 1, () ->
        {
            throw fail(Kind.BUSY);
        }));
        assertEquals(2, attempts);
        Thread.currentThread().interrupt();
        assertThrows(AttachFailedException.class, () -> FirstAttempts.run(in(60_000), () -> false, () ->
        {
            throw fail(Kind.BUSY);
        }));
        assertTrue(Thread.interrupted());
        assertEquals(3, attempts);
    }
}

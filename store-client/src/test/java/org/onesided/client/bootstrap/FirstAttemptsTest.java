package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
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

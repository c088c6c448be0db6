package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.BufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.AttachFailedException.Kind;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.RequestSlots;
import org.onesided.client.request.StagedWrites;

/**
 * A session that loses its attachment: when it tries to have another, which session that resumes, and how it fails.
 */
@Timeout(60)
class ReconnectorTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(50);
    private static final AttachFailedException NOBODY =
        new AttachFailedException(Kind.TRANSIENT, "nobody listens", null);

    private final RunningOperation operation = new RunningOperation(Operation.CONNECT, FakeServer.ADDRESS, LONG_NS);
    private final Counters counters = new Counters();
    private final Reconnector reconnector =
        new Reconnector(operation, new ReconnectPace(false, bound -> bound - 1), seen -> "because " + seen, counters);
    private final RequestEngine engine = new RequestEngine(operation, reconnector, counters);
    private final StagedWrites staged = new StagedWrites(operation, reconnector, engine);
    private final FakeServer server = new FakeServer(operation.deadline(), engine.requests());

    @BeforeEach
    void attach() throws AttachFailedException
    {
        reconnector.begin(server.attach(), server, engine.requests());
        operation.begin(Operation.GET);
    }

    @AfterEach
    void free()
    {
        Thread.interrupted();
        operation.end();
        operation.close();
        reconnector.close();
        server.close();
    }

    private void beginShort(final long ms)
    {
        operation.end();
        operation.spend(LONG_NS - TimeUnit.MILLISECONDS.toNanos(ms));
        operation.begin(Operation.GET);
    }

    private void stagePut()
    {
        operation.keySpace().putBytes(0, TestMemory.bytes("key"));
        operation.next(Operation.PUT, 3);
        assertTrue(staged.tryStagePut(
            new byte[1], BufferUtil.ARRAY_BASE_OFFSET, 1, 1, operation.newDeadlineNs()));
    }

    @Test
    void shouldKeepAnAttachmentThatIsNotLost()
    {
        final Attachment first = reconnector.attachment();
        assertSame(first, reconnector.attached(WriteFate.NONE));
        assertTrue(reconnector.isAttached());
        assertEquals(1, server.attempts.size());
    }

    @Test
    void shouldTakeLeaveOfASessionThatNothingIsPendingOf()
    {
        final Attachment first = reconnector.attachment();
        first.lose("test");
        assertFalse(reconnector.isAttached());
        assertNotSame(first, reconnector.attached(WriteFate.NONE));

        assertEquals(List.of("left"), server.ends);
        assertEquals(List.of(SessionIdentity.NONE, SessionIdentity.NONE), server.attempts);
        assertEquals(1, counters.get(Counters.RECONNECTS));
    }

    @Test
    void shouldResumeTheSessionOfPendingWrites()
    {
        stagePut();
        final RequestSlots slots = engine.requests().slots();
        final SessionIdentity former = reconnector.attachment().identity();
        reconnector.attachment().lose("test");
        final Attachment next = reconnector.attached(WriteFate.NONE);

        assertTrue(next.isResumed());
        assertEquals(List.of("dropped"), server.ends);
        assertEquals(former, server.attempts.get(1));
        assertSame(slots, engine.requests().slots());
        assertEquals(1, server.wire().sent.size());
    }

    @Test
    void shouldUseOtherSlotsWhereTheSessionIsNotResumed()
    {
        stagePut();
        final RequestSlots slots = engine.requests().slots();
        server.forgetSessions();
        reconnector.attachment().lose("test");
        reconnector.attached(WriteFate.NONE);

        assertNotSame(slots, engine.requests().slots());
        assertEquals(1, engine.outcomes().count());
    }

    @Test
    void shouldTryAgainUntilTheDeadlineAndTellWhy()
    {
        // A few pauses from two milliseconds on, however busy the machine is.
        beginShort(500);
        server.refuse(NOBODY);
        reconnector.attachment().lose("READ failed");
        final StoreException thrown =
            assertThrows(StoreDisconnectedException.class, () -> reconnector.attached(WriteFate.NOT_APPLIED));

        assertSame(NOBODY, thrown.getCause());
        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
        assertTrue(thrown.getMessage().contains(
            "server was lost (because READ failed) and did not come back in time: nobody listens"),
            thrown.getMessage());
        assertTrue(server.attempts.size() > 2);
        assertNull(reconnector.attachment());
    }

    /** Which names the limit; that no answer came to the last attempt says nothing. */
    @Test
    void shouldTellTheRefusalWhereTimeRanOutInTheNextAttempt()
    {
        final AttachFailedException full = new AttachFailedException(Kind.BUSY, "server has no room now", null);
        final AttachFailedException late = new AttachFailedException(Kind.TRANSIENT, "no answer in time", null);
        final AtomicInteger attempts = new AtomicInteger();
        beginShort(300);
        reconnector.begin(reconnector.attachment(), (resume) ->
        {
            if (attempts.getAndIncrement() == 0)
            {
                throw full;
            }
            while (operation.deadline().remainingNs() > 0)
            {
                Thread.onSpinWait();
            }
            throw late;
        }, engine.requests());
        reconnector.attachment().lose("test");
        assertSame(full, assertThrows(
            StoreDisconnectedException.class, () -> reconnector.attached(WriteFate.NONE)).getCause());
    }

    @Test
    void shouldPreferWhatTheServerSaidToWhatWasSeen()
    {
        beginShort(20);
        server.say("server said goodbye");
        server.refuse(NOBODY);
        reconnector.attachment().lose("READ failed");
        final StoreException thrown =
            assertThrows(StoreDisconnectedException.class, () -> reconnector.attached(WriteFate.NONE));

        assertTrue(thrown.getMessage().contains("(because server said goodbye)"), thrown.getMessage());
    }

    @Test
    void shouldPauseAcrossOperations()
    {
        server.refuse(NOBODY);
        reconnector.attachment().lose("test");
        for (int i = 0; i < 100; i++)
        {
            beginShort(1);
            assertThrows(StoreDisconnectedException.class, () -> reconnector.attached(WriteFate.NONE));
        }
        // One operation a millisecond, and pauses that grow from two.
        assertTrue(server.attempts.size() < 50, "attempts=" + server.attempts.size());
    }

    @Test
    void shouldNotTryAgainWhatIsRefusedForGood()
    {
        server.refuse(new AttachFailedException(Kind.CREDENTIALS, "token is wrong", null));
        reconnector.attachment().lose("test");

        assertThrows(StoreAccessException.class, () -> reconnector.attached(WriteFate.NONE));
        assertEquals(2, server.attempts.size());
    }

    @Test
    void shouldKeepAnInterruptThatCameWhileItWaited()
    {
        beginShort(50);
        server.refuse(NOBODY);
        reconnector.attachment().lose("test");
        Thread.currentThread().interrupt();

        assertThrows(StoreDisconnectedException.class, () -> reconnector.attached(WriteFate.NONE));
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldEndAnAttemptWhenTheClientIsClosed() throws InterruptedException
    {
        server.refuse(NOBODY);
        reconnector.attachment().lose("test");
        final Thread closer = new Thread(operation::beginClosing);
        closer.start();
        final StoreException thrown =
            assertThrows(StoreClosedException.class, () -> reconnector.attached(WriteFate.NONE));
        closer.join();

        assertTrue(thrown.getMessage().contains("closed meanwhile"), thrown.getMessage());
    }

    @Test
    void shouldFindOutWhenTheClientWasClosedDuringAnAttempt()
    {
        server.onAttach(number -> operation.beginClosing());
        reconnector.attachment().lose("test");

        assertThrows(StoreClosedException.class, () -> reconnector.attached(WriteFate.NONE));
    }

    @Test
    void shouldDropAnAttachmentWhoseReadsDoNotEnd()
    {
        reconnector.attachment().loop().readsPosted(0, 1);
        reconnector.endReads(0);

        assertNull(reconnector.attachment());
        assertEquals(List.of("left"), server.ends);
    }

    @Test
    void shouldTellThatTheDeadlinePassedAndEndReads()
    {
        reconnector.attachment().loop().readsPosted(0, 1);
        final StoreException late = reconnector.deadlinePassed("too late", WriteFate.NONE);

        assertTrue(late instanceof StoreDeadlineException);
        assertNull(reconnector.attachment());
    }
}

package org.onesided.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.Waiting;
import org.onesided.verbs.HugePages;

/**
 * Lends sessions that are nothing but that, within one thread and among a few.
 */
@Timeout(60)
class SessionPoolTest
{
    private static final long DEADLINE_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** A session that remembers what is done with it. */
    private static final class FakeSession extends Lendable
    {
        private boolean isAttached = true;
        private boolean isEnded;
        private long spentNs;

        @Override
        protected boolean isAttached()
        {
            return isAttached;
        }

        @Override
        protected void spend(final long durationNs)
        {
            spentNs = durationNs;
        }

        @Override
        protected void end()
        {
            isEnded = true;
        }
    }

    private final ClientContext context = new ClientContext(
        new ClientConfiguration(
            "127.0.0.1:1", new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION, DEADLINE_NS, 1, 0,
            HugePages.AUTO, Waiting.DEFAULT, (before, now) -> { }, null),
        HostAndPort.parse("127.0.0.1:1"),
        null,
        null);
    private final List<FakeSession> opened = new ArrayList<>();
    private RuntimeException refusal;
    private final SessionPool<FakeSession> pool = pool(2);

    private SessionPool<FakeSession> pool(final int capacity)
    {
        return new SessionPool<>(context, this::open, Runtime.getRuntime().availableProcessors(), capacity);
    }

    private FakeSession open(final String operation, final long deadlineNs)
    {
        if (refusal != null)
        {
            throw refusal;
        }
        final FakeSession session = new FakeSession();
        opened.add(session);
        return session;
    }

    private static StoreConnectException noRoom()
    {
        return new StoreConnectException("no room", FailureContext.ofServer(null), null);
    }

    @Test
    void shouldLendTheSameSessionAgain()
    {
        final FakeSession first = pool.borrow(Operation.GET, DEADLINE_NS);
        pool.giveBack(first);

        assertEquals(0, first.lentNs());
        assertSame(first, pool.borrow(Operation.GET, DEADLINE_NS));
        assertEquals(1, opened.size());
    }

    @Test
    void shouldForgetWhatABorrowerDidNotSpend()
    {
        final FakeSession session = pool.borrow(Operation.GET, DEADLINE_NS);
        assertTrue(session.spentNs > 0);
        pool.giveBack(session);

        assertEquals(0, session.spentNs);
    }

    @Test
    void shouldPreferASessionThatIsAttached()
    {
        final SessionPool<FakeSession> of = pool(4);
        final FakeSession first = of.borrow(Operation.GET, DEADLINE_NS);
        final FakeSession second = of.borrow(Operation.GET, DEADLINE_NS);
        of.giveBack(first);
        of.giveBack(second);
        first.isAttached = false;

        assertSame(second, of.borrow(Operation.GET, DEADLINE_NS));
        assertSame(first, of.borrow(Operation.GET, DEADLINE_NS));
    }

    @Test
    void shouldFailWhereAllStayLentUntilTheDeadline()
    {
        final SessionPool<FakeSession> of = pool(1);
        of.borrow(Operation.GET, DEADLINE_NS);
        final StoreException thrown =
            assertThrows(StoreDeadlineException.class, () -> of.borrow(Operation.PUT, DEADLINE_NS));

        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
        assertTrue(thrown.getMessage().contains("maxSessions=1"), thrown.getMessage());
    }

    @Test
    void shouldKeepAnInterruptOfAThreadThatWaits()
    {
        final SessionPool<FakeSession> of = pool(1);
        of.borrow(Operation.GET, DEADLINE_NS);
        Thread.currentThread().interrupt();

        assertThrows(StoreDeadlineException.class, () -> of.borrow(Operation.GET, DEADLINE_NS));
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldFailWhereTheFirstSessionCannotBeOpened()
    {
        refusal = noRoom();
        assertSame(refusal, assertThrows(StoreConnectException.class, () -> pool.borrow(Operation.GET, DEADLINE_NS)));

        refusal = null;
        assertFalse(pool.borrow(Operation.GET, DEADLINE_NS).isEnded);
    }

    @Test
    void shouldShareASessionWhereAnotherCannotBeOpened() throws Exception
    {
        final SessionPool<FakeSession> of = pool(4);
        final FakeSession first = of.borrow(Operation.GET, DEADLINE_NS);
        refusal = noRoom();
        final CompletableFuture<FakeSession> other =
            CompletableFuture.supplyAsync(() -> of.borrow(Operation.GET, TimeUnit.SECONDS.toNanos(30)));
        of.giveBack(first);

        assertSame(first, other.get(30, TimeUnit.SECONDS));
    }

    @Test
    void shouldEndIdleSessionsAtOnceAndLentOnesWhenTheyComeBack()
    {
        final SessionPool<FakeSession> of = pool(4);
        final FakeSession idle = of.borrow(Operation.GET, DEADLINE_NS);
        final FakeSession lent = of.borrow(Operation.GET, DEADLINE_NS);
        assertNotSame(idle, lent);
        of.giveBack(idle);
        context.close();
        of.close();
        assertTrue(idle.isEnded);
        assertFalse(lent.isEnded);
        assertFalse(of.awaitReturn(1_000_000));

        of.giveBack(lent);
        assertTrue(lent.isEnded);
        assertTrue(of.awaitReturn(0));
    }

    @Test
    void shouldRefuseToLendAfterTheClose()
    {
        pool.giveBack(pool.borrow(Operation.GET, DEADLINE_NS));
        context.close();
        pool.close();
        final StoreException thrown =
            assertThrows(StoreClosedException.class, () -> pool.borrow(Operation.DELETE, DEADLINE_NS));

        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
        assertEquals(1, opened.size());
        assertTrue(pool.awaitReturn(0));
    }
}

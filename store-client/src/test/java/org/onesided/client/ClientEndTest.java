package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.pool.Lendable;
import org.onesided.client.pool.SessionPool;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.ClientDevice;
import org.onesided.client.session.FixedDestination;
import org.onesided.client.session.LifeLine;
import org.onesided.client.types.Waiting;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;

/**
 * The end of a client one of whose parts does not end.
 */
@Timeout(60)
class ClientEndTest
{
    private static final HostAndPort SERVER = HostAndPort.parse("127.0.0.1:1");
    private static final String THREAD = "onesided-close " + SERVER;

    private final CountDownLatch isEnding = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private SessionPool<Lendable> pool;
    private ClientContext context;

    /** A session whose end takes as long as the test wants. */
    private final class Stuck extends Lendable
    {
        @Override
        protected boolean isAttached()
        {
            return true;
        }

        @Override
        protected void spend(final long durationNs)
        {
            // It does nothing.
        }

        @Override
        protected void end()
        {
            isEnding.countDown();
            try
            {
                mayEnd.await();
            }
            catch (final InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeEach
    void open() throws IOException
    {
        final ClientConfiguration configuration = new ClientConfiguration(
            SERVER.toString(), new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION,
            TimeUnit.SECONDS.toNanos(60), 1, 0, HugePages.AUTO, Waiting.DEFAULT, (before, now) -> { }, null);
        context = new ClientContext(
            configuration, new FixedDestination(SERVER),
            ClientDevice.open(
                new DeviceChoice("shm", StoreClientBuilder.DEFAULT_CONNECTION, true), HugePages.AUTO, 1),
            LifeLine.share());
        pool = new SessionPool<>(context, (operation, deadlineNs) -> new Stuck(), 1, 1);
        pool.giveBack(pool.borrow(Operation.GET, TimeUnit.SECONDS.toNanos(60)));
    }

    @AfterEach
    void end() throws InterruptedException
    {
        mayEnd.countDown();
        for (final Thread thread : closers())
        {
            thread.join();
        }
    }

    private static List<Thread> closers()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> thread.getName().equals(THREAD)).toList();
    }

    @Test
    void shouldBeGivenUpAtItsBoundAndGoOnInTheBackground() throws InterruptedException
    {
        context.close();
        final ClientEnd end = new ClientEnd(context, pool, List.of()).begin();
        isEnding.await();
        end.await(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
        assertEquals(1, closers().size());
        // A bound that has passed already is none to wait for.
        end.await(System.nanoTime() - 1);
        assertEquals(1, closers().size());

        mayEnd.countDown();
        end.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        assertTrue(closers().isEmpty());
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void shouldStopWaitingWhereItsThreadIsInterrupted() throws InterruptedException
    {
        context.close();
        final ClientEnd end = new ClientEnd(context, pool, List.of()).begin();
        isEnding.await();
        Thread.currentThread().interrupt();
        end.await(Long.MAX_VALUE / 2 + System.nanoTime());
        assertTrue(Thread.interrupted());
        assertEquals(1, closers().size());
    }

    /** As {@link StoreClient#close} says. */
    @Test
    void shouldTakeTenSecondsAtMost()
    {
        context.close();
        mayEnd.countDown();
        new ClientEnd(context, pool, List.of()).begin().await(ClientEnd.endNs());
        final long endNs = ClientEnd.endNs();
        assertTrue(endNs - System.nanoTime() <= TimeUnit.SECONDS.toNanos(10));
    }
}

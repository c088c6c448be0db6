package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * Sessions that have lost their server, with operations of short deadlines, one after the other: who listens in its
 * place is not run down, and they find the server once it is back.
 */
@Timeout(120)
@Tag("full")
class LostServerTest
{
    private static final int SESSIONS = 6;
    private static final long OUTAGE_NS = TimeUnit.SECONDS.toNanos(3);
    /** While the span doubles. */
    private static final int FIRST_ATTEMPTS = 10;
    /** Four are to be expected, at a quarter of a second on average; deadlines alone would make it some 70. */
    private static final int ATTEMPTS_PER_SECOND = 8;

    @Test
    void shouldAskForALostServerEverMoreSeldom() throws Exception
    {
        final ServerOptions options = new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(16L << 20).device("shm");
        final StoreServer first = StoreServer.start(options);
        final int port = first.address().getPort();
        try (StoreClient client = FaultyServer.hasty(StoreClient.builder()
            .server("127.0.0.1:" + port).device("shm").deadline(Duration.ofMillis(100))))
        {
            final List<StoreSession> sessions = sessions(client);
            first.close();
            final AtomicInteger attempts = new AtomicInteger();
            final long startNs = System.nanoTime();
            final Thread counter;
            try (ServerSocket standIn = new ServerSocket())
            {
                standIn.setReuseAddress(true);
                standIn.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                counter = new Thread(() -> count(standIn, attempts), "stand-in");
                counter.start();
                operate(sessions, startNs + OUTAGE_NS);
            }
            counter.join();
            final double seconds = (System.nanoTime() - startNs) / 1e9;
            assertTrue(attempts.get() > 0);
            assertTrue(attempts.get() <= SESSIONS * (FIRST_ATTEMPTS + ATTEMPTS_PER_SECOND * seconds),
                "attempts=" + attempts + " sessions=" + SESSIONS + " seconds=" + seconds);

            try (StoreServer second = StoreServer.start(options.listenPort(port)))
            {
                for (final StoreSession session : sessions)
                {
                    FaultyServer.await(() -> "the server to be found again", () -> isBack(session));
                }
                assertEquals(SESSIONS, client.clientStatistics().reconnects());
                assertTrue(second.isServing());
                sessions.forEach(StoreSession::close);
            }
        }
        finally
        {
            first.close();
        }
    }

    private static List<StoreSession> sessions(final StoreClient client) throws InterruptedException
    {
        final List<StoreSession> sessions = new ArrayList<>();
        FaultyServer.await(() -> "sessions", () ->
        {
            try
            {
                sessions.add(client.openSession());
            }
            catch (final StoreConnectException e)
            {
                return false;
            }
            return sessions.size() == SESSIONS;
        });
        return sessions;
    }

    private static void operate(final List<StoreSession> sessions, final long endNs) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final StoreSession session : sessions)
        {
            final Thread thread = new Thread(() ->
            {
                while (System.nanoTime() - endNs < 0)
                {
                    isBack(session);
                }
            }, "operator-" + threads.size());
            thread.start();
            threads.add(thread);
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
    }

    private static boolean isBack(final StoreSession session)
    {
        try
        {
            session.get("key");
            return true;
        }
        catch (final StoreDisconnectedException | StoreDeadlineException e)
        {
            return false;
        }
    }

    private static void count(final ServerSocket standIn, final AtomicInteger attempts)
    {
        while (!standIn.isClosed())
        {
            try
            {
                standIn.accept().close();
                attempts.incrementAndGet();
            }
            catch (final IOException e)
            {
                // Closed.
            }
        }
    }
}

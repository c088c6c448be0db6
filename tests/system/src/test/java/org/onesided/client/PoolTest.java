package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.ClientDevice;
import org.onesided.client.session.LifeLine;
import org.onesided.client.session.OperationBuffers;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.types.Waiting;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;

/**
 * Deadlines, interrupts and words for failures, where sessions are lent.
 */
@Timeout(300)
class PoolTest
{
    private final StoreServer server = StoreServer.start(new ServerOptions()
        .listenHost("127.0.0.1").listenPort(0).memory(64L << 20).shards(2).device("shm"));

    @AfterEach
    void stop()
    {
        server.close();
    }

    private StoreClientBuilder builder()
    {
        return StoreClient.builder()
            .server("127.0.0.1:" + server.address().getPort())
            .device("shm")
            .deadline(Duration.ofSeconds(20));
    }

    @Test
    void shouldNotChargeAnOperationForTheWaitOfTheOneBefore()
    {
        try (StoreClient client = builder().maxSessions(1).build())
        {
            client.put("key", "value");
            client.withSession(session ->
            {
                session.spend(TimeUnit.HOURS.toNanos(1));
                return null;
            });
            client.put("key", "other");
            assertEquals("other", client.get("key"));
        }
    }

    /** Not one session each, which would only take the processors from each other, and none fails. */
    @Test
    void shouldShareFewSessionsAmongManyThreads() throws InterruptedException
    {
        final int count = 200;
        final List<String> failures = Collections.synchronizedList(new ArrayList<>());
        try (StoreClient client = builder().maxSessions(count).build())
        {
            client.put("key", "value");
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                final Thread thread = new Thread(() -> look(client, failures), "sharing-" + i);
                thread.start();
                threads.add(thread);
            }
            for (final Thread thread : threads)
            {
                thread.join();
            }
            assertEquals(List.of(), failures);
            assertTrue(server.sessionCount() < count / 2, "sessions=" + server.sessionCount());
        }
    }

    private static void look(final StoreClient client, final List<String> failures)
    {
        try
        {
            for (int i = 0; i < 500; i++)
            {
                assertEquals("value", client.get("key"));
            }
        }
        catch (final RuntimeException | AssertionError e)
        {
            failures.add(e.toString());
        }
    }

    /** The server has no room until another leaves: who builds a client waits for that. */
    @Test
    void shouldConnectOnceThereIsRoom() throws Exception
    {
        try (StoreServer small = StoreServer.start(new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(16L << 20).device("shm").maxSessions(1)))
        {
            final String address = "127.0.0.1:" + small.address().getPort();
            final StoreClient first = builder().server(address).build();
            final CompletableFuture<StoreClient> second = CompletableFuture.supplyAsync(
                () -> builder().server(address).deadline(Duration.ofMinutes(2)).build());
            while (small.metrics().sessions().refusals().get("sessions") < 2)
            {
                assertFalse(second.isDone());
                Thread.onSpinWait();
            }
            first.close();
            second.get(120, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void shouldNameTheLimitThatWasMetWhenTimeIsUp()
    {
        try (StoreServer small = StoreServer.start(new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(16L << 20).device("shm").maxSessions(1)))
        {
            final StoreClientBuilder builder = builder().server("127.0.0.1:" + small.address().getPort());
            try (StoreClient first = builder.build())
            {
                final String message = assertThrows(StoreConnectException.class,
                    () -> builder.deadline(Duration.ofSeconds(2)).build()).getMessage();
                assertTrue(message.startsWith("server has no room now: no room for another session") &&
                    message.contains("sessions=1 max-sessions=1"), message);
                assertNull(first.get("key"));
            }
        }
    }

    @Test
    void shouldServeAnInterruptedThread()
    {
        try (StoreClient client = builder().maxSessions(1).build())
        {
            Thread.currentThread().interrupt();
            client.put("key", "value");
            assertEquals("value", client.get("key"));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void shouldTellThatAWriteOfAClosedClientWasNotApplied()
    {
        final StoreClient client = builder().build();
        final StoreSession session = client.openSession();
        session.put("key", "value");
        client.close();

        final StoreClosedException pooled =
            assertThrows(StoreClosedException.class, () -> client.put("other", "value"));
        assertEquals(WriteFate.NOT_APPLIED, pooled.writeFate());
        final StoreClosedException own =
            assertThrows(StoreClosedException.class, () -> session.delete("other"));
        assertEquals(WriteFate.NOT_APPLIED, own.writeFate());
        assertNull(own.key());
        session.close();
    }

    @Test
    void shouldTellThatAWriteWithoutSessionWasNotApplied()
    {
        try (StoreClient client = builder().maxSessions(1).deadline(Duration.ofSeconds(2)).build())
        {
            final StoreDeadlineException thrown = client.withSession(session ->
                assertThrows(StoreDeadlineException.class, () -> client.put("key", "value")));
            assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
        }
    }

    @Test
    void shouldNameTheOperationThatGotNoRoomForLongValues() throws Exception
    {
        final String address = "127.0.0.1:" + server.address().getPort();
        final ClientContext context = new ClientContext(
            new ClientConfiguration(
                address, new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION, 300_000_000L, 1, 1 << 20,
                HugePages.AUTO, Waiting.DEFAULT, (before, now) -> { }, null),
            HostAndPort.parse(address),
            ClientDevice.open(shm(), HugePages.AUTO, 1),
            LifeLine.share());
        try (StoreSession session =
            new StoreSession(context, Operation.CONNECT, TimeUnit.SECONDS.toNanos(20), false);
            BareSession other = new BareSession(context, TimeUnit.SECONDS.toNanos(20)))
        {
            other.core().operation().begin(Operation.PUT);
            final OperationBuffers buffers = other.core().buffers();
            final RegisteredBuffer all = buffers.take(160L << 20);
            try
            {
                assertEquals("scan", operation(assertThrows(
                    StoreDeadlineException.class, () -> session.scan((key, value) -> { }))));
                assertEquals("warm-up", operation(assertThrows(StoreDeadlineException.class, session::warmUp)));
            }
            finally
            {
                buffers.discard(all);
                other.core().endOperation();
            }
            session.scan((key, value) -> { });
        }
        finally
        {
            context.close();
            context.lifeLine().close();
            context.device().release();
        }
    }

    private static DeviceChoice shm()
    {
        return new DeviceChoice("shm", StoreClientBuilder.DEFAULT_CONNECTION, true);
    }

    @Test
    void shouldRefuseToBeCalledFromItsOwnScan()
    {
        try (StoreClient client = builder().build(); StoreSession session = client.openSession())
        {
            session.put("key", "value");
            final IllegalStateException thrown = assertThrows(
                IllegalStateException.class, () -> session.scan((key, value) -> session.delete("key")));
            assertTrue(thrown.getMessage().contains("running=scan"), thrown.getMessage());
            assertThrows(IllegalStateException.class, () -> session.scan((key, value) -> session.end()));
            assertEquals("value", session.get("key"));
        }
    }

    private static String operation(final StoreException e)
    {
        return e.getMessage().substring(0, e.getMessage().indexOf(':'));
    }
}

package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        try (StoreClient client = builder().maxSessions(1).deadline(Duration.ofMillis(300)).build())
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
                HugePages.AUTO, Waiting.DEFAULT, (before, now) -> { }),
            HostAndPort.parse(address),
            ClientDevice.open(shm(), HugePages.AUTO),
            new LifeLine("test"));
        try (StoreSession session =
            new StoreSession(context, Operation.CONNECT, TimeUnit.SECONDS.toNanos(20), false))
        {
            final LargeBuffers buffers = context.device().largeBuffers();
            final Deadline deadline = new Deadline();
            deadline.begin(TimeUnit.SECONDS.toNanos(20));
            final RegisteredBuffer all = buffers.take(160L << 20, deadline);
            try
            {
                assertEquals("scan", operation(assertThrows(
                    StoreDeadlineException.class, () -> session.scan((key, value) -> { }))));
                assertEquals("warm-up", operation(assertThrows(StoreDeadlineException.class, session::warmUp)));
            }
            finally
            {
                buffers.discard(all);
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
    void shouldNotUseADeviceThatIsClosed()
    {
        final ClientDevice device = ClientDevice.open(shm(), HugePages.AUTO);
        assertTrue(device.isRetained());
        device.release();
        device.release();
        assertFalse(device.isRetained());
        assertFalse(device.isRetained());
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

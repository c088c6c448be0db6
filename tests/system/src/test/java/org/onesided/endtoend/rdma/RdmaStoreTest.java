package org.onesided.endtoend.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.endtoend.DeviceStoreTest;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;

/**
 * The store over the device {@code ibv}, one server for all tests.
 */
@Tag("rdma")
@Timeout(600)
class RdmaStoreTest extends DeviceStoreTest
{
    private static final String DEVICE = "ibv";
    private static final Duration SHORT = Duration.ofMillis(500);

    RdmaStoreTest()
    {
        super("auto", DEVICE);
    }

    @Tag("full")
    @Test
    void shouldEndABatchAtTheDeadlineAndGoOn()
    {
        try (StoreClient hasty = client(HASTY); StoreSession session = hasty.openSession())
        {
            final List<byte[]> keys = new ArrayList<>();
            for (int i = 0; i < 100; i++)
            {
                keys.add(("late-" + i).getBytes(UTF_8));
            }
            session.put("before", "value");
            server().freeze();
            try
            {
                final StoreBatchException late =
                    assertThrows(StoreBatchException.class, () -> session.putAll(keys, keys));
                assertTrue(late.count(WriteFate.UNKNOWN) >= hasty.server().credits(), late.getMessage());
                assertEquals(0, late.count(WriteFate.APPLIED));
                assertEquals("value", session.get("before"));
            }
            finally
            {
                server().thaw();
            }
            session.putAll(keys, keys);
            assertEquals("late-7", session.get("late-7"));
        }
    }

    @Test
    void shouldLookUpWhileTheServerIsStopped()
    {
        try (StoreClient patient = client(PATIENT); StoreSession session = patient.openSession())
        {
            final String large = "x".repeat(300_000);
            patient.put("large", large);
            for (int i = 0; i < 50; i++)
            {
                patient.put("key-" + i, "value-" + i);
            }
            assertEquals("value-1", session.get("key-1"));
            server().freeze();
            try
            {
                for (int i = 0; i < 50; i++)
                {
                    assertEquals("value-" + i, session.get("key-" + i));
                }
                assertNull(session.get("absent"));
                final StoreDeadlineException late = assertThrows(
                    StoreDeadlineException.class, () -> session.within(SHORT).put("written", "late"));
                assertEquals(WriteFate.UNKNOWN, late.writeFate());
                assertEquals(large, session.get("large"));
                assertEquals("value-1", session.get("key-1"));
                assertEquals(0, session.clientStatistics().rpcGets());
            }
            finally
            {
                server().thaw();
            }
            patient.put("written", "after");
            assertEquals("after", patient.get("written"));
        }
    }

    @Tag("full")
    @Test
    void shouldFreeWhatAKilledClientHeld() throws IOException, InterruptedException
    {
        try (StoreClient client = client(PATIENT))
        {
            final String device = client.server().device().split("[: ]")[1];
            final long sessions = sessions(client);
            final int queuePairs = RdmaObjects.count(device, "qp");
            final int regions = RdmaObjects.count(device, "mr");
            final Process other = new ProcessBuilder(JavaCommand.of(
                "org.onesided.endtoend.rdma.ClientMain", List.of(server().address(), DEVICE, "3")))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
            try
            {
                assertEquals("value", other.inputReader(UTF_8).readLine());
                assertEquals(sessions + 3, sessions(client));
                // Two shards: on both sides each session has two queue pairs.
                assertEquals(queuePairs + 12, RdmaObjects.count(device, "qp"));
            }
            finally
            {
                other.destroyForcibly();
                assertTrue(other.waitFor(HangGuard.seconds(20), TimeUnit.SECONDS));
            }
            final long endNs = System.nanoTime() + HangGuard.nanos(30);
            while (sessions(client) != sessions || RdmaObjects.count(device, "qp") != queuePairs ||
                RdmaObjects.count(device, "mr") != regions)
            {
                assertTrue(System.nanoTime() - endNs < 0, "sessions=" + sessions(client) + " before=" + sessions +
                    " qp=" + RdmaObjects.count(device, "qp") + " before=" + queuePairs +
                    " mr=" + RdmaObjects.count(device, "mr") + " before=" + regions);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertEquals("value", client.get("from-another-process"));
        }
    }

    @Tag("full")
    @Test
    void shouldSayThatThePortIsDownAndGoOnWhenItIsUp() throws IOException
    {
        try (StoreClient patient = client(PATIENT); StoreClient hasty = client(HASTY))
        {
            hasty.put("key", "value");
            assertEquals("value", patient.get("key"));
            final String device = hasty.server().device().split("[: ]")[1];
            RdmaObjects.link(device, false);
            try
            {
                final long endNs = System.nanoTime() + HangGuard.nanos(30);
                final StoreException down = assertThrows(StoreException.class, () ->
                {
                    while (System.nanoTime() - endNs < 0)
                    {
                        hasty.get("key");
                    }
                });
                assertTrue(down.getMessage().contains("port down") && down.getMessage().contains("DOWN"),
                    down.getMessage());
            }
            finally
            {
                RdmaObjects.link(device, true);
            }
            assertEquals("value", patient.get("key"));
            patient.put("key", "other");
            assertEquals("other", patient.get("key"));
        }
    }
}

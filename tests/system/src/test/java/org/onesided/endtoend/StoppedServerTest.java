package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.testing.ServerProcess;

/**
 * Lookups need no server process, before and after the deadline of a write that does.
 */
@Timeout(300)
class StoppedServerTest
{
    private static final int KEYS = 1000;

    // Lookups and writes that must succeed share the short deadline of those that must not.
    @Tag("timing")
    @Test
    void shouldLookUpWhileTheServerIsStoppedEvenBehindAWriteThatTimedOut() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(20)).build();
            StoreClient hasty =
                StoreClient.builder().server(server.address()).deadline(Duration.ofMillis(500)).build();
            StoreSession session = hasty.openSession())
        {
            for (int i = 0; i < KEYS; i++)
            {
                client.put("key-" + i, "value-" + i);
            }
            client.put("large", "x".repeat(300_000));
            assertEquals("value-1", session.get("key-1"));
            server.freeze();
            try
            {
                assertAllThere(session);
                for (int i = 0; i < 3; i++)
                {
                    final StoreDeadlineException thrown =
                        assertThrows(StoreDeadlineException.class, () -> session.put("written", "late"));
                    assertEquals(i == 0 ? WriteFate.UNKNOWN : WriteFate.NOT_APPLIED, thrown.writeFate());
                    assertEquals("written", thrown.key());
                    assertAllThere(session);
                }
                assertEquals(0, session.clientStatistics().reconnects());
                assertEquals(0, session.clientStatistics().rpcGets());
            }
            finally
            {
                server.thaw();
            }
            client.put("after", "all");
            assertEquals("all", session.get("after"));
            session.put("written", "again");
            assertEquals("again", client.get("written"));
            assertEquals("again", session.get("written"));
        }
    }

    // Lookups and writes that must succeed share the short deadline of those that must not.
    @Tag("timing")
    @Tag("full")
    @Test
    void shouldLookUpHoweverManyWritesTimedOut() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(20)).build();
            StoreClient hasty =
                StoreClient.builder().server(server.address()).deadline(Duration.ofMillis(300)).build();
            StoreSession session = hasty.openSession())
        {
            session.put("key", "value");
            assertEquals("value", session.get("key"));
            final String longest = "x".repeat(7000);
            server.freeze();
            try
            {
                for (int i = 0; i < 12; i++)
                {
                    final int number = i;
                    assertThrows(StoreDeadlineException.class, () -> session.put("late-" + number, longest));
                }
                for (int i = 0; i < 10_000; i++)
                {
                    assertEquals("value", session.get("key"));
                }
                assertEquals(0, session.clientStatistics().reconnects());
            }
            finally
            {
                server.thaw();
            }
            client.put("after", "all");
            session.put("key", "other");
            assertEquals("other", session.get("key"));
        }
    }

    @Test
    void shouldShareTheSessionsThereAreAmongThreads() throws Exception
    {
        final ExecutorService executor = Executors.newFixedThreadPool(4);
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client = StoreClient.builder()
                .server(server.address()).maxSessions(8).deadline(Duration.ofSeconds(5)).build())
        {
            client.put("key", "value");
            server.freeze();
            try
            {
                final List<Future<?>> futures = new ArrayList<>();
                for (int t = 0; t < 4; t++)
                {
                    futures.add(executor.submit(() ->
                    {
                        for (int i = 0; i < 200; i++)
                        {
                            assertEquals("value", client.get("key"));
                        }
                    }));
                }
                for (final Future<?> future : futures)
                {
                    future.get(60, TimeUnit.SECONDS);
                }
            }
            finally
            {
                server.thaw();
            }
        }
        finally
        {
            executor.shutdownNow();
        }
    }

    @Tag("full")
    @Test
    void shouldReportALargePutsDeadlineAndGoOnAfterwards() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client = StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(2)).build())
        {
            final byte[] value = TestStore.randomBytes(500_000, 1);
            server.freeze();
            try
            {
                final StoreDeadlineException thrown = assertThrows(
                    StoreDeadlineException.class, () -> client.put(TestStore.bytes("large"), value));
                assertEquals(WriteFate.UNKNOWN, thrown.writeFate());
            }
            finally
            {
                server.thaw();
            }
            assertNull(client.get("absent"));
            client.put("key", "value");
            assertEquals("value", client.get("key"));
        }
    }

    private static void assertAllThere(final StoreSession session)
    {
        for (int i = 0; i < KEYS; i++)
        {
            assertEquals("value-" + i, session.get("key-" + i));
        }
        assertNull(session.get("absent"));
        assertEquals(300_000, session.get("large").length());
    }
}

package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.types.ClientStatistics;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.ServerProcess;

/**
 * What the server tells of all its clients, which tell it.
 */
class ReportedStatisticsTest
{
    @Test
    void shouldSumWhatClientsDidWhoseSessionsLiveAndEnded()
    {
        try (TestStore store = new TestStore(); StoreClient watcher = store.client())
        {
            assertEquals(0, watcher.reportedStatistics().gets());
            final ClientStatistics ended;
            try (StoreClient client = store.client())
            {
                client.put("key", "value");
                for (int i = 0; i < 99; i++)
                {
                    assertEquals("value", client.get("key"));
                }
                ended = client.clientStatistics();
            }
            try (StoreClient client = store.client(); StoreSession session = client.openSession())
            {
                assertNull(session.get("absent"));
                client.put("key", "other");
                assertTrue(session.delete("key"));
                // The session's report is on its way before its own question.
                assertEquals(1, session.reportedStatistics().misses());

                final ClientStatistics reported = client.reportedStatistics();
                assertEquals(100, reported.gets());
                assertEquals(99, reported.hits());
                assertEquals(2, reported.puts());
                assertEquals(1, reported.deletes());
                assertEquals(ended.reads() + 1, reported.reads());
                assertEquals(reported.reads() / 100.0, reported.readsPerGet());
            }
        }
    }

    /** Without being asked, so that others can be told. */
    @Test
    void shouldHearOfASessionWhileItGoesOn() throws InterruptedException
    {
        try (TestStore store = new TestStore(); StoreClient watcher = store.client();
            StoreClient client = store.client())
        {
            assertNull(client.get("absent"));
            while (watcher.reportedStatistics().gets() == 0)
            {
                Thread.sleep(10);
            }
            assertEquals(1, watcher.reportedStatistics().misses());
        }
    }

    /** A new session of the same client must not tell again what the one before has told. */
    @Test
    void shouldCountOnceWhatASessionDidThatReconnects() throws Exception
    {
        try (TestStore store = new TestStore();
            CuttingProxy proxy = new CuttingProxy(store.server().address().getPort());
            StoreClient client = StoreClient.builder().server(proxy.address()).device("shm").build())
        {
            assertNull(client.get("absent"));
            assertEquals(1, client.reportedStatistics().gets());
            proxy.cut();
            while (client.clientStatistics().reconnects() == 0)
            {
                assertNull(client.get("absent"));
            }
            assertTrue(client.reportedStatistics().gets() <= client.clientStatistics().gets());
        }
    }

    @Tag("full")
    @Test
    void shouldGiveUpWhenTheServerDoesNotAnswer() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client = StoreClient.builder()
                .server(server.address()).device("shm").deadline(Duration.ofSeconds(2)).build())
        {
            assertEquals(0, client.reportedStatistics().gets());
            server.freeze();
            assertThrows(StoreDeadlineException.class, client::reportedStatistics);
            server.thaw();
        }
    }
}

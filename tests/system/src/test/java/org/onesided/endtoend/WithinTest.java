package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreValueException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.typed.Codecs;
import org.onesided.client.typed.TypedStore;
import org.onesided.testing.ServerProcess;

/**
 * Views whose calls have another deadline than their store's. Where a call must fail at one of two deadlines, the other
 * one is so long that the test would hang.
 */
@Timeout(300)
class WithinTest
{
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration ENOUGH_TO_CONNECT = Duration.ofSeconds(2);
    private static final Duration SHORT = Duration.ofMillis(100);

    private static StoreClient client(final ServerProcess server, final Duration deadline)
    {
        return StoreClient.builder().server(server.address()).deadline(deadline).build();
    }

    private static StoreException failure(final Future<?> future)
    {
        return assertInstanceOf(StoreException.class, assertThrows(
            ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS)).getCause());
    }

    private static void assertLate(final StoreOperations store)
    {
        final StoreDeadlineException late =
            assertThrows(StoreDeadlineException.class, () -> store.put("written", "late"));
        assertEquals("written", late.key());
        assertThrows(StoreDeadlineException.class, () -> store.update("updated", value -> "late"));
        assertThrows(StoreDeadlineException.class, () -> store.increment("number", 1));
        assertThrows(StoreDeadlineException.class, store::statistics);
        assertThrows(StoreException.class, () -> store.deleteAll(List.of(TestStore.bytes("a"))));
        assertEquals("value", store.get("key"));
    }

    @Test
    void shouldFailAtTheDeadlineOfTheView() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client = client(server, LONG);
            StoreSession session = client.openSession())
        {
            client.put("key", "value");
            session.get("key");
            client.async().put("other", "value").join();
            server.freeze();
            try
            {
                assertLate(client.within(SHORT));
                assertLate(client.within(LONG).within(SHORT));
                assertLate(session.within(SHORT));
                assertLate(session.within(LONG).within(SHORT));
                final TypedStore<String, String> typed = TypedStore.of(client, Codecs.utf8(), Codecs.utf8());
                assertThrows(StoreDeadlineException.class, () -> typed.within(SHORT).put("written", "late"));
                final AsyncStore async = client.async().within(SHORT);
                assertInstanceOf(StoreDeadlineException.class, failure(async.put("written", "late")));
                assertInstanceOf(StoreDeadlineException.class, failure(async.increment("number", 1)));
                assertInstanceOf(StoreDeadlineException.class, failure(async.update("updated", value -> "late")));
                assertEquals("value", async.get("key").get(60, TimeUnit.SECONDS));
            }
            finally
            {
                server.thaw();
            }
            client.put("written", "in time");
            session.put("written", "in time");
            assertEquals("in time", client.within(LONG).get("written"));
        }
    }

    @Test
    void shouldLetTheStoreKeepItsOwnDeadline() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client = client(server, ENOUGH_TO_CONNECT);
            StoreSession session = client.openSession())
        {
            final StoreOperations patient = client.within(LONG);
            patient.put("key", "value");
            session.within(LONG).put("key", "value");
            assertThrows(StoreValueException.class, () -> session.within(LONG).increment("key", 1));
            server.freeze();
            final CountDownLatch begun = new CountDownLatch(1);
            final CompletableFuture<Void> put = CompletableFuture.runAsync(() ->
            {
                begun.countDown();
                patient.put("patient", "value");
            });
            final CompletableFuture<Void> later = client.async().within(LONG).put("later", "value");
            try
            {
                begun.await();
                // The pool may have no second session, and can open none.
                assertThrows(StoreException.class, () -> client.put("written", "late"));
                assertThrows(StoreDeadlineException.class, () -> session.put("written", "late"));
                assertInstanceOf(StoreDeadlineException.class, failure(client.async().put("written", "late")));
                assertFalse(put.isDone());
                assertFalse(later.isDone());
            }
            finally
            {
                server.thaw();
            }
            put.get(60, TimeUnit.SECONDS);
            later.get(60, TimeUnit.SECONDS);
            assertEquals("value", patient.get("patient"));
        }
    }

    @Test
    void shouldEndAFutureInTimeBehindOnesThatWaitForALostServer() throws Exception
    {
        final CompletableFuture<String> waiting;
        try (ServerProcess server = ServerProcess.start("--memory", "64m"); StoreClient client = client(server, LONG))
        {
            client.async().put("key", "value").get(60, TimeUnit.SECONDS);
            server.kill();
            waiting = client.async().get("key");
            final AsyncStore hasty = client.async().within(SHORT);
            assertInstanceOf(StoreException.class, failure(hasty.get("key")));
            final StoreException put = failure(hasty.put("key", "value"));
            assertTrue(put.writeFate() != WriteFate.APPLIED && put.writeFate() != WriteFate.NONE, put.toString());
            assertInstanceOf(StoreException.class, failure(hasty.update("key", value -> "updated")));
            assertFalse(waiting.isDone());
        }
        assertInstanceOf(StoreClosedException.class, failure(waiting));
    }

    @Test
    void shouldWaitForASessionNoLongerThanTheView()
    {
        try (TestStore store = new TestStore(); StoreClient client = StoreClient.builder()
            .server(store.address()).device("shm").deadline(LONG).maxSessions(1).build())
        {
            final StoreDeadlineException late = client.withSession(session -> assertThrows(
                StoreDeadlineException.class, () -> client.within(SHORT).get("key")));
            assertTrue(late.getMessage().contains("all sessions stayed lent"), late.getMessage());
        }
    }

    @Test
    void shouldRefuseWhatItsStoreRefuses()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            final StoreSession session = client.openSession();
            client.put("key", "value");
            assertThrows(IllegalArgumentException.class, () -> client.within(Duration.ZERO));
            assertThrows(IllegalArgumentException.class, () -> session.within(Duration.ofNanos(-1)));
            assertThrows(IllegalArgumentException.class, () -> client.async().within(Duration.ZERO));
            final StoreOperations view = session.within(LONG);
            assertThrows(IllegalStateException.class, () -> session.scan((key, value) -> view.get("key")));
            assertThrows(IllegalStateException.class, () -> view.scan((key, value) -> session.get("key")));
            assertEquals("value", view.get("key"));
            assertEquals(client.server(), view.server());
            session.close();
            assertThrows(StoreClosedException.class, () -> view.get("key"));
        }
    }
}

package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.session.ClientContext;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * Errors amid asynchronous operations: each operation is told its end all the same.
 */
@Timeout(300)
class AsyncErrorsTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);

    /** Throws the first time that it is told of anything. */
    private static final class ThrowingListener implements AsyncListener
    {
        private final List<Long> told = new ArrayList<>();
        private Throwable thrown;

        private ThrowingListener(final Throwable thrown)
        {
            this.thrown = thrown;
        }

        private void tell(final long correlation)
        {
            told.add(correlation);
            final Throwable now = thrown;
            thrown = null;
            if (now instanceof Error)
            {
                throw (Error)now;
            }
            if (now != null)
            {
                throw (RuntimeException)now;
            }
        }

        @Override
        public void onValue(final long correlation, final DirectBuffer value)
        {
            tell(correlation);
        }

        @Override
        public void onPut(final long correlation)
        {
            tell(correlation);
        }

        @Override
        public void onDelete(final long correlation, final boolean wasPresent)
        {
            tell(correlation);
        }

        @Override
        public void onFailure(final long correlation, final StoreException failure)
        {
            tell(correlation);
        }
    }

    private StoreServer server;
    private ClientContext context;

    @BeforeEach
    void start() throws Exception
    {
        server = StoreServer.start(
            new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(32 << 20).shards(1).device("shm"));
        context = BareSession.context("127.0.0.1:" + server.address().getPort());
    }

    @AfterEach
    void stop()
    {
        context.close();
        context.lifeLine().close();
        context.device().release();
        server.close();
    }

    private StoreSession session()
    {
        return new StoreSession(context, Operation.CONNECT, DEADLINE_NS, false);
    }

    private static AsyncOperation get(final String key, final AsyncOperation.Completion completion)
    {
        return new AsyncOperation(
            Operation.GET, Utf8.encode(key), null, System.nanoTime() + DEADLINE_NS, completion);
    }

    private static AsyncOperation put(final String key, final AsyncOperation.Completion completion)
    {
        return new AsyncOperation(
            Operation.PUT, Utf8.encode(key), new byte[1], System.nanoTime() + DEADLINE_NS, completion);
    }

    @Test
    void shouldTellTheRestOfTheLookupsWhenTheListenerThrowsAnError()
    {
        final Error bad = new AssertionError("bad listener");
        final ThrowingListener listener = new ThrowingListener(bad);
        try (StoreSession session = session())
        {
            final AsyncSession async = session.async(listener);
            for (int i = 0; i < 20; i++)
            {
                assertTrue(async.get(new UnsafeBuffer(Utf8.encode("key-" + i)), 0, 5, i));
            }
            assertSame(bad, assertThrows(AssertionError.class, async::poll));
            assertEquals(20, listener.told.size());
            assertEquals(0, async.inFlight());
            async.drain();

            assertTrue(async.get(new UnsafeBuffer(Utf8.encode("key")), 0, 3, 20));
            async.drain();
            assertEquals(21, listener.told.size());
        }
    }

    @Test
    void shouldFreeASessionWhoseListenerThrowsAtItsEnd()
    {
        final RuntimeException bad = new IllegalArgumentException("bad listener");
        final StoreSession session = session();
        final AsyncSession async = session.async(new ThrowingListener(bad));
        assertTrue(async.get(new UnsafeBuffer(Utf8.encode("key")), 0, 3, 1));

        assertSame(bad, assertThrows(IllegalArgumentException.class, session::close));
        assertFalse(session.isAttached());
        assertThrows(StoreClosedException.class, () -> session.get("key"));
    }

    @Test
    void shouldTellOthersWhenWhatDependsOnOneThrowsAnError() throws Exception
    {
        final CompletableFuture<StoreException> other = new CompletableFuture<>();
        final CompletableFuture<StoreException> later = new CompletableFuture<>();
        try (AsyncWorker worker = new AsyncWorker(context, AsyncThreads.share(), null, false))
        {
            // Begun together, since they are begun by the worker's own thread.
            worker.submit(get("a", (value, failure) ->
            {
                worker.submit(get("b", (none, why) ->
                {
                    throw new AssertionError("bad completion");
                }));
                worker.submit(get("c", (none, why) -> other.complete(why)));
            }));
            assertNull(other.get(60, TimeUnit.SECONDS));

            worker.submit(get("d", (none, why) -> later.complete(why)));
            assertNull(later.get(60, TimeUnit.SECONDS));
        }
    }
}

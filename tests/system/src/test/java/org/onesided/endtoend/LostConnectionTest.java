package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.testing.CuttingProxy;

@Timeout(300)
class LostConnectionTest
{
    private static final int LEAST_CUTS = 15;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldDoEachWriteOnceHoweverOftenTheConnectionIsCut(final String device) throws Exception
    {
        try (TestStore store = new TestStore(device);
            CuttingProxy proxy = new CuttingProxy(store.server().address().getPort());
            StoreClient client = store.clientBuilder().server(proxy.address()).build();
            StoreSession session = client.openSession())
        {
            final AtomicBoolean isDone = new AtomicBoolean();
            final AtomicInteger done = new AtomicInteger();
            final Thread cutter = new Thread(() ->
            {
                final Random random = new Random(5);
                int patience = 1;
                int doneBefore = 0;
                while (!isDone.get())
                {
                    // On a busy machine a connection needs more time to be of use.
                    pause((20 + random.nextInt(40)) * patience);
                    patience = done.get() > doneBefore ? 1 : patience + 1;
                    doneBefore = done.get();
                    proxy.cut();
                }
            });
            cutter.start();
            int puts = 0;
            try
            {
                final byte[] large = new byte[300_000];
                while (session.clientStatistics().reconnects() < LEAST_CUTS)
                {
                    final String key = "key-" + puts % 10;
                    session.put(key, "value-" + puts);
                    assertEquals("value-" + puts, session.get(key));
                    puts++;
                    done.set(puts);
                    if (puts % 20 == 0)
                    {
                        large[0] = (byte)puts;
                        session.put(TestStore.bytes("large"), large);
                        assertEquals((byte)puts, session.get(TestStore.bytes("large"))[0]);
                    }
                }
            }
            finally
            {
                isDone.set(true);
                cutter.join();
            }

            try (StoreClient observer = store.client())
            {
                assertEquals(puts + puts / 20,
                    observer.statistics().stream().mapToLong(shard -> shard.puts()).sum());
            }
            assertTrue(puts > 0);
        }
    }

    @Test
    void shouldGoOnWithLookupsWhenTheConnectionIsCut() throws Exception
    {
        try (TestStore store = new TestStore();
            CuttingProxy proxy = new CuttingProxy(store.server().address().getPort());
            StoreClient client = store.clientBuilder().server(proxy.address()).maxSessions(2).build())
        {
            client.put("key", "value");
            for (int i = 0; i < 5; i++)
            {
                proxy.cut();
                assertEquals("value", client.get("key"));
            }
        }
    }

    private static void pause(final long durationMs)
    {
        try
        {
            Thread.sleep(durationMs);
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }
}

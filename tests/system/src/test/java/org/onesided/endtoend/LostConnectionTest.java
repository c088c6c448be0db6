package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
            int puts = 0;
            try (Cutter cutter = new Cutter(proxy, 20, client))
            {
                cutter.start();
                final byte[] large = new byte[300_000];
                while (session.clientStatistics().reconnects() < LEAST_CUTS)
                {
                    final String key = "key-" + puts % 10;
                    session.put(key, "value-" + puts);
                    assertEquals("value-" + puts, session.get(key));
                    puts++;
                    if (puts % 20 == 0)
                    {
                        large[0] = (byte)puts;
                        session.put(TestStore.bytes("large"), large);
                        assertEquals((byte)puts, session.get(TestStore.bytes("large"))[0]);
                    }
                }
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
}

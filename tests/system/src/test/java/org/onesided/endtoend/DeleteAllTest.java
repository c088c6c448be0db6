package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.testing.ServerProcess;

class DeleteAllTest
{
    private static List<byte[]> keys(final int count)
    {
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            keys.add(bytes("key-" + i));
        }
        return keys;
    }

    private static Map<String, String> pairs(final StoreClient client)
    {
        final Map<String, String> pairs = new HashMap<>();
        client.scan((key, value) -> pairs.put(
            key.getStringWithoutLengthUtf8(0, key.capacity()), value.getStringWithoutLengthUtf8(0, value.capacity())));
        return pairs;
    }

    @ParameterizedTest
    @CsvSource({"shm, 1", "shm, 16", "tcp, 1", "tcp, 16"})
    void shouldDeleteWhatAModelSays(final String device, final int credits)
    {
        final Random random = new Random(credits);
        try (TestStore store = new TestStore(TestStore.options().shards(3).credits(credits)
                .device(device.equals("tcp") ? "tcp:127.0.0.1:0" : device));
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final Set<String> model = new HashSet<>();
            for (int batch = 0; batch < 20; batch++)
            {
                session.putAll(keys(100), keys(100));
                keys(100).forEach((key) -> model.add(new String(key)));
                final List<byte[]> some = new ArrayList<>();
                int there = 0;
                for (int i = random.nextInt(200); i > 0; i--)
                {
                    // Keys come more than once in a batch: only the first delete finds them.
                    final String key = "key-" + random.nextInt(150);
                    some.add(bytes(key));
                    there += model.remove(key) ? 1 : 0;
                }
                assertEquals(there, batch % 2 == 0 ? session.deleteAll(some) : client.deleteAll(some));
                assertEquals(model, pairs(client).keySet());
            }
            assertEquals(0, session.clientStatistics().reconnects());
        }
    }

    @Test
    void shouldEndAtTheDeadlineOfAStoppedServer() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "2");
            StoreClient hasty =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(3)).build();
            StoreSession session = hasty.openSession())
        {
            session.putAll(keys(100), keys(100));
            server.freeze();
            try
            {
                final StoreBatchException thrown =
                    assertThrows(StoreBatchException.class, () -> session.deleteAll(keys(100)));
                assertInstanceOf(StoreDeadlineException.class, thrown.getCause());
                assertTrue(thrown.count(WriteFate.UNKNOWN) >= hasty.server().credits(), thrown.getMessage());
                assertEquals(100, thrown.count(WriteFate.UNKNOWN) + thrown.count(WriteFate.NOT_APPLIED));
            }
            finally
            {
                server.thaw();
            }
            session.deleteAll(keys(100));
            assertEquals(Map.of(), pairs(hasty));
        }
    }
}

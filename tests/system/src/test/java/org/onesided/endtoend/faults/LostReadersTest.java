package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.TestSize;

/** Clients that are killed or stand still confirm nothing. They hold back memory that a heap gives up, not for ever. */
@Timeout(300)
class LostReadersTest
{
    private static final int KEYS = 8_000;
    private static final int LENGTH = 1_000;
    private static final int KEPT = 10;
    private static final long RELEASED = 2 << 20;

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldGiveMemoryBackThoughReadersAreGone(final String device) throws Exception
    {
        try (FaultyServer server = new FaultyServer("--memory", "32m", "--memory-initial", "1m", "--memory-release",
            "100ms", "--lease", "3s", "--device", FaultyServer.listening(device), "--shards", "1");
            StoreClient healthy = server.friend(device))
        {
            putAll(healthy);
            final List<String> arguments = List.of(server.address(), device);
            try (ClientProcess killed = ClientProcess.start(WorkingClient.class, server.quickFlags(), arguments))
            {
                assertEquals("working", killed.line());
                killed.signal("KILL");
                killed.end();
            }
            try (ClientProcess stopped = ClientProcess.start(WorkingClient.class, server.quickFlags(), arguments))
            {
                assertEquals("working", stopped.line());
                stopped.signal("STOP");
                deleteMost(healthy);
                FaultyServer.await(() -> "memory to be given back: " + healthy.statistics(),
                    () -> FaultyServer.sum(healthy, ShardStatistics::heapReleasedBytes) > RELEASED);
                assertThere(healthy, KEPT);
                putAll(healthy);
                assertThere(healthy, 1);

                stopped.signal("CONT");
                stopped.write("finish");
                final String line = stopped.line();
                assertTrue(line != null && line.startsWith("done "), line);
                assertEquals(0, stopped.end());
            }
            assertEquals(0, healthy.clientStatistics().reconnects());
        }
    }

    private static byte[] key(final int number)
    {
        return ("key-" + number).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] value(final int number)
    {
        final byte[] value = new byte[LENGTH];
        Arrays.fill(value, (byte)number);
        return value;
    }

    private static void putAll(final StoreClient client)
    {
        final List<byte[]> keys = new ArrayList<>();
        final List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < KEYS; i++)
        {
            keys.add(key(i));
            values.add(value(i));
        }
        client.putAll(keys, values);
    }

    /** Deletes all but one of ten, spread over the whole heap. */
    private static void deleteMost(final StoreClient client)
    {
        for (int i = 0; i < KEYS; i++)
        {
            assertTrue(i % KEPT == 0 || client.delete(key(i)));
        }
    }

    /** One of so many is there, and the others are not. */
    private static void assertThere(final StoreClient client, final int kept)
    {
        for (int i = 0; i < KEYS; i++)
        {
            if (i % kept == 0)
            {
                assertArrayEquals(value(i), client.get(key(i)));
            }
            else
            {
                assertNull(client.get(key(i)));
            }
        }
    }
}

package org.onesided.endtoend.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.read.SessionProbe;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.testing.HangGuard;
import org.onesided.testing.LoggedErrors;

/**
 * READs over the device {@code tcp} while a shard's thread changes what they copy, in place and elsewhere: they come
 * torn, the record's check finds it, and no lookup delivers one.
 */
@Timeout(300)
class TornReadTest
{
    private static final int KEYS = 8;
    private static final int READERS = 2;
    /** How long torn READs are waited for at least, and then how many are to be seen. */
    private static final long LEAST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int LEAST_RETRIES = 3;

    @RegisterExtension
    final LoggedErrors errors = new LoggedErrors();

    /**
     * @param length of values: small ones are changed in place; large ones get another place, whose former owner's
     *               bytes they write over, and are READ in pieces.
     */
    @ParameterizedTest
    @ValueSource(ints = {4000, 500_000})
    void shouldDeliverNoTornValue(final int length) throws Exception
    {
        final ExecutorService executor = Executors.newCachedThreadPool();
        try (StoreServer server = StoreServer.start(new ServerOptions()
                .listenHost("127.0.0.1").listenPort(0).memory(32L << 20).shards(1).device("tcp:127.0.0.1:0"));
            StoreClient client = StoreClient.builder()
                .server("127.0.0.1:" + server.address().getPort()).device("tcp")
                .deadline(Duration.ofSeconds(HangGuard.seconds(30))).build())
        {
            final AtomicBoolean isDone = new AtomicBoolean();
            final AtomicLong torn = new AtomicLong();
            for (int key = 0; key < KEYS; key++)
            {
                client.put(key(key), value(key, 0, length));
            }
            final Future<Long> writer = executor.submit(() -> write(client, length, isDone));
            final List<Future<Long>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++)
            {
                final int first = i;
                readers.add(executor.submit(() -> read(client, first, length, isDone, torn)));
            }
            final long beginNs = System.nanoTime();
            while (client.clientStatistics().retries() < LEAST_RETRIES || System.nanoTime() - beginNs < LEAST_NS)
            {
                assertTrue(System.nanoTime() - beginNs < HangGuard.nanos(120), "no torn READs: " +
                    client.clientStatistics());
                assertTrue(!writer.isDone() && readers.stream().noneMatch(Future::isDone), "somebody failed");
                TimeUnit.MILLISECONDS.sleep(10);
            }
            isDone.set(true);
            final long writes = writer.get(HangGuard.seconds(60), TimeUnit.SECONDS);
            for (final Future<Long> reader : readers)
            {
                assertTrue(reader.get(HangGuard.seconds(60), TimeUnit.SECONDS) > 0);
            }
            for (int key = 0; key < KEYS; key++)
            {
                assertEquals(writes / KEYS, number(key, client.get(key(key)), length));
            }
            assertEquals(0, client.clientStatistics().reconnects(), "nobody cuts a connection");
            // For tests/run bank.
            System.out.println("torn READs caught: " + torn);
        }
        finally
        {
            executor.shutdownNow();
            assertTrue(executor.awaitTermination(60, TimeUnit.SECONDS));
        }
    }

    /** Puts the next number under all keys, together, again and again; returns how many puts that were. */
    private static long write(final StoreClient client, final int length, final AtomicBoolean isDone)
    {
        final List<byte[]> keys = new ArrayList<>();
        for (int key = 0; key < KEYS; key++)
        {
            keys.add(key(key));
        }
        try (StoreSession session = client.openSession())
        {
            long number = 0;
            while (!isDone.get())
            {
                number++;
                final List<byte[]> values = new ArrayList<>();
                for (int key = 0; key < KEYS; key++)
                {
                    values.add(value(key, number, length));
                }
                session.putAll(keys, values);
            }
            return number * KEYS;
        }
    }

    /** Looks all keys up, again and again, whose numbers must not go back; returns how many lookups that were. */
    private static long read(
        final StoreClient client,
        final int first,
        final int length,
        final AtomicBoolean isDone,
        final AtomicLong torn)
    {
        final long[] last = new long[KEYS];
        long gets = 0;
        try (StoreSession session = client.openSession())
        {
            while (!isDone.get())
            {
                final int key = (int)((first + gets) % KEYS);
                final long number = number(key, session.get(key(key)), length);
                assertTrue(number >= last[key], "went back: " + number + " after " + last[key]);
                last[key] = number;
                gets++;
            }
            torn.addAndGet(new SessionProbe(session).tornReads());
        }
        return gets;
    }

    private static byte[] key(final int key)
    {
        return new byte[] {'k', (byte)key};
    }

    /** No two words are alike, neither within a value nor in the same place of two values. */
    private static byte[] value(final int key, final long number, final int length)
    {
        final ByteBuffer value = ByteBuffer.allocate(length);
        for (int i = 0; i < length / Long.BYTES; i++)
        {
            value.putLong(word(key, number, i));
        }
        return value.array();
    }

    private static long word(final int key, final long number, final int index)
    {
        return (number << 32 | (long)key << 24) + index;
    }

    /** Checks a value to the last word. */
    private static long number(final int key, final byte[] value, final int length)
    {
        assertEquals(length, value.length);
        final ByteBuffer words = ByteBuffer.wrap(value);
        final long number = words.getLong(0) >>> 32;
        for (int i = 0; i < length / Long.BYTES; i++)
        {
            if (words.getLong(i * Long.BYTES) != word(key, number, i))
            {
                throw new AssertionError("torn: key=" + key + " number=" + number + " index=" + i + " word=" +
                    Long.toHexString(words.getLong(i * Long.BYTES)));
            }
        }
        return number;
    }
}

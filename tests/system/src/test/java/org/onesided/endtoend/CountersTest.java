package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreValueException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.server.ServerOptions;
import org.onesided.testing.HangGuard;

/**
 * Increments and appends over real servers.
 */
@Timeout(300)
class CountersTest
{
    private static final String KEY = "key";
    private static final int MOST_ADDED = 4096;
    private static final int LONGEST = 65_536;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCountAndAppend(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            assertCounts(client);
            assertAppends(client);
            try (StoreSession session = client.openSession())
            {
                assertCounts(session);
                assertAppends(session);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldTellTheVersionOfEachWrite(final String device)
    {
        try (TestStore store = new TestStore(device);
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            assertVersions(client);
            assertVersions(session);
        }
    }

    private static void assertVersions(final StoreOperations store)
    {
        final MutableVersion version = new MutableVersion();
        final UnsafeBuffer key = new UnsafeBuffer(bytes(KEY));
        final UnsafeBuffer five = new UnsafeBuffer(bytes("5"));
        assertTrue(store.put(key, 0, key.capacity(), five, 0, 1, PutOptions.NONE, version));
        assertEquals(store.getVersioned(KEY).version(), version.toVersion());
        assertEquals(6, store.increment(bytes(KEY), 1, 0, Expiry.KEEP, version));
        final Version counted = store.getVersioned(KEY).version();
        assertEquals(counted, version.toVersion());
        assertEquals(2, store.append(bytes(KEY), bytes("7"), Expiry.KEEP, version));
        assertEquals(store.getVersioned(KEY).version(), version.toVersion());
        // Of a condition that does not hold, the version that it met.
        assertFalse(store.put(key, 0, key.capacity(), five, 0, 1, PutOptions.ifVersion(counted), version));
        assertEquals(store.getVersioned(KEY).version(), version.toVersion());
        final Version before = version.toVersion();
        store.put(KEY, "no number");
        assertThrows(StoreValueException.class, () -> store.increment(bytes(KEY), 1, 0, Expiry.KEEP, version));
        assertEquals(before, version.toVersion());
        store.delete(KEY);
    }

    private static void assertCounts(final StoreOperations store)
    {
        store.delete(KEY);
        assertEquals(5, store.increment(KEY, 5));
        assertEquals(3, store.increment(bytes(KEY), -2));
        assertEquals("3", store.get(KEY));
        assertEquals(-7, store.increment(KEY, -10, 1000));
        assertEquals("-7", store.get(KEY));
        store.delete(KEY);
        assertEquals(990, store.increment(KEY, -10, 1000));
        store.delete(KEY);
        assertEquals(1001, store.increment(bytes(KEY), 1, 1000));
        store.put(KEY, "41");
        final UnsafeBuffer key = new UnsafeBuffer(bytes("a " + KEY));
        assertEquals(42, store.increment(key, 2, KEY.length(), 1, 0));
        assertEquals("42", store.get(KEY));
        assertEquals(Long.MAX_VALUE, store.increment(KEY, Long.MAX_VALUE - 42));
        store.put(KEY, Long.toString(Long.MIN_VALUE));
        assertEquals(-1, store.increment(KEY, Long.MAX_VALUE));
    }

    private static void assertAppends(final StoreOperations store)
    {
        store.delete(KEY);
        assertEquals(5, store.append(KEY, "Hello"));
        assertEquals(7, store.append(bytes(KEY), bytes(", ")));
        final UnsafeBuffer value = new UnsafeBuffer(bytes("-w\u00F6rld!-"));
        final UnsafeBuffer key = new UnsafeBuffer(bytes("a " + KEY));
        assertEquals(14, store.append(key, 2, KEY.length(), value, 1, 7));
        assertEquals("Hello, w\u00F6rld!", store.get(KEY));
        assertEquals(14, store.append(KEY, ""));
        store.delete(KEY);
        assertEquals(0, store.append(KEY, ""));
        assertEquals("", store.get(KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldSayWhyTheValueDoesNotAllowIt(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            client.put(KEY, "007");
            assertRefused("increment: value is not the decimal text of a 64-bit number, put one or delete the key",
                () -> client.increment(KEY, 1));
            assertEquals("007", client.get(KEY));
            client.put(KEY, "9223372036854775807");
            assertRefused("increment: sum does not fit into 64 bits, put another number or add less",
                () -> client.increment(KEY, 1));
            assertEquals("9223372036854775807", client.get(KEY));
            client.put(bytes(KEY), new byte[LONGEST]);
            assertRefused("append: value would be too long for an append, begin another key: longest=65536",
                () -> client.append(KEY, "x"));
            assertArrayEquals(new byte[LONGEST], client.get(bytes(KEY)));
        }
    }

    private static void assertRefused(final String message, final Runnable operation)
    {
        final StoreValueException refused = assertThrows(StoreValueException.class, operation::run);
        assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
        assertEquals(KEY, refused.key());
        assertEquals(WriteFate.NOT_APPLIED, refused.writeFate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldAppendUpToItsLimits(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final byte[] longest = new byte[MOST_ADDED];
            Arrays.fill(longest, (byte)'x');
            for (int length = MOST_ADDED; length <= LONGEST; length += MOST_ADDED)
            {
                assertEquals(length, client.append(bytes(KEY), longest));
            }
            final byte[] whole = new byte[LONGEST];
            Arrays.fill(whole, (byte)'x');
            assertArrayEquals(whole, client.get(bytes(KEY)));
            assertTooMany(MOST_ADDED, () -> client.append(bytes("other"), new byte[MOST_ADDED + 1]));
            assertNull(client.get("other"));
        }
    }

    /** An append is one message. With keys of usual lengths, any that is allowed fits. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldRefuseAnAppendThatDoesNotFitIntoAMessageWithItsKey(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final byte[] key = new byte[MOST_ADDED];
            assertTooMany(4065, () -> client.append(key, new byte[4066]));
            assertNull(client.get(key));
            assertEquals(4065, client.append(key, new byte[4065]));
        }
    }

    private static void assertTooMany(final int longest, final Runnable append)
    {
        final StoreLimitException refused = assertThrows(StoreLimitException.class, append::run);
        assertTrue(refused.getMessage().startsWith("append: too many bytes for one append, append them in parts: "),
            refused.getMessage());
        assertTrue(refused.getMessage().contains("longest=" + longest), refused.getMessage());
        assertEquals(WriteFate.NOT_APPLIED, refused.writeFate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldChangeNothingIfTheStoreIsFull(final String device)
    {
        try (TestStore store = new TestStore(small(device)); StoreClient client = store.client())
        {
            client.put(KEY, "9");
            final StoreException full = assertThrows(StoreFullException.class, () -> fill(client));
            assertEquals(WriteFate.NOT_APPLIED, full.writeFate());
            assertThrows(StoreFullException.class, () -> client.append(bytes(KEY), new byte[MOST_ADDED]));
            assertEquals("9", client.get(KEY));
            assertEquals(10, client.increment(KEY, 1));
        }
    }

    private static ServerOptions small(final String device)
    {
        return TestStore.options().shards(1).memory(4 << 20).device(device.equals("tcp") ? "tcp:127.0.0.1:0" : device);
    }

    private static void fill(final StoreClient client)
    {
        for (int i = 0; i < 10_000; i++)
        {
            client.put(bytes("filling-" + i), new byte[4000]);
        }
    }

    /** The mirror learns from the answer where the record is: the lookup after it READs no bucket. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldLookUpWithOneReadWhatTheSessionHasWritten(final String device)
    {
        try (TestStore store = new TestStore(device);
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            session.increment("number", 1);
            session.append("text", "a");
            final long before = session.clientStatistics().bucketReads();
            assertEquals("1", session.get("number"));
            assertEquals("a", session.get("text"));
            assertEquals(before, session.clientStatistics().bucketReads());
            assertEquals(2, session.clientStatistics().puts());
            assertEquals(1, session.clientStatistics().bytesPut());
        }
    }

    /** Each number is the answer to one increment, and no byte of an append is lost. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldTakeEachEffectOnceAmongManyThreads(final String device) throws Exception
    {
        final int threads = 8;
        final int each = 500;
        final ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final List<Future<long[]>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++)
            {
                final String mark = Character.toString('a' + i);
                futures.add(executor.submit(() ->
                {
                    final long[] results = new long[each];
                    for (int k = 0; k < each; k++)
                    {
                        results[k] = client.increment("number", 1);
                        client.append("text", mark);
                    }
                    return results;
                }));
            }
            final BitSet seen = new BitSet();
            for (final Future<long[]> future : futures)
            {
                for (final long result : future.get(HangGuard.seconds(120), TimeUnit.SECONDS))
                {
                    seen.set((int)result);
                }
            }
            assertEquals(threads * each, seen.cardinality());
            assertEquals(threads * each + 1, seen.length());
            assertEquals(Integer.toString(threads * each), client.get("number"));
            final String text = client.get("text");
            for (int i = 0; i < threads; i++)
            {
                final int mark = 'a' + i;
                assertEquals(each, text.chars().filter(c -> c == mark).count());
            }
        }
        finally
        {
            executor.shutdownNow();
        }
    }
}

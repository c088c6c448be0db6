package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.read.SessionProbe;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;
import org.onesided.testing.HangGuard;

/**
 * Versions of lookups and writes, and writes under a condition, over real servers.
 */
@Timeout(300)
class ConditionalWritesTest
{
    private static final String KEY = "key";
    private static final int MOST_TRIES = 10;
    private static final int[] LENGTHS = {0, 1, 100, 5_000, 8_150, 8_192, 40_000, 300_000, 3_000_000};

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldTellAnOutcome(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            assertOutcomes(client);
            try (StoreSession session = client.openSession())
            {
                session.delete(KEY);
                assertOutcomes(session);
            }
        }
    }

    private static void assertOutcomes(final StoreOperations store)
    {
        assertNull(store.getVersioned(KEY));
        assertEquals(new WriteOutcome(false, null), store.putIfPresent(KEY, "none"));
        final WriteOutcome first = store.putIfAbsent(KEY, "first");
        assertTrue(first.applied());
        assertEquals(new VersionedValue<>("first", first.version()), store.getVersioned(KEY));
        assertEquals(new WriteOutcome(false, first.version()), store.putIfAbsent(KEY, "second"));
        final WriteOutcome second = store.putIfPresent(KEY, "second");
        assertTrue(second.applied());
        assertNotEquals(first.version(), second.version());
        assertEquals(new WriteOutcome(false, second.version()), store.putIfVersion(KEY, "third", first.version()));
        assertEquals(new WriteOutcome(false, second.version()), store.deleteIfVersion(KEY, first.version()));
        assertEquals("second", store.get(KEY));
        final WriteOutcome third = store.putIfVersion(KEY, "third", second.version());
        assertTrue(third.applied());
        assertEquals(new VersionedValue<>("third", third.version()), store.getVersioned(KEY));
        assertEquals(new WriteOutcome(true, null), store.deleteIfVersion(KEY, third.version()));
        assertEquals(new WriteOutcome(false, null), store.deleteIfVersion(KEY, third.version()));
        assertEquals(new WriteOutcome(false, null), store.putIfVersion(KEY, "fourth", third.version()));
        assertNull(store.get(KEY));
        assertTrue(store.putIfAbsent(KEY, "third").applied());
        assertFalse(store.putIfVersion(KEY, "fourth", third.version()).applied());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldTellTheSameVersionHoweverAValueIsLookedUp(final String device)
    {
        try (TestStore store = new TestStore(device);
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final SessionProbe probe = new SessionProbe(session);
            final MutableVersion version = new MutableVersion();
            final UnsafeBuffer into = new UnsafeBuffer(new byte[4_000_000]);
            for (final int length : LENGTHS)
            {
                final byte[] key = bytes("key-" + length);
                final byte[] value = TestStore.randomBytes(length, length);
                final WriteOutcome put = session.putIfAbsent(key, value);
                assertTrue(put.applied());
                assertFalse(session.putIfAbsent(key, value).applied());
                for (final boolean asks : new boolean[]{false, true, false})
                {
                    probe.askFirst(asks);
                    final VersionedValue<byte[]> found = session.getVersioned(key);
                    assertArrayEquals(value, found.value());
                    assertEquals(put.version(), found.version(), "length=" + length + " asks=" + asks);
                    assertEquals(
                        length, session.getVersioned(new UnsafeBuffer(key), 0, key.length, into, 0, version));
                    assertEquals(put.version(), version.toVersion());
                    assertEquals(-1, session.getVersioned(new UnsafeBuffer(key), 0, 1, into, 0, version));
                    assertNull(version.toVersion());
                }
                probe.askFirst(false);
                final WriteOutcome changed = session.putIfVersion(key, value, put.version());
                assertTrue(changed.applied());
                assertEquals(new WriteOutcome(false, changed.version()), session.deleteIfVersion(key, put.version()));
                assertTrue(session.deleteIfVersion(key, changed.version()).applied());
            }
            assertEquals(0, session.clientStatistics().reconnects());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldNotTakeTheVersionOfALostTableForOneOfTheNewTable(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final Version before = client.putIfAbsent(KEY, "value").version();
            store.restart();
            final Version after = client.putIfAbsent(KEY, "value").version();
            assertEquals(before.number(), after.number());
            assertNotEquals(before.tableId(), after.tableId());
            assertEquals(new WriteOutcome(false, after), client.putIfVersion(KEY, "other", before));
            assertEquals(new WriteOutcome(false, after), client.deleteIfVersion(KEY, before));
            assertEquals("value", client.get(KEY));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldUpdateAValue(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            assertNull(client.update(KEY, value -> value));
            assertEquals("1", client.update(KEY, value -> value == null ? "1" : "wrong"));
            assertEquals("11", client.update(KEY, value -> value + "1"));
            assertNull(client.update(KEY, value -> null));
            assertNull(client.get(KEY));
            assertNull(client.getAndPut(KEY, "a"));
            assertEquals("a", client.getAndPut(KEY, "b"));
            assertArrayEquals(bytes("b"), client.getAndPut(bytes(KEY), new byte[100_000]));
            assertArrayEquals(new byte[100_000], client.getAndDelete(bytes(KEY)));
            assertNull(client.getAndDelete(KEY));
            client.put(bytes(KEY), new byte[]{(byte)0xFF});
            assertThrows(StoreLimitException.class, () -> client.getAndDelete(KEY));
            assertArrayEquals(new byte[]{(byte)0xFF}, client.get(bytes(KEY)));
            assertThrows(IllegalStateException.class, () -> client.update(bytes(KEY), value ->
            {
                throw new IllegalStateException("no value");
            }));
            assertArrayEquals(new byte[]{(byte)0xFF}, client.getAndDelete(bytes(KEY)));
        }
    }

    /** The function itself changes the key, as another client would. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldBeginAgainWithTheValueOfAnother(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            client.put(KEY, "0");
            final List<String> seen = new ArrayList<>();
            assertEquals("2+", client.update(KEY, value ->
            {
                seen.add(value);
                if (seen.size() <= 2)
                {
                    client.put(KEY, Integer.toString(seen.size()));
                }
                return value + "+";
            }));
            assertEquals(List.of("0", "1", "2"), seen);
            assertEquals("2+", client.get(KEY));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldGiveUpAtTheDeadlineIfOthersKeepChangingTheKey(final String device)
    {
        try (TestStore store = new TestStore(device);
            StoreClient client = store.client();
            StoreClient other = store.client())
        {
            client.put(KEY, "0");
            final StoreOperations hasty = client.within(Duration.ofMillis(500));
            final int[] attempts = new int[1];
            StoreException failure = null;
            // On a busy machine the last attempt may take too long, and end at the deadline itself.
            for (int i = 0; i < MOST_TRIES && !(failure instanceof StoreConflictException); i++)
            {
                failure = assertThrows(StoreException.class, () -> hasty.update(KEY, value ->
                {
                    other.put(KEY, Integer.toString(++attempts[0]));
                    return "mine";
                }));
                assertEquals(Integer.toString(attempts[0]), other.get(KEY));
            }
            assertInstanceOf(StoreConflictException.class, failure);
            assertEquals(WriteFate.NOT_APPLIED, failure.writeFate());
            assertTrue(attempts[0] > MOST_TRIES, "attempts=" + attempts[0]);
            // The time of the next operation is its own.
            hasty.put(KEY, "next");
        }
    }

    @Test
    void shouldWriteNothingIfTheFunctionTakesTooLong()
    {
        try (TestStore store = new TestStore("shm"); StoreClient client = store.client())
        {
            client.put(KEY, "before");
            final StoreOperations hasty = client.within(Duration.ofMillis(200));
            final StoreException failure = assertThrows(StoreDeadlineException.class, () -> hasty.update(KEY, value ->
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(400));
                return "late";
            }));
            assertEquals(WriteFate.NOT_APPLIED, failure.writeFate());
            assertEquals("before", client.get(KEY));
        }
    }

    @Test
    void shouldTakeNoNullForAValueNorAConflictForARefusal()
    {
        try (TestStore store = new TestStore("shm"); StoreClient client = store.client())
        {
            client.put(KEY, "value");
            assertThrows(NullPointerException.class, () -> client.getAndPut(KEY, (String)null));
            assertEquals("function", assertThrows(
                NullPointerException.class, () -> client.update(bytes(KEY), null)).getMessage());
            assertEquals("value", client.get(KEY));
            assertFalse(client.putIfAbsent(KEY, "other").applied());
            assertEquals(0, client.statistics().stream().mapToLong(ShardStatistics::refused).sum());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldLoseNoUpdateOfManyThreads(final String device) throws Exception
    {
        final int threads = 4;
        final int each = 300;
        final ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++)
            {
                futures.add(executor.submit(() ->
                {
                    for (int k = 0; k < each; k++)
                    {
                        final String updated = client.update(
                            KEY, value -> value == null ? "1" : Integer.toString(Integer.parseInt(value) + 1));
                        assertNotNull(updated);
                    }
                }));
            }
            for (final Future<?> future : futures)
            {
                future.get(HangGuard.seconds(120), TimeUnit.SECONDS);
            }
            assertEquals(Integer.toString(threads * each), client.get(KEY));
        }
        finally
        {
            executor.shutdownNow();
        }
    }
}

package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;

/**
 * Keys that expire, over real servers.
 */
@Timeout(300)
class ExpiryTest
{
    private static final String KEY = "key";
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofHours(1);
    /** The server's clock may run that much slower or faster, and tells whole milliseconds. */
    private static final long SLEW_PART = 100;
    private static final long GRAIN_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LATEST_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static PutOptions ttl(final Duration ttl)
    {
        return PutOptions.expiringAfter(ttl);
    }

    /** Waits until a time to live that began before has passed by the server's clock, too. */
    private static void passed(final long startNs, final Duration ttl)
    {
        final long endNs = startNs + ttl.toNanos() + ttl.toNanos() / SLEW_PART + GRAIN_NS;
        for (long leftNs = endNs - System.nanoTime(); leftNs > 0; leftNs = endNs - System.nanoTime())
        {
            LockSupport.parkNanos(leftNs);
        }
    }

    private static long sum(final StoreClient client, final ToLongFunction<ShardStatistics> of)
    {
        return client.statistics().stream().mapToLong(of).sum();
    }

    // A machine with much to do lets the shard's thread, which removes keys, wait.
    @Tag("timing")
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldBeGoneForReadsFiftyMillisecondsAfterItsTime(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            for (int i = 0; i < 5; i++)
            {
                session.put(bytes(KEY), bytes("value"), ttl(SHORT));
                final long putNs = System.nanoTime();
                long foundNs = putNs;
                for (long nowNs = putNs; session.get(KEY) != null; nowNs = System.nanoTime())
                {
                    foundNs = nowNs;
                }
                final long lateNs = foundNs - putNs - SHORT.toNanos() - SHORT.toNanos() / SLEW_PART;
                assertTrue(lateNs < LATEST_NS, "late ns=" + lateNs);
            }
            assertEquals(0, session.clientStatistics().rpcGets());
            assertEquals(5, sum(client, ShardStatistics::expired));
            assertEquals(0, sum(client, ShardStatistics::expiring));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldStayUntilItsTimeAndBeAbsentForRequestsFromThenOn(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final long beginNs = System.nanoTime();
            final WriteOutcome put = client.put(bytes(KEY), bytes("value"), ttl(SHORT));
            final long doneNs = System.nanoTime();
            assertTrue(put.applied());
            while (true)
            {
                final boolean isThere = client.get(KEY) != null;
                final long nowNs = System.nanoTime();
                if (nowNs - beginNs > SHORT.toNanos() - SHORT.toNanos() / SLEW_PART - GRAIN_NS)
                {
                    break;
                }
                assertTrue(isThere, "gone early");
            }
            passed(doneNs, SHORT);
            assertNull(client.ttl(KEY));
            assertFalse(client.touch(KEY, LONG));
            assertFalse(client.putIfPresent(KEY, "other").applied());
            assertEquals(1, client.increment(KEY, 1));
            assertFalse(client.ttl(KEY).expires());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldChangeAndTellTimes(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            assertTimes(client);
            try (StoreSession session = client.openSession())
            {
                assertTimes(session);
            }
        }
    }

    private static void assertTimes(final StoreOperations store)
    {
        store.put(KEY, "1");
        assertEquals(TimeToLive.FOREVER, store.ttl(KEY));
        final Version version = store.getVersioned(KEY).version();
        assertTrue(store.touch(KEY, LONG));
        assertLives(store, LONG);
        assertEquals(version, store.getVersioned(KEY).version());
        assertEquals("1", store.get(KEY));
        // These keep it.
        store.increment(KEY, 1);
        store.append(KEY, "0");
        store.putIfPresent(KEY, "3");
        assertLives(store, LONG);
        store.increment(bytes(KEY), 1, 0, Expiry.after(Duration.ofDays(2)));
        assertLives(store, Duration.ofDays(2));
        store.append(bytes(KEY), bytes("0"), Expiry.after(LONG));
        assertLives(store, LONG);
        assertEquals("40", store.get(KEY));
        assertTrue(store.persist(KEY));
        assertEquals(TimeToLive.FOREVER, store.ttl(KEY));
        final Instant end = Instant.ofEpochMilli(System.currentTimeMillis()).plus(LONG);
        assertTrue(store.touch(new UnsafeBuffer(bytes(KEY)), 0, KEY.length(), Expiry.at(end)));
        assertEquals(end, store.ttl(KEY).end());
        assertTrue(store.touch(KEY, Expiry.NEVER));
        assertFalse(store.ttl(KEY).expires());
        assertTrue(store.touch(bytes(KEY), Expiry.at(end)));
        assertEquals(end, store.ttl(KEY).end());
        assertThrows(IllegalArgumentException.class, () -> store.touch(KEY, Expiry.KEEP));
        // A plain put takes it away.
        store.put(KEY, "1");
        assertEquals(TimeToLive.FOREVER, store.ttl(KEY));
        store.delete(KEY);
        assertNull(store.ttl(KEY));
        assertFalse(store.persist(KEY));
        // A time that is over: as if it had been put long ago.
        assertNull(store.put(bytes(KEY), bytes("1"), PutOptions.NONE.expiry(Expiry.at(Instant.EPOCH.plusMillis(1))))
            .version());
        assertNull(store.get(KEY));
    }

    private static void assertLives(final StoreOperations store, final Duration ttl)
    {
        final TimeToLive found = store.ttl(KEY);
        assertTrue(found.left().compareTo(ttl) <= 0, found.toString());
        assertTrue(found.left().compareTo(ttl.minusMinutes(10)) > 0, found.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldGiveKeysTheServersTime(final String device)
    {
        try (TestStore store = new TestStore(TestStore.options()
            .device(device.equals("tcp") ? "tcp:127.0.0.1:0" : device).defaultTtlNs(LONG.toNanos()));
            StoreClient client = store.client())
        {
            client.put(KEY, "1");
            assertLives(client, LONG);
            client.putAll(List.of(bytes("a"), bytes("b")), List.of(bytes("1"), bytes("2")),
                List.of(PutOptions.NONE, PutOptions.NONE.expiry(Expiry.NEVER)));
            assertTrue(client.ttl("a").expires());
            assertFalse(client.ttl("b").expires());
            client.persist(KEY);
            client.increment(KEY, 1);
            assertFalse(client.ttl(KEY).expires());
            assertEquals(1, client.increment("counter", 1));
            assertTrue(client.ttl("counter").expires());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldExpireLargeValues(final String device)
    {
        final byte[] value = TestStore.randomBytes(8 << 20, 1);
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            client.put(bytes(KEY), value, ttl(LONG));
            final Version version = client.getVersioned(bytes(KEY)).version();
            assertLives(client, LONG);
            assertTrue(client.touch(KEY, Duration.ofDays(3)));
            assertLives(client, Duration.ofDays(3));
            assertEquals(version, client.getVersioned(bytes(KEY)).version());
            assertArrayEquals(value, client.get(bytes(KEY)));
            client.put(bytes("later"), value);
            assertTrue(client.touch("later", SHORT));
            final long touchedNs = System.nanoTime();
            passed(touchedNs, SHORT);
            assertNull(client.ttl("later"));
            assertTrue(client.persist(KEY));
            assertArrayEquals(value, client.get(bytes(KEY)));
            assertEquals(1, sum(client, ShardStatistics::expired));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldPutManyWithTermsOfTheirOwn(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            client.put("there", "old");
            final Version old = client.getVersioned("there").version();
            final byte[] large = TestStore.randomBytes(100_000, 2);
            final List<WriteOutcome> outcomes = client.putAll(
                List.of(bytes("a"), bytes("there"), bytes("absent"), bytes("there"), bytes("large"), bytes("a")),
                List.of(bytes("1"), bytes("2"), bytes("3"), bytes("4"), large, bytes("6")),
                List.of(ttl(LONG), PutOptions.ifAbsent(), PutOptions.ifPresent(),
                    PutOptions.ifVersion(old).ttl(LONG), PutOptions.ifAbsent().ttl(LONG), PutOptions.ifPresent()));

            assertEquals(List.of(true, false, false, true, true, true),
                outcomes.stream().map(WriteOutcome::applied).toList());
            assertEquals(old, outcomes.get(1).version());
            assertNull(outcomes.get(2).version());
            assertEquals(client.getVersioned("there").version(), outcomes.get(3).version());
            assertEquals(client.getVersioned("a").version(), outcomes.get(5).version());
            assertEquals(client.getVersioned(bytes("large")).version(), outcomes.get(4).version());
            assertEquals("6", client.get("a"));
            assertEquals("4", client.get("there"));
            assertArrayEquals(large, client.get(bytes("large")));
            for (final String key : List.of("a", "there", "large"))
            {
                assertTrue(client.ttl(key).expires(), key);
            }
            assertEquals(3, sum(client, ShardStatistics::expiring));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldLookUpAndScanManyThatExpire(final String device)
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final int count = 1_000;
            final List<byte[]> keys = new ArrayList<>();
            final List<PutOptions> options = new ArrayList<>();
            final Map<String, Instant> expected = new HashMap<>();
            final Instant end = Instant.ofEpochMilli(System.currentTimeMillis()).plus(LONG);
            for (int i = 0; i < count; i++)
            {
                keys.add(bytes("key-" + i));
                options.add(i % 3 == 0 ? ttl(SHORT) : i % 3 == 2 ? PutOptions.NONE :
                    PutOptions.NONE.expiry(Expiry.at(end.plusMillis(i))));
                if (i % 3 != 0)
                {
                    expected.put("key-" + i, i % 3 == 1 ? end.plusMillis(i) : null);
                }
            }
            client.putAll(keys, keys, options);
            final long putNs = System.nanoTime();
            passed(putNs, SHORT);
            // A request removes what READs may still find, so that nothing depends on the shard's pace.
            keys.forEach(client::ttl);

            final List<byte[]> found = client.getAll(keys);
            for (int i = 0; i < count; i++)
            {
                assertTrue(i % 3 == 0 ? found.get(i) == null : Arrays.equals(keys.get(i), found.get(i)), "key " + i);
            }
            final Map<String, Instant> scanned = new HashMap<>();
            client.scanEntries(entry -> scanned.put(
                entry.key().getStringWithoutLengthUtf8(0, entry.key().capacity()), entry.expiry()));
            assertEquals(expected, scanned);
            assertNotNull(scanned.get("key-1"));
        }
    }
}

package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreValueException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;
import org.onesided.testing.HangGuard;

/**
 * Futures of conditions, counters, appends and times.
 */
@Timeout(300)
class AsyncWritesTest
{
    private static final Duration LONG = Duration.ofHours(1);

    private static <T> T ended(final Future<T> future) throws Exception
    {
        return future.get(HangGuard.seconds(60), TimeUnit.SECONDS);
    }

    private static Throwable failure(final Future<?> future)
    {
        return assertThrows(
            ExecutionException.class, () -> future.get(HangGuard.seconds(60), TimeUnit.SECONDS)).getCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldWriteUnderConditions(final String device) throws Exception
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            assertNull(ended(async.getVersioned("a")));
            assertFalse(ended(async.putIfPresent("a", "1")).applied());
            final Version first = ended(async.putIfAbsent("a", "1")).version();
            assertEquals(new WriteOutcome(false, first), ended(async.putIfAbsent(bytes("a"), bytes("2"))));
            assertEquals(new VersionedValue<>("1", first), ended(async.getVersioned("a")));
            final Version second = ended(async.putIfPresent(bytes("a"), bytes("2"))).version();
            assertEquals(new WriteOutcome(false, second), ended(async.putIfVersion("a", "3", first)));
            final Version third = ended(async.putIfVersion(bytes("a"), bytes("3"), second)).version();
            final VersionedValue<byte[]> found = ended(async.getVersioned(bytes("a")));
            assertArrayEquals(bytes("3"), found.value());
            assertEquals(third, found.version());
            assertEquals(client.getVersioned("a").version(), third);
            assertEquals(new WriteOutcome(false, third), ended(async.deleteIfVersion("a", second)));
            assertEquals(new WriteOutcome(true, null), ended(async.deleteIfVersion("a", third)));
            assertEquals(new WriteOutcome(false, null), ended(async.deleteIfVersion(bytes("a"), third)));
            assertFalse(client.contains("a"));
            // Longer than a READ of many, so that it is looked up singly.
            final byte[] large = TestStore.randomBytes(300_000, 1);
            ended(async.put(bytes("large"), large));
            final VersionedValue<byte[]> whole = ended(async.getVersioned(bytes("large")));
            assertArrayEquals(large, whole.value());
            assertEquals(client.getVersioned(bytes("large")).version(), whole.version());
            ended(async.put(bytes("binary"), new byte[] {-1}));
            assertInstanceOf(StoreLimitException.class, failure(async.getVersioned("binary")));
            assertThrows(NullPointerException.class, () -> async.putIfVersion("a", "1", null));
            assertThrows(NullPointerException.class, () -> async.deleteIfVersion("a", null));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCountAndAppend(final String device) throws Exception
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            assertEquals(5, ended(async.increment("n", 5)));
            assertEquals(3, ended(async.increment(bytes("n"), -2)));
            assertEquals(1001, ended(async.increment("from", 1, 1000)));
            assertEquals(1003, ended(async.increment(bytes("from"), 2, 5)));
            assertEquals("3", client.get("n"));
            assertEquals(Long.MIN_VALUE, ended(async.increment("low", Long.MIN_VALUE)));
            assertEquals(4, ended(async.increment("n", 1, 0, Expiry.after(LONG))));
            assertTrue(client.ttl("n").expires());
            assertEquals(5, ended(async.increment(bytes("n"), 1)));
            assertTrue(client.ttl("n").expires(), "an increment keeps the time");

            assertEquals(3, ended(async.append("text", "one")));
            assertEquals(6, ended(async.append(bytes("text"), bytes("two"))));
            assertEquals(6, ended(async.append("text", "", Expiry.after(LONG))));
            assertEquals("onetwo", client.get("text"));
            assertTrue(client.ttl("text").expires());

            final Throwable noNumber = failure(async.increment("text", 1));
            assertEquals(
                WriteFate.NOT_APPLIED, assertInstanceOf(StoreValueException.class, noNumber).writeFate());
            ended(async.put("most", Long.toString(Long.MAX_VALUE)));
            assertInstanceOf(StoreValueException.class, failure(async.increment("most", 1)));
            ended(async.put(bytes("long"), new byte[65_536]));
            assertInstanceOf(StoreValueException.class, failure(async.append("long", "x")));
            assertThrows(StoreLimitException.class, () -> async.append(bytes("a"), new byte[4097]));
            // With so long a key, they fit into no message.
            final Throwable tooLong = failure(async.append(new byte[4096], new byte[4096]));
            assertEquals(WriteFate.NOT_APPLIED, assertInstanceOf(StoreLimitException.class, tooLong).writeFate());
            assertEquals("onetwo", client.get("text"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldChangeAndTellTimes(final String device) throws Exception
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            assertNull(ended(async.ttl("a")));
            assertFalse(ended(async.touch("a", LONG)));
            assertFalse(ended(async.persist("a")));
            ended(async.put("a", "1"));
            assertSame(TimeToLive.FOREVER, ended(async.ttl(bytes("a"))));
            assertTrue(ended(async.touch("a", LONG)));
            final TimeToLive left = ended(async.ttl("a"));
            assertTrue(left.left().compareTo(LONG) <= 0 && left.left().compareTo(LONG.minusMinutes(30)) > 0,
                left.toString());
            assertTrue(ended(async.persist(bytes("a"))));
            assertFalse(ended(async.ttl("a")).expires());
            final Instant end = Instant.parse("2500-01-01T00:00:00Z");
            assertTrue(ended(async.touch(bytes("a"), Expiry.at(end))));
            assertEquals(end, ended(async.ttl("a")).end());
            assertTrue(ended(async.touch("a", Expiry.at(Instant.EPOCH.plusMillis(1)))));
            assertNull(ended(async.ttl("a")));
            assertThrows(IllegalArgumentException.class, () -> async.touch("a", Expiry.KEEP));
            assertThrows(IllegalArgumentException.class, () -> async.touch("a", Duration.ZERO));

            // More than are collected at a time.
            final List<CompletableFuture<TimeToLive>> all = new ArrayList<>();
            for (int i = 0; i < 300; i++)
            {
                async.put("many-" + i, "1", PutOptions.NONE.expiry(Expiry.at(end.plusMillis(i)))).join();
            }
            for (int i = 0; i < 300; i++)
            {
                all.add(async.ttl("many-" + i));
            }
            for (int i = 0; i < 300; i++)
            {
                assertEquals(end.plusMillis(i), ended(all.get(i)).end());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldReplaceAValueByOneThatIsComputedFromIt(final String device) throws Exception
    {
        try (TestStore store = new TestStore(device); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            assertEquals("new", ended(async.update("a", before -> before == null ? "new" : "mistaken")));
            assertEquals("new!", ended(async.update("a", before -> before + "!")));
            assertArrayEquals(bytes("x"), ended(async.update(bytes("a"), before -> bytes("x"))));
            assertNull(ended(async.update("a", before -> null)));
            assertNull(ended(async.update("a", before -> null)));
            assertFalse(client.contains("a"));

            assertNull(ended(async.getAndPut("a", "1")));
            assertEquals("1", ended(async.getAndPut("a", "2")));
            assertArrayEquals(bytes("2"), ended(async.getAndPut(bytes("a"), bytes("3"))));
            assertEquals("3", ended(async.getAndDelete("a")));
            assertNull(ended(async.getAndDelete(bytes("a"))));
            assertFalse(client.contains("a"));

            final RuntimeException thrown = new IllegalStateException("of the function");
            assertSame(thrown, failure(async.update("a", before ->
            {
                throw thrown;
            })));
            ended(async.put(bytes("binary"), new byte[] {-1}));
            assertInstanceOf(StoreLimitException.class, failure(async.getAndDelete("binary")));
            assertInstanceOf(StoreLimitException.class, failure(async.getAndPut("binary", "text")));
            assertArrayEquals(new byte[] {-1}, client.get(bytes("binary")));
            assertThrows(NullPointerException.class, () -> async.update("a", null));
        }
    }

    /** Each update that succeeds has seen the one before it. */
    @Test
    void shouldLoseNoUpdateOfManyAtATime() throws Exception
    {
        try (TestStore store = new TestStore(); StoreClient one = store.client(); StoreClient other = store.client())
        {
            final List<CompletableFuture<String>> futures = new ArrayList<>();
            for (int i = 0; i < 100; i++)
            {
                final AsyncStore async = (i % 2 == 0 ? one : other).async();
                futures.add(async.update(
                    "n", before -> before == null ? "1" : Long.toString(Long.parseLong(before) + 1)));
            }
            final Set<String> told = new HashSet<>();
            for (final CompletableFuture<String> future : futures)
            {
                assertTrue(told.add(ended(future)));
            }
            assertEquals(100, told.size());
            assertEquals("100", one.get("n"));
        }
    }

    @Test
    void shouldGiveAnUpdateUpAtItsDeadline() throws Exception
    {
        try (TestStore store = new TestStore();
            StoreClient hasty = store.clientBuilder().deadline(Duration.ofSeconds(HangGuard.seconds(2))).build();
            StoreClient other = store.client())
        {
            final AsyncStore async = hasty.async();
            ended(async.put("n", "0"));
            // Another is always ahead.
            final Throwable thrown = failure(async.update("n", before ->
            {
                other.put("n", "0");
                return "1";
            }));
            assertEquals(WriteFate.NOT_APPLIED, assertInstanceOf(StoreConflictException.class, thrown).writeFate());
            assertEquals("0", other.get("n"));
        }
    }

    /** A future that is cancelled begins no further attempt. */
    @Test
    void shouldEndAnUpdateWhoseFutureIsCancelled() throws Exception
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client(); StoreClient other = store.client())
        {
            final List<CompletableFuture<String>> running = new ArrayList<>();
            final CompletableFuture<Void> begun = new CompletableFuture<>();
            final AsyncStore async = client.async();
            running.add(async.update("n", before ->
            {
                begun.join();
                other.put("n", "other");
                running.get(0).cancel(false);
                return "mine";
            }));
            begun.complete(null);
            assertThrows(CancellationException.class, () -> running.get(0).join());
            // Behind all that the update may have begun.
            ended(async.put("after", "1"));
            assertEquals("other", client.get("n"));
        }
    }

    @Test
    void shouldFailAfterTheClose() throws Exception
    {
        try (TestStore store = new TestStore())
        {
            final StoreClient client = store.client();
            final AsyncStore async = client.async();
            ended(async.put("a", "1"));
            client.close();
            final Throwable write = failure(async.increment("n", 1));
            assertEquals(WriteFate.NOT_APPLIED, assertInstanceOf(StoreClosedException.class, write).writeFate());
            final Throwable question = failure(async.ttl("a"));
            assertEquals(WriteFate.NONE, assertInstanceOf(StoreClosedException.class, question).writeFate());
            assertInstanceOf(StoreClosedException.class, failure(async.update("a", before -> "2")));
        }
    }

    /** Lookups and questions go on with the next life of a server, whose table is empty. */
    @Test
    void shouldAskTheServersNextLife() throws Exception
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            final Version version = ended(async.put("a", "1", PutOptions.NONE)).version();
            store.restart();
            assertNull(ended(async.ttl("a")));
            assertNull(ended(async.getVersioned("a")));
            assertFalse(ended(async.putIfVersion("a", "2", version)).applied());
            assertEquals(1, ended(async.increment("a", 1)));
        }
    }
}

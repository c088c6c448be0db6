package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreValueException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.Version;
import org.onesided.testing.ServerProcess;

/**
 * Conditions, counters, appends and times in a session's asynchronous view.
 */
@Timeout(300)
class AsyncSessionWritesTest
{
    /** Remembers the end of each operation as text; one that is told twice is an error. */
    private static final class Told implements AsyncListener
    {
        private final Map<Long, String> ends = new TreeMap<>();
        private final Map<Long, StoreException> failures = new TreeMap<>();
        private Runnable event = () -> { };

        private void tell(final long correlation, final String end)
        {
            assertNull(ends.put(correlation, end), "told twice: " + correlation);
            event.run();
        }

        @Override
        public void onValue(final long correlation, final DirectBuffer value)
        {
            throw new AssertionError("told without a version");
        }

        @Override
        public void onValue(final long correlation, final DirectBuffer value, final MutableVersion version)
        {
            tell(correlation, value == null ? "absent " + version :
                value.getStringWithoutLengthUtf8(0, value.capacity()) + " " + version);
        }

        @Override
        public void onPut(final long correlation)
        {
            tell(correlation, "put");
        }

        @Override
        public void onConflict(final long correlation, final MutableVersion version)
        {
            tell(correlation, "conflict " + version);
        }

        @Override
        public void onDelete(final long correlation, final boolean wasPresent)
        {
            tell(correlation, "delete " + wasPresent);
        }

        @Override
        public void onIncrement(final long correlation, final long number, final MutableVersion version)
        {
            tell(correlation, "number " + number + " " + version);
        }

        @Override
        public void onAppend(final long correlation, final int length, final MutableVersion version)
        {
            tell(correlation, "length " + length + " " + version);
        }

        @Override
        public void onTouch(final long correlation, final boolean wasPresent)
        {
            tell(correlation, "touch " + wasPresent);
        }

        @Override
        public void onTtl(final long correlation, final TimeToLive ttl)
        {
            tell(correlation, ttl == null ? "ttl none" : "ttl " + ttl.end());
        }

        @Override
        public void onFailure(final long correlation, final StoreException failure)
        {
            failures.put(correlation, failure);
            tell(correlation, "failed");
        }
    }

    private final Told told = new Told();

    private static UnsafeBuffer buffer(final String text)
    {
        return new UnsafeBuffer(bytes(text));
    }

    private static void begin(final AsyncSession async, final long correlation, final LongPredicate operation)
    {
        while (!operation.test(correlation))
        {
            async.poll();
        }
    }

    private String end(final AsyncSession async, final long correlation)
    {
        async.drain();
        return told.ends.remove(correlation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldTellTheOutcomeOfEachKind(final String device)
    {
        try (TestStore store = new TestStore(device);
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            final UnsafeBuffer key = buffer("key");
            assertTrue(async.get(key, 0, 3, 1));
            assertEquals("absent null", end(async, 1));
            assertTrue(async.increment(key, 0, 3, 5, 100, Expiry.KEEP, 2));
            final String counted = end(async, 2);
            final Version first = client.getVersioned("key").version();
            assertEquals("number 105 " + first, counted);
            assertTrue(async.get(key, 0, 3, 3));
            assertEquals("105 " + first, end(async, 3));
            assertTrue(async.append(key, 0, 3, buffer("a67b"), 1, 2, Expiry.KEEP, 4));
            final String appended = end(async, 4);
            final Version second = client.getVersioned("key").version();
            assertEquals("length 5 " + second, appended);
            assertEquals("10567", client.get("key"));
            assertTrue(async.increment(key, 0, 3, -10_568, 0, Expiry.KEEP, 5));
            final String below = end(async, 5);
            assertEquals("number -1 " + client.getVersioned("key").version(), below);

            final Instant end = Instant.parse("2500-01-01T00:00:00Z");
            assertTrue(async.touch(key, 0, 3, Expiry.at(end), 6));
            assertEquals("touch true", end(async, 6));
            assertTrue(async.ttl(key, 0, 3, 7));
            assertEquals("ttl " + end, end(async, 7));
            assertTrue(async.touch(key, 0, 3, Expiry.NEVER, 8));
            assertEquals("touch true", end(async, 8));
            assertTrue(async.ttl(key, 0, 3, 9));
            assertEquals("ttl null", end(async, 9));
            assertTrue(async.touch(buffer("nobody"), 0, 6, Expiry.NEVER, 10));
            assertEquals("touch false", end(async, 10));
            assertTrue(async.ttl(buffer("nobody"), 0, 6, 11));
            assertEquals("ttl none", end(async, 11));

            final Version last = client.getVersioned("key").version();
            assertTrue(async.deleteIfVersion(key, 0, 3, second, 12));
            assertEquals("conflict " + last, end(async, 12));
            assertTrue(async.deleteIfVersion(key, 0, 3, last, 13));
            assertEquals("delete true", end(async, 13));
            assertTrue(async.deleteIfVersion(key, 0, 3, last, 14));
            assertEquals("conflict null", end(async, 14));
            assertFalse(client.contains("key"));

            // The last one's time is over: it is applied, and there is no version.
            assertTrue(async.increment(key, 0, 3, 1, 0, Expiry.at(Instant.EPOCH.plusMillis(1)), 15));
            assertEquals("number 1 null", end(async, 15));
            assertEquals(Map.of(), told.ends);
        }
    }

    /** A pipeline of writes of few keys that depend on each other: they take effect in their order, each once. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldKeepTheOrderOfWritesOfAKey(final String device)
    {
        try (TestStore store = new TestStore(device);
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            final UnsafeBuffer number = buffer("number");
            final UnsafeBuffer text = buffer("text");
            final UnsafeBuffer flipped = buffer("flipped");
            final int count = 1000;
            for (int i = 0; i < count; i++)
            {
                final int n = i;
                begin(async, 4L * i, id -> async.increment(number, 0, 6, 1, 0, Expiry.KEEP, id));
                begin(async, 4L * i + 1, id -> async.append(text, 0, 4, buffer("" + n % 10), 0, 1, Expiry.KEEP, id));
                begin(async, 4L * i + 2, id -> async.delete(flipped, 0, 7, id));
                begin(async, 4L * i + 3, id -> async.increment(flipped, 0, 7, 1, n, Expiry.KEEP, id));
            }
            async.drain();
            assertEquals(Map.of(), told.failures);
            final StringBuilder digits = new StringBuilder();
            for (int i = 0; i < count; i++)
            {
                digits.append(i % 10);
                assertTrue(told.ends.get(4L * i).startsWith("number " + (i + 1) + " "), told.ends.get(4L * i));
                assertTrue(told.ends.get(4L * i + 1).startsWith("length " + (i + 1) + " "));
                assertEquals("delete " + (i > 0), told.ends.get(4L * i + 2));
                assertTrue(told.ends.get(4L * i + 3).startsWith("number " + (i + 1) + " "));
            }
            assertEquals("" + count, client.get("number"));
            assertEquals(digits.toString(), client.get("text"));
        }
    }

    @Test
    void shouldTellOfValuesThatAllowNoIncrementOrAppend()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            client.put("text", "no number");
            client.put(bytes("long"), new byte[65_536]);
            final AsyncSession async = session.async(told);
            assertTrue(async.increment(buffer("text"), 0, 4, 1, 0, Expiry.KEEP, 1));
            assertTrue(async.append(buffer("long"), 0, 4, buffer("x"), 0, 1, Expiry.KEEP, 2));
            final UnsafeBuffer longest = new UnsafeBuffer(new byte[4096]);
            assertTrue(async.append(longest, 0, 4096, longest, 0, 4096, Expiry.KEEP, 3));
            async.drain();
            assertInstanceOf(StoreValueException.class, told.failures.get(1L));
            assertInstanceOf(StoreValueException.class, told.failures.get(2L));
            final StoreException tooLong =
                assertInstanceOf(StoreLimitException.class, told.failures.get(3L));
            assertEquals(WriteFate.NOT_APPLIED, tooLong.writeFate());
            assertThrows(StoreLimitException.class, () -> async.append(
                buffer("a"), 0, 1, new UnsafeBuffer(new byte[4097]), 0, 4097, Expiry.KEEP, 4));
            assertThrows(IllegalArgumentException.class, () -> async.touch(buffer("a"), 0, 1, Expiry.KEEP, 5));
            assertThrows(NullPointerException.class, () -> async.increment(buffer("a"), 0, 1, 1, 0, null, 6));
            assertThrows(NullPointerException.class, () -> async.deleteIfVersion(buffer("a"), 0, 1, null, 7));
            assertEquals(0, async.inFlight());
        }
    }

    /** Otherwise a listener of before would take them for others. */
    @Test
    void shouldNotLeaveAnEndToAListenerThatDoesNotTakeIt()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(new AsyncListener()
            {
                @Override
                public void onValue(final long correlation, final DirectBuffer value)
                {
                }

                @Override
                public void onPut(final long correlation)
                {
                }

                @Override
                public void onDelete(final long correlation, final boolean wasPresent)
                {
                }

                @Override
                public void onFailure(final long correlation, final StoreException failure)
                {
                    throw failure;
                }
            });
            final UnsafeBuffer key = buffer("key");
            final List<LongPredicate> operations = List.of(
                id -> async.increment(key, 0, 3, 1, 0, Expiry.KEEP, id),
                id -> async.append(key, 0, 3, key, 0, 3, Expiry.KEEP, id),
                id -> async.touch(key, 0, 3, Expiry.NEVER, id),
                id -> async.ttl(key, 0, 3, id));
            for (final LongPredicate operation : operations)
            {
                assertTrue(operation.test(1));
                assertThrows(UnsupportedOperationException.class, async::drain);
                assertEquals(0, async.inFlight());
            }
            assertEquals("1key", client.get("key"));
        }
    }

    @Test
    void shouldTakeQuestionsAndWritesFromItsListener()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            final UnsafeBuffer key = buffer("key");
            final long count = 900;
            final long[] next = {0};
            final Runnable begin = () ->
            {
                final long id = next[0];
                if (id < count && (id % 3 == 0 ? async.ttl(key, 0, 3, id) :
                    id % 3 == 1 ? async.increment(key, 0, 3, 1, 0, Expiry.KEEP, id) :
                    async.touch(key, 0, 3, Expiry.after(Duration.ofHours(1)), id)))
                {
                    next[0]++;
                }
            };
            told.event = begin;
            while (next[0] < count)
            {
                begin.run();
                async.poll();
            }
            async.drain();
            assertEquals(count, told.ends.size());
            assertEquals(Map.of(), told.failures);
            assertEquals("300", client.get("key"));
        }
    }

    @Test
    void shouldCollectNoMoreQuestionsThanThereIsRoomFor()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            final UnsafeBuffer longest = new UnsafeBuffer(new byte[4096]);
            int begun = 0;
            while (async.ttl(longest, 0, 4096, begun))
            {
                begun++;
            }
            assertEquals(16, begun);
            begin(async, begun, id -> async.ttl(longest, 0, 4096, id));
            async.drain();
            assertEquals(17, told.ends.size());
            int shorter = 100;
            while (async.ttl(longest, 0, 1, shorter))
            {
                shorter++;
            }
            assertEquals(164, shorter);
            async.drain();
            assertEquals(81, told.ends.size());
        }
    }

    @Test
    void shouldTellTheFateOfWhatIsInFlightWhenItIsClosed() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(20)).build())
        {
            final StoreSession session = client.openSession();
            final AsyncSession async = session.async(told);
            final UnsafeBuffer key = buffer("key");
            server.freeze();
            assertTrue(async.increment(key, 0, 3, 1, 0, Expiry.KEEP, 1));
            async.poll();
            assertTrue(async.touch(key, 0, 3, Expiry.NEVER, 2));
            assertTrue(async.ttl(key, 0, 3, 3));
            session.close();
            server.thaw();

            final List<String> fates = new ArrayList<>();
            told.failures.forEach((id, failure) -> fates.add(
                id + " " + failure.writeFate() + " " + (failure instanceof StoreClosedException)));
            assertEquals(List.of("1 UNKNOWN true", "2 NOT_APPLIED true", "3 NONE true"), fates);
            assertThrows(StoreClosedException.class, () -> async.ttl(key, 0, 3, 4));
        }
    }
}

package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.types.ClientStatistics;

class GetAllTest
{
    private final TestStore store = new TestStore(TestStore.options().shards(3));
    private final StoreClient writer = store.client();
    private final StoreClient client = store.client();
    private final StoreSession session = client.openSession();

    @AfterEach
    void stop()
    {
        session.close();
        client.close();
        writer.close();
        store.close();
    }

    private static List<byte[]> keys(final int count)
    {
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            keys.add(bytes("key-" + i));
        }
        return keys;
    }

    /** Every fifth key is absent, and some values take a READ of their own or several. */
    private static byte[] value(final int i)
    {
        return i % 5 == 4 ? null : TestStore.randomBytes(i % 97 == 0 ? 100_000 + i * 250 : i * 7 % 5000, i);
    }

    @Test
    void shouldLookUpTheKeysThatWereGivenThoughTheConsumerChangesThem()
    {
        final byte[] value = TestStore.randomBytes(300_000, 1);
        writer.put(bytes("short"), bytes("value"));
        writer.put(bytes("long"), value);
        final List<byte[]> keys = new ArrayList<>(List.of(bytes("short"), bytes("long")));
        final List<Integer> lengths = new ArrayList<>();

        session.getAll(keys, (index, found) ->
        {
            lengths.add(found.capacity());
            keys.set(1, bytes("short"));
        });

        assertEquals(List.of("value".length(), value.length), lengths);
    }

    private void assertValues(final int count)
    {
        final List<byte[]> values = session.getAll(keys(count));
        assertEquals(count, values.size());
        for (int i = 0; i < count; i++)
        {
            assertArrayEquals(value(i), values.get(i), "value " + i);
        }
    }

    @Test
    void shouldFindWhatIsThereInTheOrderOfTheKeys()
    {
        final int count = 1000;
        for (int i = 0; i < count; i++)
        {
            final byte[] value = value(i);
            if (value != null)
            {
                writer.put(bytes("key-" + i), value);
            }
        }

        assertValues(count);
        assertValues(count);
        assertEquals(2 * count, session.clientStatistics().gets());
    }

    @Test
    void shouldTakeOneReadPerKeyOnceTheBucketsAreKnown()
    {
        // So few that no bucket is split: a split that warmUp() meets costs READs later.
        final int count = 300;
        keys(count).forEach((key) -> writer.put(key, key));
        session.warmUp();
        final ClientStatistics before = session.clientStatistics();

        session.getAll(keys(count), (index, value) ->
            assertEquals("key-" + index, value.getStringWithoutLengthUtf8(0, value.capacity())));

        final ClientStatistics after = session.clientStatistics();
        final long reads = after.reads() - before.reads();
        assertTrue(reads >= count && reads <= count + TestStore.READS_OF_A_COLLISION, "reads=" + reads);
        final long others = count - (after.mirrorHits() - before.mirrorHits());
        assertTrue(others == 0 || others == 1 && reads > count, "not found by the mirror: " + others);
        final long buckets = after.bucketReads() - before.bucketReads();
        assertTrue(buckets < TestStore.READS_OF_A_COLLISION, "READs of buckets: " + buckets);
    }

    @Test
    void shouldTellWhatIsAbsentInOneReadOfItsBucket()
    {
        final int count = 500;
        session.warmUp();
        final ClientStatistics before = session.clientStatistics();

        session.getAll(keys(count)).forEach((value) -> assertNull(value));

        final ClientStatistics after = session.clientStatistics();
        assertEquals(count, after.misses() - before.misses());
        assertEquals(count, after.reads() - before.reads());
    }

    @Test
    void shouldFindRecordsThatTogetherAreLongerThanTheRoomForAGroup()
    {
        final int count = 100;
        for (int i = 0; i < count; i++)
        {
            writer.put(bytes("key-" + i), TestStore.randomBytes(20_000 + i, i));
        }
        session.warmUp();
        final ClientStatistics before = session.clientStatistics();

        final List<byte[]> values = session.getAll(keys(count));

        for (int i = 0; i < count; i++)
        {
            assertArrayEquals(TestStore.randomBytes(20_000 + i, i), values.get(i), "value " + i);
        }
        assertEquals(count, session.clientStatistics().reads() - before.reads());
    }

    @Test
    void shouldServeTheNextCallAfterAConsumerFailed()
    {
        final int count = 300;
        keys(count).forEach((key) -> writer.put(key, key));
        assertThrows(ArithmeticException.class, () -> session.getAll(keys(count), (index, value) ->
        {
            if (index == 70)
            {
                throw new ArithmeticException("made to fail");
            }
        }));

        final List<byte[]> values = session.getAll(keys(count));
        for (int i = 0; i < count; i++)
        {
            assertArrayEquals(bytes("key-" + i), values.get(i), "value " + i);
        }
        assertEquals(0, session.clientStatistics().reconnects());
    }

    @Test
    void shouldSeeWhatOthersChangedMeanwhile()
    {
        final int count = 200;
        keys(count).forEach((key) -> writer.put(key, key));
        session.getAll(keys(count));
        for (int i = 0; i < count; i++)
        {
            final byte[] key = bytes("key-" + i);
            switch (i % 4)
            {
                case 0 -> writer.put(key, bytes("new"));
                case 1 -> writer.put(key, new byte[777]);
                case 2 -> writer.delete(key);
                default ->
                {
                }
            }
        }

        final List<byte[]> values = session.getAll(keys(count));
        for (int i = 0; i < count; i++)
        {
            final byte[] expected = switch (i % 4)
            {
                case 0 -> bytes("new");
                case 1 -> new byte[777];
                case 2 -> null;
                default -> bytes("key-" + i);
            };
            assertArrayEquals(expected, values.get(i), "value " + i);
        }
    }

    @Test
    void shouldGoOnAfterTheServerBeganAnew()
    {
        final int count = 100;
        keys(count).forEach((key) -> writer.put(key, key));
        session.getAll(keys(count));

        store.restart();

        session.getAll(keys(count)).forEach((value) -> assertNull(value));
    }

    @Test
    void shouldTakeTheSameKeyTwiceAndNoKeyAtAll()
    {
        writer.put("a", "1");
        assertEquals(List.of(), session.getAll(List.of()));
        final List<byte[]> values = client.getAll(List.of(bytes("a"), bytes("b"), bytes("a")));
        assertArrayEquals(bytes("1"), values.get(0));
        assertNull(values.get(1));
        assertArrayEquals(bytes("1"), values.get(2));
    }

    @Test
    void shouldRefuseAKeyThatIsTooLongBeforeAnyValueIsPassed()
    {
        writer.put("a", "1");
        final List<Integer> passed = new ArrayList<>();
        final StoreLimitException refused = assertThrows(StoreLimitException.class, () ->
            session.getAll(List.of(bytes("a"), new byte[4097]), (index, value) -> passed.add(index)));
        assertTrue(refused.getMessage().contains("bytes: length=4097 index=1 "), refused.getMessage());
        assertTrue(passed.isEmpty());
    }

    @Test
    void shouldEndAtTheDeadlineAndKeepItsConnection()
    {
        final int count = 200;
        keys(count).forEach((key) -> writer.put(key, key));
        try (StoreClient hurried = store.clientBuilder().deadline(Duration.ofSeconds(1)).build();
            StoreSession own = hurried.openSession())
        {
            final List<Integer> passed = new ArrayList<>();
            assertThrows(StoreDeadlineException.class, () -> own.getAll(keys(count), (index, value) ->
            {
                passed.add(index);
                if (index == 0)
                {
                    LockSupport.parkNanos(Duration.ofMillis(1100).toNanos());
                }
            }));
            assertTrue(passed.size() < count, "all were passed");
            assertEquals("key-1", own.get("key-1"));
            assertEquals(0, own.clientStatistics().reconnects());
        }
    }

    @Test
    void shouldRefuseTheSessionToItsConsumer()
    {
        writer.put("a", "1");
        assertThrows(IllegalStateException.class, () ->
            session.getAll(List.of(bytes("a")), (index, value) -> session.get("a")));
        assertEquals("1", session.get("a"));
    }
}

package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Readers beside the writer, in the same memory. Some keys are always there, and each of their values tells its turn: a
 * reader may see no turn but those between the last one done, or seen by any reader, before it began and the last one
 * begun before it ended.
 */
@Timeout(300)
class ConcurrentReadersTest
{
    private static final int KEYS = 40;
    private static final int READERS = 2;
    private static final int TURNS = 300_000;

    private final AtomicLongArray begun = new AtomicLongArray(KEYS);
    private final AtomicLongArray done = new AtomicLongArray(KEYS);
    private final AtomicLongArray seen = new AtomicLongArray(KEYS);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stop;

    @AfterEach
    void joinReaders() throws InterruptedException
    {
        stop = true;
        for (final Thread thread : threads)
        {
            thread.join();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 6, 15, 26000, 400, 40000", "2, 60, 20, 220000, 6000, 40000", "3, 6, 20, 3000000, 100000, 2000",
        "4, 6, 20, 6000000, 200000, 1000"})
    void shouldNeverSeeAWrongTornOrAbsentValue(
        final long seed,
        final int buckets,
        final int overflow,
        final long heapLength,
        final int maxLength,
        final int puts)
        throws InterruptedException
    {
        final Random random = new Random(seed);
        try (TestTable t = new TestTable(TestTable.superblock(buckets, overflow, heapLength / 64 * 64), maxLength))
        {
            for (int key = 0; key < KEYS; key++)
            {
                assertEquals(Status.OK, put(t, key, 8, 1));
            }
            for (int i = 0; i < READERS; i++)
            {
                final long readerSeed = seed * 100 + i;
                start(() -> read(t, readerSeed));
            }
            int refused = 0;
            for (int i = 0; i < puts && failure.get() == null; i++)
            {
                final int key = random.nextInt(KEYS);
                final int words = 1 + random.nextInt(maxLength / 8);
                refused += put(t, key, words * Long.BYTES, done.get(key) + 1) == Status.OK ? 0 : 1;
                // Keys that come and go take and leave slots and places.
                UnsafeApi.putLong(t.key().address(), 1000 + random.nextInt(60));
                if (random.nextBoolean())
                {
                    put(t, random.nextInt(maxLength));
                }
                else
                {
                    t.table.delete(t.hash(8), t.key().address(), 8, t.result);
                }
            }
            joinReaders();
            assertNull(failure.get(), () -> String.valueOf(failure.get()));
            assertTrue(t.table.statistics().recordsMoved() > puts / 100, () -> t.table.statistics().toString());
            final int never = refused;
            assertTrue(refused < puts / 2, () -> "refused " + never);
        }
    }

    private Status put(final TestTable t, final int key, final int length, final long turn)
    {
        RegionReader.describe(t.value().address(), length / Long.BYTES, key, turn);
        UnsafeApi.putLong(t.key().address(), key);
        begun.set(key, turn);
        final Status status = put(t, length);
        if (status == Status.OK)
        {
            done.set(key, turn);
        }
        return status;
    }

    /** Puts what is at the value's address, and makes room in short steps where it must. */
    private static Status put(final TestTable t, final int length)
    {
        Status status = Status.BUSY;
        long spent = 1;
        while (status == Status.BUSY && spent > 0)
        {
            status = t.table.put(t.hash(8), t.key().address(), 8, t.value().address(), length, t.result);
            spent = status == Status.BUSY ? t.table.makeRoom(ShardTable.recordLength(8, length), 500) : 0;
        }
        return status;
    }

    private void read(final TestTable t, final long seed)
    {
        final Random random = new Random(seed);
        final long[] mirror = new long[KEYS];
        long reads = 0;
        try (RegionReader reader = new RegionReader(t.region()))
        {
            while (!stop || reads < 1_000)
            {
                final int key = random.nextInt(KEYS);
                final long least = Math.max(done.get(key), seen.get(key));
                assertTrue(reader.get(key, mirror[key]), () -> "absent: key=" + key);
                final long most = begun.get(key);
                mirror[key] = random.nextInt(10) == 0 ? mirror[key] : reader.lastSlot();
                assertTrue(RegionReader.isWhole(reader.value(), reader.valueLength() / Long.BYTES, key), "torn");
                final long turn = UnsafeApi.getLong(reader.value());
                assertTrue(turn >= least && turn <= most, () -> turn + " not in " + least + " to " + most);
                seen.accumulateAndGet(key, turn, Math::max);
                reads++;
            }
        }
        catch (final Throwable thrown)
        {
            failure.compareAndSet(null, thrown);
        }
    }

    /** A key whose record goes to and fro between two places: never are both live. */
    @Test
    void shouldNeverShowTwoLiveRecordsOfAKey() throws InterruptedException
    {
        try (TestTable t = new TestTable(1 << 20, 4096))
        {
            assertEquals(Status.OK, put(t, 0, 16, 1));
            final long first = t.address(t.layout.recordOffset(t.result.slotWord()));
            assertEquals(Status.OK, put(t, 0, 48, 2));
            final long second = t.address(t.layout.recordOffset(t.result.slotWord()));
            start(() -> watch(first, second));
            int places = 0;
            for (int turn = 3; turn < TURNS && failure.get() == null; turn++)
            {
                put(t, 0, turn % 2 == 1 ? 16 : 48, turn);
                final long place = t.address(t.layout.recordOffset(t.result.slotWord()));
                places += place == (turn % 2 == 1 ? first : second) ? 1 : 0;
            }
            joinReaders();
            assertNull(failure.get(), () -> String.valueOf(failure.get()));
            assertEquals(TURNS - 3, places);
        }
    }

    private void watch(final long first, final long second)
    {
        while (!stop)
        {
            // A code that is there before and after was there in between: codes never come back, versions do not.
            final long before = UnsafeApi.getLongAcquire(null, first);
            final long other = UnsafeApi.getLongAcquire(null, second);
            final long after = UnsafeApi.getLongAcquire(null, first);
            if (before == after && isLive(before) && isLive(other))
            {
                failure.compareAndSet(null, new AssertionError("both live"));
                return;
            }
        }
    }

    /** A key that comes and goes in one place. A mirror may lead there, so it is live only if its slot is filled. */
    @Test
    void shouldShowNoLiveRecordBesideAnEmptySlot() throws InterruptedException
    {
        try (TestTable t = new TestTable(1 << 20, 4096))
        {
            assertEquals(Status.OK, put(t, 0, 16, 1));
            final long place = t.address(t.layout.recordOffset(t.result.slotWord()));
            final long slot =
                t.address(t.result.bucketOffset()) + BucketDescriptor.slotOffset(t.result.slotIndex());
            start(() -> watchSlot(place, slot));
            int places = 0;
            for (int turn = 2; turn < TURNS && failure.get() == null; turn++)
            {
                assertEquals(Status.OK, t.table.delete(t.hash(8), t.key().address(), 8, t.result));
                put(t, 0, 16, turn);
                places += t.address(t.layout.recordOffset(t.result.slotWord())) == place ? 1 : 0;
            }
            joinReaders();
            assertNull(failure.get(), () -> String.valueOf(failure.get()));
            assertEquals(TURNS - 2, places);
        }
    }

    private void watchSlot(final long place, final long slot)
    {
        while (!stop)
        {
            final long before = UnsafeApi.getLongAcquire(null, place);
            final long word = UnsafeApi.getLongAcquire(null, slot);
            final long after = UnsafeApi.getLongAcquire(null, place);
            if (before == after && isLive(before) && word == SlotWord.EMPTY)
            {
                failure.compareAndSet(null, new AssertionError("live, and its slot is empty"));
                return;
            }
        }
    }

    private static boolean isLive(final long check)
    {
        return check != RecordDescriptor.DEAD && check != RecordDescriptor.BEING_WRITTEN;
    }

    /** What the first test would see if readers did not look at the check word: it can see torn values. */
    @Test
    void shouldSeeTornValuesWithoutTheCheck() throws InterruptedException
    {
        try (TestTable t = new TestTable(1 << 20, 4096))
        {
            assertEquals(Status.OK, put(t, 0, 4000, 1));
            final long slot = t.result.slotWord();
            start(() -> readUntilTorn(t, slot));
            long turn = 1;
            for (final long end = System.nanoTime() + 60_000_000_000L; !stop && System.nanoTime() < end; )
            {
                put(t, 0, 4000, ++turn);
            }
            assertTrue(stop, "no torn value in a minute");
            assertEquals(slot, t.result.slotWord());
        }
    }

    private void readUntilTorn(final TestTable t, final long slot)
    {
        try (RegionReader reader = new RegionReader(t.region()))
        {
            do
            {
                reader.readUnchecked(slot);
            }
            while (!stop && RegionReader.isWhole(reader.value(), 500, 0));
        }
        stop = true;
    }

    private void start(final Runnable work)
    {
        final Thread thread = new Thread(work, "reader-" + threads.size());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }
}

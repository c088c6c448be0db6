package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.WriteOutcome;
import org.onesided.protocol.table.KeyHash;

class ClusterBatchesTest
{
    private static final int COUNT = 5;
    private static final long SEED = 0x1234_5678_9ABCL;

    /** Writes that a partition takes before it answers. */
    private static final int WINDOW = 3;
    private static final long LONG_NS = 60_000_000_000L;
    private static final int MAX_VALUE = 100;
    private static final ServerInfo MEMBER = new ServerInfo(
        "one,two", 1, 2, COUNT, "shm", 16, 64, 4096, 4096, MAX_VALUE, 1 << 20, false, 1_000, "none", 0);

    private static final long PAUSE_NS = 1_000_000;

    private final List<Map<String, String>> stores = new ArrayList<>();
    private final List<Integer> used = new ArrayList<>();
    private final Set<Integer> sending = new TreeSet<>();
    private final List<FakeWrites> writes = new ArrayList<>();
    private final List<Integer> finished = new ArrayList<>();
    private final Partitions partitions =
        new Partitions(COUNT, SEED, "one,two", "one,two", LONG_NS, (shard, durationNs) ->
        {
            throw new StoreConnectException("not there", FailureContext.ofServer("one"), null);
        });
    private final ClusterBatches batches =
        new ClusterBatches(partitions, MEMBER, (shard, restNs) -> new FakePartition(shard), LONG_NS);
    private int failing = -1;
    private StoreException failure;
    private int open;
    private int awaits;

    ClusterBatchesTest()
    {
        for (int i = 0; i < COUNT; i++)
        {
            stores.add(new TreeMap<>());
        }
    }

    private final class FakePartition implements ClusterBatches.Partition
    {
        private final int shard;
        private final Map<String, String> store;

        FakePartition(final int shard)
        {
            this.shard = shard;
            store = stores.get(shard);
            used.add(shard);
        }

        @Override
        public ClusterBatches.Lookups get(
            final List<byte[]> keys, final ValueConsumer consumer, final long atNs)
        {
            open++;
            return new ClusterBatches.Lookups()
            {
                @Override
                public void finish()
                {
                    assertEquals(COUNT, used.size(), "begun before the first is finished");
                    finished.add(shard);
                    for (int i = 0; i < keys.size(); i++)
                    {
                        final String value = store.get(text(keys.get(i)));
                        consumer.accept(i, value == null ? null : new UnsafeBuffer(bytes(value)));
                    }
                }

                @Override
                public void close()
                {
                    open--;
                }
            };
        }

        @Override
        public ClusterBatches.Writes put(
            final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options, final long atNs)
        {
            return new FakeWrites(shard, keys.size(), (i) ->
            {
                final String value = text(values.get(i));
                return options == null ? store.put(text(keys.get(i)), value) == null :
                    store.putIfAbsent(text(keys.get(i)), value) == null;
            }, options != null);
        }

        @Override
        public ClusterBatches.Writes delete(final List<byte[]> keys, final long atNs)
        {
            return new FakeWrites(shard, keys.size(), (i) -> store.remove(text(keys.get(i))) != null, false);
        }
    }

    /** Answers what was sent whenever somebody waits, for this partition or another. */
    private final class FakeWrites implements ClusterBatches.Writes
    {
        private final int shard;
        private final IntPredicate write;
        private final WriteFate[] fates;
        private final WriteOutcome[] results;
        private int sent;
        private int answered;
        private boolean isAnswering;
        private boolean isStopped;
        private int deleted;
        private StoreException failed;

        FakeWrites(final int shard, final int size, final IntPredicate write, final boolean hasResults)
        {
            this.shard = shard;
            this.write = write;
            fates = new WriteFate[size];
            Arrays.fill(fates, WriteFate.NOT_APPLIED);
            results = hasResults ? new WriteOutcome[size] : null;
            writes.add(this);
            open++;
        }

        @Override
        public int step()
        {
            int moved = 0;
            for (; isAnswering && answered < sent; answered++, moved++)
            {
                answer(answered);
            }
            isAnswering = false;
            for (; isSending() && sent - answered < WINDOW; sent++, moved++)
            {
                sending.add(shard);
            }
            return moved;
        }

        private void answer(final int index)
        {
            if (shard == failing && index == 1)
            {
                failed = failure;
                fates[index] = failure.writeFate();
                return;
            }
            final boolean isDone = write.test(index);
            deleted += isDone ? 1 : 0;
            fates[index] = results == null || isDone ? WriteFate.APPLIED : WriteFate.NOT_APPLIED;
            if (results != null)
            {
                results[index] = new WriteOutcome(isDone, null);
            }
        }

        @Override
        public boolean isSending()
        {
            return sent < fates.length && failed == null && !isStopped;
        }

        @Override
        public boolean isDone()
        {
            return !isSending() && answered == sent;
        }

        @Override
        public void await()
        {
            awaits++;
            assertEquals(used.size(), sending.size(), "sent to all before the first wait");
            writes.forEach((each) -> each.isAnswering = true);
        }

        @Override
        public void stop()
        {
            isStopped = true;
        }

        @Override
        public WriteFate[] fates()
        {
            return fates;
        }

        @Override
        public WriteOutcome[] results()
        {
            return results;
        }

        @Override
        public int deleted()
        {
            return deleted;
        }

        @Override
        public StoreException failure()
        {
            return failed;
        }

        @Override
        public void close()
        {
            open--;
        }
    }

    @AfterEach
    void hasEndedAll()
    {
        assertEquals(0, open);
    }

    /** Forgets what the partitions were used for. */
    private void forget()
    {
        used.clear();
        sending.clear();
        writes.clear();
        awaits = 0;
    }

    private static byte[] bytes(final String text)
    {
        return Utf8.encode(text);
    }

    private static String text(final byte[] bytes)
    {
        return Utf8.decode(bytes);
    }

    private static List<byte[]> all(final String prefix, final int count)
    {
        final List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            all.add(bytes(prefix + i));
        }
        return all;
    }

    @Test
    void shouldRouteEveryFormOfAKeyAsTheTableDoes()
    {
        for (final byte[] key : all("key-", 200))
        {
            final ByteBuffer direct = ByteBuffer.wrap(key);
            final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(64, 8));
            memory.putBytes(0, key);
            final int wanted =
                KeyHash.shard(new KeyHash(SEED).hash(memory.addressOffset(), key.length), COUNT);
            final UnsafeBuffer shifted = new UnsafeBuffer(new byte[64]);
            shifted.putBytes(3, key);

            assertEquals(wanted, partitions.of(key));
            assertEquals(wanted, partitions.of(shifted, 3, key.length));
            assertEquals(wanted, partitions.of(direct));
            assertEquals(0, direct.position());
            final Bytes<?> chronicle = Bytes.wrapForRead(key);
            assertEquals(wanted, partitions.of(chronicle));
            assertEquals(key.length, chronicle.readRemaining());
        }
    }

    @Test
    void shouldLeaveKeysOfWrongLengthsToThePartitionThatRefusesThem()
    {
        assertEquals(0, partitions.of(new byte[0]));
        assertEquals(0, partitions.of(new byte[4097]));
        assertEquals(0, partitions.of(ByteBuffer.allocate(5000)));
        assertEquals(0, partitions.of(new UnsafeBuffer(new byte[1]), 0, -1));
    }

    @Test
    void shouldGiveValuesInTheOrderOfTheKeys()
    {
        batches.putAll(all("key-", 100), all("value-", 100));
        assertTrue(stores.stream().allMatch((store) -> store.size() > 5), stores.toString());
        assertEquals(List.of(0, 1, 2, 3, 4), used);
        forget();

        final List<byte[]> keys = all("key-", 101);
        final List<Integer> order = new ArrayList<>();
        batches.getAll(keys, (index, value) ->
        {
            order.add(index);
            if (index == 100)
            {
                assertNull(value);
            }
            else
            {
                final byte[] found = new byte[value.capacity()];
                value.getBytes(0, found);
                assertArrayEquals(bytes("value-" + index), found);
            }
        });
        assertEquals(101, order.size());
        for (int i = 0; i < order.size(); i++)
        {
            assertEquals(i, order.get(i));
        }
        assertEquals(List.of(0, 1, 2, 3, 4), finished);
    }

    /** A wait for one partition is one for all, so there are as many as the longest part has windows. */
    @Test
    void shouldGoOnWithAllPartitionsWhileItWaitsForOne()
    {
        batches.putAll(all("key-", 100), all("value-", 100));

        final int longest = stores.stream().mapToInt(Map::size).max().orElseThrow();
        assertEquals((longest + WINDOW - 1) / WINDOW, awaits);
    }

    @Test
    void shouldGiveOutcomesInTheOrderOfThePairs()
    {
        batches.putAll(all("key-", 7), all("value-", 7));
        forget();
        final List<WriteOutcome> outcomes = batches.putAll(
            all("key-", 20), all("other-", 20), Collections.nCopies(20, PutOptions.ifAbsent()));

        for (int i = 0; i < 20; i++)
        {
            assertEquals(i >= 7, outcomes.get(i).applied());
        }
    }

    @Test
    void shouldCountDeletedKeysOfAllPartitions()
    {
        batches.putAll(all("key-", 30), all("value-", 30));
        forget();

        assertEquals(30, batches.deleteAll(all("key-", 40)));
        forget();
        assertEquals(0, batches.deleteAll(all("key-", 40)));
    }

    @Test
    void shouldTellTheFateOfEachWriteByItsIndexInTheWholeBatch()
    {
        final List<byte[]> keys = all("key-", 60);
        failing = 2;
        failure = new StoreFullException("full", new FailureContext("put", "some key", "two", WriteFate.UNKNOWN));

        final StoreBatchException thrown =
            assertThrows(StoreBatchException.class, () -> batches.putAll(keys, keys));

        assertSame(failure, thrown.getCause());
        assertEquals("some key", thrown.key());
        assertEquals("two", thrown.server());
        assertEquals(60, thrown.size());
        // Of each partition, what was sent before the failure was known.
        final int[] ofPart = new int[COUNT];
        for (int i = 0; i < keys.size(); i++)
        {
            final int shard = partitions.of(keys.get(i));
            final int index = ofPart[shard]++;
            assertEquals(
                shard == failing && index == 1 ? WriteFate.UNKNOWN :
                    stores.get(shard).containsKey(text(keys.get(i))) ? WriteFate.APPLIED : WriteFate.NOT_APPLIED,
                thrown.fate(i), "index=" + i);
        }
        assertEquals(1, thrown.count(WriteFate.UNKNOWN));
        assertTrue(thrown.count(WriteFate.APPLIED) >= COUNT * WINDOW - 1, thrown.getMessage());
        assertTrue(thrown.count(WriteFate.NOT_APPLIED) > COUNT, thrown.getMessage());
    }

    @Test
    void shouldConnectAllPartitionsWithinOneDeadlineBeforeItTakesASession()
    {
        assertConnectedFirst((slow) -> slow.putAll(all("key-", 50), all("value-", 50)));
    }

    @Test
    void shouldDoSoForLookups()
    {
        assertConnectedFirst((slow) -> slow.getAll(all("key-", 50), (i, value) -> { }));
    }

    private void assertConnectedFirst(final Consumer<ClusterBatches> batch)
    {
        final List<Long> rests = new ArrayList<>();
        batch.accept(new ClusterBatches(partitions, MEMBER, (shard, restNs) ->
        {
            assertEquals(0, open);
            rests.add(restNs);
            LockSupport.parkNanos(PAUSE_NS);
            return new FakePartition(shard);
        }, LONG_NS));

        assertTrue(rests.size() > 1, "rests=" + rests);
        for (int i = 1; i < rests.size(); i++)
        {
            assertTrue(rests.get(i) < rests.get(i - 1), "rests=" + rests);
        }
        assertTrue(rests.get(rests.size() - 1) < LONG_NS - PAUSE_NS / 2, "rests=" + rests);
    }

    @Test
    void shouldNotHaveAppliedWhatAPartitionThatCannotBeConnectedWasToDo()
    {
        final ClusterBatches unconnected = new ClusterBatches(partitions, MEMBER,
            (shard, restNs) -> new LentBatches(partitions.client(shard, Operation.PUT_ALL, restNs)), LONG_NS);
        final StoreBatchException thrown = assertThrows(
            StoreBatchException.class, () -> unconnected.putAll(all("key-", 3), all("value-", 3)));

        assertEquals(3, thrown.count(WriteFate.NOT_APPLIED));
        assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
    }

    @Test
    void shouldNameTheIndexOfAKeyThatIsTooLong()
    {
        final List<byte[]> keys = all("key-", 3);
        keys.set(2, new byte[5000]);

        final String message = assertThrows(
            StoreLimitException.class, () -> batches.getAll(keys, (index, value) -> { })).getMessage();
        assertTrue(message.contains("index=2"), message);
        assertEquals(List.of(), used);
    }

    @Test
    void shouldNameTheIndexOfAValueThatIsTooLongAndPutNone()
    {
        final List<byte[]> values = all("value-", 50);
        values.set(40, new byte[MAX_VALUE + 1]);

        final String message = assertThrows(
            StoreLimitException.class, () -> batches.putAll(all("key-", 50), values)).getMessage();
        assertTrue(message.contains("index=40"), message);
        assertEquals(List.of(), used);
    }

    @Test
    void shouldRefuseListsOfUnequalLengths()
    {
        assertThrows(IllegalArgumentException.class, () -> batches.putAll(all("key-", 3), all("value-", 2)));
        assertThrows(IllegalArgumentException.class,
            () -> batches.putAll(all("key-", 2), all("value-", 2), List.of(PutOptions.ifAbsent())));
    }

    @Test
    void shouldConnectNoPartitionAfterTheClose()
    {
        partitions.close();

        assertThrows(StoreClosedException.class, () -> partitions.client(1, "get", LONG_NS));
    }
}

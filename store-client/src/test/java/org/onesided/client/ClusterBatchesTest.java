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
import java.util.TreeMap;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;
import org.onesided.protocol.table.KeyHash;

class ClusterBatchesTest
{
    private static final int COUNT = 5;
    private static final long SEED = 0x1234_5678_9ABCL;

    private final List<Map<String, String>> stores = new ArrayList<>();
    private final List<Integer> used = new ArrayList<>();
    private final Partitions partitions =
        new Partitions(COUNT, SEED, "one,two", "one,two", 1_000_000_000L, (shard, durationNs) ->
        {
            throw new StoreConnectException("not there", FailureContext.ofServer("one"), null);
        });
    private final ClusterBatches batches = new ClusterBatches(partitions, this::part);
    private int failing = -1;
    private StoreBatchException failure;

    ClusterBatchesTest()
    {
        for (int i = 0; i < COUNT; i++)
        {
            stores.add(new TreeMap<>());
        }
    }

    private ClusterBatches.Part part(final int shard)
    {
        used.add(shard);
        final Map<String, String> store = stores.get(shard);
        return new ClusterBatches.Part()
        {
            @Override
            public List<byte[]> getAll(final List<byte[]> keys)
            {
                return keys.stream().map((key) -> store.get(text(key)))
                    .map((value) -> value == null ? null : bytes(value)).toList().stream()
                    .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            }

            @Override
            public void putAll(final List<byte[]> keys, final List<byte[]> values)
            {
                if (shard == failing)
                {
                    throw failure;
                }
                for (int i = 0; i < keys.size(); i++)
                {
                    store.put(text(keys.get(i)), text(values.get(i)));
                }
            }

            @Override
            public List<WriteOutcome> putAll(
                final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
            {
                final List<WriteOutcome> outcomes = new ArrayList<>();
                for (int i = 0; i < keys.size(); i++)
                {
                    outcomes.add(new WriteOutcome(
                        store.putIfAbsent(text(keys.get(i)), text(values.get(i))) == null, null));
                }
                return outcomes;
            }

            @Override
            public int deleteAll(final List<byte[]> keys)
            {
                return (int)keys.stream().filter((key) -> store.remove(text(key)) != null).count();
            }
        };
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
    }

    @Test
    void shouldGiveOutcomesInTheOrderOfThePairs()
    {
        batches.putAll(all("key-", 7), all("value-", 7));
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

        assertEquals(30, batches.deleteAll(all("key-", 40)));
        assertEquals(0, batches.deleteAll(all("key-", 40)));
    }

    @Test
    void shouldTellTheFateOfEachWriteByItsIndexInTheWholeBatch()
    {
        final List<byte[]> keys = all("key-", 60);
        failing = 2;
        final int size = (int)keys.stream().filter((key) -> partitions.of(key) == failing).count();
        final WriteFate[] fates = new WriteFate[size];
        Arrays.fill(fates, WriteFate.NOT_APPLIED);
        fates[0] = WriteFate.APPLIED;
        fates[1] = WriteFate.UNKNOWN;
        final StoreFullException cause =
            new StoreFullException("full", new FailureContext("put", "some key", "two", WriteFate.NOT_APPLIED));
        failure = new StoreBatchException(
            "part", new FailureContext(null, "some key", "two", WriteFate.NOT_APPLIED), cause, fates);

        final StoreBatchException thrown =
            assertThrows(StoreBatchException.class, () -> batches.putAll(keys, keys));

        assertSame(cause, thrown.getCause());
        assertEquals("some key", thrown.key());
        assertEquals("two", thrown.server());
        assertEquals(60, thrown.size());
        int ofPart = 0;
        for (int i = 0; i < keys.size(); i++)
        {
            final int shard = partitions.of(keys.get(i));
            assertEquals(shard < failing ? WriteFate.APPLIED :
                shard == failing ? fates[ofPart++] : WriteFate.NOT_APPLIED, thrown.fate(i), "index=" + i);
        }
        assertEquals(List.of(0, 1, 2), used);
    }

    @Test
    void shouldNotHaveAppliedWhatAPartitionThatCannotBeConnectedWasToDo()
    {
        final ClusterBatches unconnected = new ClusterBatches(partitions,
            (shard) -> ClusterBatches.Part.of(partitions.operations(shard, Operation.PUT_ALL, 1_000_000_000L)));
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

        assertThrows(StoreClosedException.class, () -> partitions.operations(1, "get", 1_000_000_000L));
    }
}

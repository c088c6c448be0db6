package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.server.TestSize;

/**
 * How much of the heap records fill when the first put is refused. Only their own granules count, neither what the heap
 * keeps for itself nor what waits to be zeroed.
 */
class HeapUseTest
{
    private static final int SHORTEST = 50;
    private static final int LONGEST = 5_000;
    private static final double LEAST = 0.9;

    private final List<String> keys = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private Random random;
    private TestTable table;
    private long used;
    private long written;
    private int number;

    @ParameterizedTest
    @CsvSource({"1, 1048576", "2, 1048576", "3, 4194304", "4, 4194304", "5, 16777216"})
    void shouldFillTheHeapBeforeItRefuses(final long seed, final long memory)
    {
        random = new Random(seed);
        try (TestTable t = new TestTable(memory, LONGEST))
        {
            table = t;
            while (insert())
            {
                number++;
            }
            check("fresh", t, memory, seed);
            final long heap = t.layout.heapLength();
            written = 0;
            while (written < TestSize.of(10, 4) * heap)
            {
                churn();
            }
            while (insert())
            {
                number++;
            }
            check("after churn", t, memory, seed);
        }
    }

    /**
     * Keys of 16 and values of 100 bytes: the heap and the buckets in use, over the records. memcached counts 175 bytes
     * for such an item (header 48, cas 8, key 17, value 102), and 8 for each place of its hash table.
     */
    @Test
    void shouldTakeFewBytesForEachRecord()
    {
        final double each = (double)fill(32 << 20, 100) / number;
        assertTrue(each < 167, () -> "bytes for each record: " + each);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 100, 1000})
    void shouldFillTheHeapBeforeTheIndex(final int valueLength)
    {
        fill(8 << 20, valueLength);
    }

    /** Puts records until one is refused; how many bytes of heap and index there are then. */
    private long fill(final long memory, final int valueLength)
    {
        final long length = ShardTable.recordLength(16, valueLength);
        try (TestTable t = new TestTable(memory, valueLength))
        {
            final byte[] value = new byte[valueLength];
            while (t.put(String.format("%016d", number), value) == Status.OK)
            {
                number++;
            }
            final double part = (double)number * SlotWord.granules(length) * SlotWord.GRANULE / t.layout.heapLength();
            assertTrue(part >= 0.97, () -> "heap filled: " + part);
            final TableStatistics statistics = t.table.statistics();
            assertTrue(statistics.overflowBucketsUsed() < t.layout.overflowCount());
            final long buckets = statistics.buckets() + statistics.overflowBucketsUsed();
            return t.layout.heapLength() + buckets * BucketDescriptor.LENGTH;
        }
    }

    private void check(final String when, final TestTable t, final long memory, final long seed)
    {
        final double part = (double)used * SlotWord.GRANULE / t.layout.heapLength();
        assertEquals(keys.size(), t.table.statistics().records());
        assertTrue(part >= LEAST, () -> when + " " + part + " of memory=" + memory + " seed=" + seed);
    }

    private int nextLength()
    {
        return SHORTEST + random.nextInt(LONGEST - SHORTEST + 1);
    }

    private long granules(final String key, final int length)
    {
        return SlotWord.granules(ShardTable.recordLength(key.length(), length));
    }

    /** Whether a record more had room. */
    private boolean insert()
    {
        final String key = "key-" + number;
        final int length = nextLength();
        if (table.put(key, new byte[length]) != Status.OK)
        {
            return false;
        }
        keys.add(key);
        lengths.add(length);
        used += granules(key, length);
        written += granules(key, length) * SlotWord.GRANULE;
        return true;
    }

    private void delete(final int index)
    {
        assertEquals(Status.OK, table.delete(keys.get(index)));
        used -= granules(keys.get(index), lengths.get(index));
        final int last = keys.size() - 1;
        keys.set(index, keys.get(last));
        lengths.set(index, lengths.get(last));
        keys.remove(last);
        lengths.remove(last);
    }

    /** One random change; where it has no room, some record goes. */
    private void churn()
    {
        switch (random.nextInt(3))
        {
            case 0 ->
            {
                if (insert())
                {
                    number++;
                }
                else
                {
                    delete(random.nextInt(keys.size()));
                }
            }
            case 1 ->
            {
                final int index = random.nextInt(keys.size());
                final int length = nextLength();
                if (table.put(keys.get(index), new byte[length]) == Status.OK)
                {
                    used += granules(keys.get(index), length) - granules(keys.get(index), lengths.get(index));
                    lengths.set(index, length);
                    written += granules(keys.get(index), length) * SlotWord.GRANULE;
                }
            }
            default -> delete(random.nextInt(keys.size()));
        }
        if (keys.size() < 10)
        {
            insert();
            number++;
        }
    }
}

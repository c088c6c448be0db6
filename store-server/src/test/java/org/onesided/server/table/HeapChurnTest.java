package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.TestSize;

/**
 * Records of mixed sizes come and go while the heap stays 90 % full: what fits by its bytes must find a place, after
 * any number of turnovers.
 */
class HeapChurnTest
{
    @ParameterizedTest
    @CsvSource({"1, 1000, 1", "2, 4000, 1", "3, 30000, 1", "4, 100, 3000", "5, 8000, 60000"})
    void shouldFindRoomForWhatFits(final long seed, final int small, final int large)
    {
        final Random random = new Random(seed);
        final long heap = 4 << 20;
        try (TestTable t = new TestTable(TestTable.superblock(20_000, 20_000, heap), Math.max(small, large)))
        {
            final List<String> keys = new ArrayList<>();
            long written = 0;
            for (int i = 0; written < heap * TestSize.of(20, 6); i++)
            {
                // Phases, so that one size takes the room that another left.
                final int longest = large > 1 && i / 500 % 2 == 0 ? large : small;
                final byte[] value = new byte[1 + random.nextInt(longest)];
                random.nextBytes(value);
                while (t.table.statistics().heapBytesUsed() + value.length + 100 > heap * 9 / 10)
                {
                    final int some = random.nextInt(keys.size());
                    assertEquals(Status.OK, t.delete(keys.get(some)));
                    keys.set(some, keys.get(keys.size() - 1));
                    keys.remove(keys.size() - 1);
                }
                final String key = "key" + i;
                final TableStatistics before = t.table.statistics();
                final int turn = i;
                assertEquals(Status.OK, t.put(key, value), () -> "put " + turn + " of " + value.length + " " + before);
                assertArrayEquals(value, t.get(key));
                keys.add(key);
                written += value.length;
            }
            keys.forEach(key -> assertTrue(t.get(key) != null, key));
            assertEquals(keys.size(), t.table.statistics().records());
        }
    }
}

package org.onesided.chaos;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import org.onesided.client.StoreOperations;

/**
 * Work whose every answer can be judged: each key belongs to one thread, which alone changes it and so knows what it
 * must find; of others' keys a thread knows what it may find at least. A value tells its key and how many changes of
 * the key there were, and all of its bytes follow from these.
 */
final class OwnedKeys
{
    private static final int[] LENGTHS = {
        0, 40, 40, 40, 100, 100, 100, 100, 100, 300, 300, 700, 1000, 3000, 4000, 9000, 70_000};
    private static final int BATCH = 12;

    private final int owners;
    private final int keysEach;
    /** Changes of each key that were acknowledged. */
    private final AtomicLongArray acknowledged;

    /**
     * @param owners   how many threads.
     * @param keysEach how many keys each of them has.
     */
    OwnedKeys(final int owners, final int keysEach)
    {
        this.owners = owners;
        this.keysEach = keysEach;
        acknowledged = new AtomicLongArray(owners * keysEach);
    }

    /**
     * The work of one owner. Fails the test at the first answer that cannot be right.
     */
    final class Owner
    {
        private final StoreOperations store;
        private final int first;
        private final Random random;
        /** What is there under the keys of this owner; null for nothing. */
        private final byte[][] values = new byte[keysEach][];
        /** The most changes that were seen of each key of others. */
        private final Map<Integer, Long> seen = new HashMap<>();
        private long puts;

        Owner(final StoreOperations store, final int owner, final long seed)
        {
            this.store = store;
            first = owner * keysEach;
            random = new Random(seed + owner);
        }

        long puts()
        {
            return puts;
        }

        void work(final int operations)
        {
            for (int i = 0; i < operations; i++)
            {
                final int mine = random.nextInt(keysEach);
                final int kind = random.nextInt(100);
                if (kind < 35)
                {
                    expectMine(mine, store.get(key(first + mine)));
                }
                else if (kind < 65)
                {
                    getAny(random.nextInt(owners * keysEach));
                }
                else if (kind < 85)
                {
                    put(mine);
                }
                else if (kind < 92)
                {
                    delete(mine);
                }
                else if (kind < 96)
                {
                    putMany();
                }
                else
                {
                    getMany();
                }
            }
        }

        void expectAll()
        {
            for (int i = 0; i < keysEach; i++)
            {
                expectMine(i, store.get(key(first + i)));
            }
        }

        private void put(final int mine)
        {
            final byte[] value = nextValue(mine);
            store.put(key(first + mine), value);
            changed(mine, value);
        }

        private void delete(final int mine)
        {
            assertEquals(values[mine] != null, store.delete(key(first + mine)), "deleted key=" + (first + mine));
            values[mine] = null;
            acknowledged.incrementAndGet(first + mine);
        }

        private void putMany()
        {
            final List<Integer> mine = new ArrayList<>();
            final List<byte[]> keys = new ArrayList<>();
            final List<byte[]> news = new ArrayList<>();
            for (int i = random.nextInt(keysEach), n = 0; n < Math.min(BATCH, keysEach); n++)
            {
                final int next = (i + n) % keysEach;
                mine.add(next);
                keys.add(key(first + next));
                news.add(nextValue(next));
            }
            store.putAll(keys, news);
            for (int i = 0; i < mine.size(); i++)
            {
                changed(mine.get(i), news.get(i));
            }
        }

        private void getMany()
        {
            final List<byte[]> keys = new ArrayList<>();
            for (int i = 0; i < keysEach; i++)
            {
                keys.add(key(first + i));
            }
            final byte[][] found = new byte[keysEach][];
            store.getAll(keys, (index, value) ->
            {
                if (value != null)
                {
                    found[index] = new byte[value.capacity()];
                    value.getBytes(0, found[index]);
                }
            });
            for (int i = 0; i < keysEach; i++)
            {
                expectMine(i, found[i]);
            }
        }

        private void getAny(final int key)
        {
            final long least = acknowledged.get(key);
            final byte[] value = store.get(key(key));
            if (value != null)
            {
                final String text = new String(value, 0, Math.min(value.length, 64), StandardCharsets.ISO_8859_1);
                final String[] fields = text.split(":", 3);
                assertEquals(3, fields.length, () -> "key=" + key + " has " + text);
                final long changes = Long.parseLong(fields[1]);
                assertArrayEquals(value(key, changes, value.length), value, () -> "key=" + key + " has " + text);
                assertTrue(changes >= least && changes >= seen.getOrDefault(key, 0L), () ->
                    "key=" + key + " went back: changes=" + changes + " acknowledged=" + least + " seen=" +
                        seen.get(key));
                seen.put(key, changes);
            }
        }

        private byte[] nextValue(final int mine)
        {
            return value(
                first + mine, acknowledged.get(first + mine) + 1, LENGTHS[random.nextInt(LENGTHS.length)]);
        }

        private void changed(final int mine, final byte[] value)
        {
            values[mine] = value;
            acknowledged.incrementAndGet(first + mine);
            puts++;
        }

        private void expectMine(final int mine, final byte[] found)
        {
            if (values[mine] == null)
            {
                assertNull(found, "was deleted: key=" + (first + mine));
            }
            else
            {
                assertTrue(Arrays.equals(values[mine], found), () -> "key=" + (first + mine) + " should have " +
                    head(values[mine]) + " and has " + (found == null ? "nothing" : head(found)));
            }
        }
    }

    private static String head(final byte[] value)
    {
        return new String(value, 0, Math.min(value.length, 24), StandardCharsets.ISO_8859_1) + "... of " + value.length;
    }

    private static byte[] key(final int key)
    {
        return ("key-" + key).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] value(final int key, final long changes, final int atLeast)
    {
        final byte[] head = (key + ":" + changes + ":").getBytes(StandardCharsets.US_ASCII);
        final byte[] value = Arrays.copyOf(head, Math.max(atLeast, head.length));
        long mix = key * 31L + changes;
        for (int i = head.length; i < value.length; i++)
        {
            mix = mix * 0x5851_F42D_4C95_7F2DL + 0x1405_7B7E_F767_814FL;
            value[i] = (byte)(mix >>> 56);
        }
        return value;
    }
}

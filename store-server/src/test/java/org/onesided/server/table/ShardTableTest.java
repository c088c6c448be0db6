package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.VersionWord;
import org.onesided.server.TestSize;

class ShardTableTest
{
    private static final int MAX = RecordDescriptor.MAX_VALUE_LENGTH;

    @Test
    void shouldFindWhatWasPut()
    {
        try (TestTable t = new TestTable(1 << 20, 1000))
        {
            assertNull(t.get("a"));
            assertEquals(Status.OK, t.put("a", bytes("one")));
            assertEquals(Status.OK, t.put("b", bytes("")));
            assertArrayEquals(bytes("one"), t.get("a"));
            assertArrayEquals(bytes(""), t.get("b"));
            assertEquals(2, t.table.statistics().records());
        }
    }

    @Test
    void shouldKeepPlaceAndSlotWhenTheGranuleCountStays()
    {
        try (TestTable t = new TestTable(1 << 20, 1000))
        {
            t.put("a", new byte[30]);
            final long word = t.result.slotWord();
            assertEquals(word, t.slotWord());
            assertEquals(Status.OK, t.put("a", bytes("short enough to be 4 granules")));
            assertEquals(word, t.result.slotWord());
            assertEquals(word, t.slotWord());
            assertArrayEquals(bytes("short enough to be 4 granules"), t.get("a"));
            assertEquals(1, t.table.statistics().putsInPlace());
        }
    }

    @Test
    void shouldKeepTheSlotAndChangeThePlaceWhenTheGranuleCountChanges()
    {
        try (TestTable t = new TestTable(1 << 20, 1000))
        {
            t.put("a", new byte[30]);
            final long word = t.result.slotWord();
            final long bucket = t.result.bucketOffset();
            final int slot = t.result.slotIndex();
            assertEquals(Status.OK, t.put("a", new byte[40]));
            assertNotEquals(t.layout.recordOffset(word), t.layout.recordOffset(t.result.slotWord()));
            assertEquals(bucket, t.result.bucketOffset());
            assertEquals(slot, t.result.slotIndex());
            assertEquals(0, UnsafeApi.getLong(t.address(t.layout.recordOffset(word))));
            assertEquals(0, t.table.statistics().putsInPlace());
        }
    }

    @Test
    void shouldNotOverwriteALongRecordInPlace()
    {
        try (TestTable t = new TestTable(1 << 20, 8000))
        {
            t.put("a", new byte[4071]);
            t.put("a", new byte[4071]);
            assertEquals(1, t.table.statistics().putsInPlace());
            t.put("a", new byte[4072]);
            t.put("a", new byte[4072]);
            assertEquals(1, t.table.statistics().putsInPlace());
        }
    }

    @Test
    void shouldLeaveInADeadRecordWhereTheNewOneIs()
    {
        try (TestTable t = new TestTable(1 << 20, 200_000))
        {
            t.put("a", random(1, 100));
            final long first = t.slotWord();
            t.put("a", random(2, 200));
            final long second = t.slotWord();
            assertEquals(second, t.forward(first));
            // A long one is zeroed in steps, which must leave the word alone.
            t.put("a", random(3, 150_000));
            final long third = t.slotWord();
            assertEquals(third, t.forward(second));
            t.put("a", random(4, 300));
            assertEquals(t.slotWord(), t.forward(third));
            while (t.table.clean(100))
            {
                assertEquals(t.slotWord(), t.forward(third));
            }
            assertEquals(t.slotWord(), t.forward(third));
            final long last = t.slotWord();
            t.delete("a");
            assertEquals(SlotWord.EMPTY, t.forward(last));
        }
    }

    @Test
    void shouldLeaveNoForwardInAnExtentThatWasGivenUp()
    {
        try (TestTable t = new TestTable(1 << 20, 200_000))
        {
            t.put("a", random(1, 5_000));
            final long old = t.slotWord();
            t.put("a", random(2, 6_000));
            assertEquals(t.slotWord(), t.forward(old));
            // It takes the place that is free again.
            final long extent = t.reserve("b", 5_000);
            assertEquals(t.layout.recordOffset(old), extent);
            assertTrue(t.table.reservations().abandon(extent));
            assertEquals(SlotWord.EMPTY, t.forward(old));
        }
    }

    @Test
    void shouldLeaveNothingOfADeletedRecord()
    {
        try (TestTable t = new TestTable(1 << 20, 200_000))
        {
            t.put("a", bytes("secret"));
            t.put("b", random(7, 150_000));
            assertEquals(Status.OK, t.delete("a"));
            assertEquals(SlotWord.EMPTY, t.result.slotWord());
            assertEquals(SlotWord.EMPTY, t.slotWord());
            assertEquals(Status.OK, t.delete("b"));
            assertEquals(Status.NOT_FOUND, t.delete("b"));
            assertNull(t.get("a"));
            assertTrue(t.table.clean(100_000));
            assertFalse(t.heapIsZero());
            while (t.table.clean(100_000))
            {
                assertNull(t.get("b"));
            }
            assertTrue(t.heapIsZero());
            assertEquals(0, t.table.statistics().records());
            assertEquals(2, t.table.statistics().deletes());
        }
    }

    /** Whatever keys leave a chain, those that stay move together. */
    @Test
    void shouldKeepAChainAsShortAsItsKeysAllow()
    {
        try (TestTable t = new TestTable(TestTable.superblock(1, 20, 1 << 18), 100))
        {
            final Random random = new Random(17);
            final List<String> keys = new ArrayList<>();
            for (int i = 0; i < 5000; i++)
            {
                if (!keys.isEmpty() && (keys.size() == 50 || random.nextInt(2) == 0))
                {
                    assertEquals(Status.OK, t.delete(keys.remove(random.nextInt(keys.size()))));
                    assertEquals(t.slotWord(), t.result.slotWord());
                }
                else
                {
                    keys.add("key" + i);
                    assertEquals(Status.OK, t.put("key" + i, bytes("value" + i)));
                }
                final int buckets = Math.max(1, (keys.size() + 6) / BucketDescriptor.SLOT_COUNT);
                assertEquals(buckets, t.chainLength("key"));
                assertEquals(buckets - 1, t.table.statistics().overflowBucketsUsed());
            }
            keys.forEach(key -> assertArrayEquals(bytes("value" + key.substring(3)), t.get(key), key));
        }
    }

    /** Fifty keys in each of 40 chains, 49 of them deleted: the others find all overflow buckets free. */
    @Test
    void shouldLetNobodyHoldOverflowBucketsWithoutFillingThem()
    {
        final int chains = 40;
        try (TestTable t = new TestTable(TestTable.superblock(chains, 14, 1 << 20), 100))
        {
            final KeyHash hash = new KeyHash(t.superblock.hashSeed());
            final List<List<String>> keysOf = new ArrayList<>();
            for (int i = 0; i < chains; i++)
            {
                keysOf.add(new ArrayList<>());
            }
            for (int i = 0; keysOf.stream().anyMatch(keys -> keys.size() < 50); i++)
            {
                final String key = "key" + i;
                final long hashed = hash.hash(t.key().address(), t.key().text(key));
                keysOf.get((int)KeyHash.bucket(hashed, chains)).add(key);
            }
            for (final List<String> keys : keysOf)
            {
                keys.subList(0, 50).forEach(key -> assertEquals(Status.OK, t.put(key, bytes("v")), key));
                // The one that stays came in last.
                keys.subList(0, 49).forEach(key -> assertEquals(Status.OK, t.delete(key), key));
            }
            assertEquals(0, t.table.statistics().overflowBucketsUsed());
            keysOf.forEach(keys -> assertArrayEquals(bytes("v"), t.get(keys.get(49))));
        }
    }

    /** At its highest tag a chain only grows; what it holds is found all the same. */
    @Test
    void shouldLeaveAChainAsItIsOnceItsTagIsAtItsHighest()
    {
        try (TestTable t = new TestTable(TestTable.superblock(1, 20, 1 << 18), 100))
        {
            final long header = t.region().address() + t.layout.bucketOffset(0);
            for (int i = 0; i < 22; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, bytes("value" + i)));
            }
            UnsafeApi.putLong(
                header, BucketDescriptor.withTag(UnsafeApi.getLong(header), BucketDescriptor.MAX_TAG));
            for (int i = 7; i < 22; i++)
            {
                assertEquals(Status.OK, t.delete("key" + i));
            }
            assertEquals(4, t.chainLength("key"));
            assertEquals(BucketDescriptor.MAX_TAG, BucketDescriptor.tag(UnsafeApi.getLong(header)));
            for (int i = 0; i < 7; i++)
            {
                assertArrayEquals(bytes("value" + i), t.get("key" + i));
            }
            for (int i = 7; i < 28; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, bytes("new" + i)));
                assertArrayEquals(bytes("new" + i), t.get("key" + i));
            }
            assertEquals(4, t.chainLength("key"));
        }
    }

    @Test
    void shouldGiveOverflowBucketsThatWereTakenOutToWhoeverNeedsThem()
    {
        try (TestTable t = new TestTable(TestTable.superblock(4, 1, 4 << 20), 100))
        {
            final KeyHash hash = new KeyHash(t.superblock.hashSeed());
            final Set<Long> chains = new HashSet<>();
            for (int i = 0; i < 2_000; i++)
            {
                final List<String> keys = new ArrayList<>();
                Status status = Status.OK;
                for (int j = 0; status == Status.OK; j++)
                {
                    keys.add(i + "-" + j);
                    status = t.put(keys.get(j), bytes("value"));
                }
                keys.remove(keys.size() - 1);
                assertEquals(1, t.table.statistics().overflowBucketsUsed());
                for (final String key : keys)
                {
                    if (t.chainLength(key) == 2)
                    {
                        chains.add(KeyHash.bucket(hash.hash(t.key().address(), t.key().text(key)), 4));
                    }
                    assertArrayEquals(bytes("value"), t.get(key), key);
                }
                keys.forEach(key -> assertEquals(Status.OK, t.delete(key)));
                assertEquals(0, t.table.statistics().overflowBucketsUsed());
            }
            assertEquals(4, chains.size());
        }
    }

    @Test
    void shouldRefuseWhatBreaksALimit()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            final long key = t.key().address();
            final long value = t.value().address();
            assertEquals(Status.INVALID, t.table.put(0, key, 0, value, 1, t.result));
            assertEquals(Status.INVALID, t.table.put(0, key, 4097, value, 1, t.result));
            assertEquals(Status.INVALID, t.table.put(0, key, 1, value, -1, t.result));
            assertEquals(Status.INVALID, t.table.put(0, key, 1, value, MAX + 1, t.result));
            assertEquals(Status.INVALID, t.table.delete(0, key, 0, t.result));
            assertEquals(LongPuts.INVALID, t.table.longPuts().reserve(0, key, 1, MAX + 1));
            assertEquals(LongPuts.INVALID, t.table.longPuts().reserve(0, key, 0, 1));
            assertFalse(t.table.lookups().find(0, key, 4097, t.found));
            assertEquals(Status.OK, t.table.put(t.hash(4096), key, 4096, value, 1, t.result));
            assertTrue(t.table.lookups().find(t.hash(4096), key, 4096, t.found));
            assertEquals(1, t.table.statistics().puts());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 32_768 - 33, 32_769 - 33, 131_072, 294_656 - 33, 294_657 - 33, 294_656, MAX})
    void shouldHoldValuesOfAllLengths(final int length)
    {
        try (TestTable t = new TestTable(length * 2L + (1 << 20), length))
        {
            final byte[] value = random(length, length);
            assertEquals(Status.OK, t.put("k", value));
            assertEquals(length + 33 > 294_656, SlotWord.isLong(t.result.slotWord()));
            assertArrayEquals(value, t.get("k"));
            assertEquals(Status.OK, t.delete("k"));
            assertNull(t.get("k"));
        }
    }

    @Test
    void shouldRefuseWhenFullAndLoseNothing()
    {
        try (TestTable t = new TestTable(1 << 18, 1000))
        {
            final Map<String, byte[]> model = new HashMap<>();
            Status status = Status.OK;
            while (status == Status.OK)
            {
                final String key = "key" + model.size();
                final byte[] value = random(model.size(), 900);
                status = t.put(key, value);
                if (status == Status.OK)
                {
                    model.put(key, value);
                }
            }
            assertEquals(Status.STORE_FULL, status);
            assertEquals(0, t.result.version());
            assertEquals(Status.STORE_FULL, t.put("key0", new byte[1000]));
            assertTrue(model.size() * 944L > t.layout.heapLength() * 9 / 10, () -> "only " + model.size());
            assertMatches(model, t);
            assertEquals(Status.OK, t.put("key0", model.get("key1")));
            assertEquals(Status.OK, t.delete("key2"));
            assertEquals(Status.OK, t.put("new", new byte[900]));
        }
    }

    @Test
    void shouldRefuseAKeyForAFullChain()
    {
        try (TestTable t = new TestTable(TestTable.superblock(1, 20, 1 << 18), 100))
        {
            final int most = BucketDescriptor.MAX_CHAIN_LENGTH * BucketDescriptor.SLOT_COUNT;
            for (int i = 0; i < most; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, bytes("v" + i)));
            }
            assertEquals(BucketDescriptor.MAX_CHAIN_LENGTH, t.chainLength("key0"));
            final long used = t.table.statistics().heapBytesUsed();
            assertEquals(Status.CHAIN_FULL, t.put("another", bytes("v")));
            final long extent = t.reserve("another", 50);
            assertEquals(Status.CHAIN_FULL, t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result));
            assertEquals(used, t.table.statistics().heapBytesUsed());
            assertEquals(Status.OK, t.put("key55", new byte[100]));
            assertEquals(Status.OK, t.delete("key17"));
            assertEquals(Status.OK, t.put("another", bytes("v")));
            assertArrayEquals(bytes("v"), t.get("another"));
            assertEquals(BucketDescriptor.MAX_CHAIN_LENGTH, t.chainLength("key0"));
            assertEquals(7, t.table.statistics().overflowBucketsUsed());
        }
    }

    @Test
    void shouldRefuseAKeyWhenThereAreNoMoreOverflowBuckets()
    {
        try (TestTable t = new TestTable(TestTable.superblock(1, 1, 1 << 18), 100))
        {
            for (int i = 0; i < 14; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, bytes("v" + i)));
            }
            assertEquals(Status.INDEX_FULL, t.put("another", bytes("v")));
            assertEquals(14, t.table.statistics().records());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1000, 128, 300, 100", "2, 64, 64, 6000, 100", "3, 3, 20, 50, 100", "4, 200, 40, 70000, 40"})
    void shouldAgreeWithAModel(
        final long seed, final int buckets, final int overflow, final int maxValue, final int keys)
    {
        final Random random = new Random(seed);
        try (TestTable t = new TestTable(TestTable.superblock(buckets, overflow, 1 << 19), maxValue))
        {
            final Map<String, byte[]> model = new HashMap<>();
            long version = VersionWord.startOf(1);
            int full = 0;
            for (int i = 0; i < TestSize.of(20_000, 8_000); i++)
            {
                final String key = "key" + random.nextInt(keys);
                final int kind = random.nextInt(10);
                Status status = Status.NOT_FOUND;
                if (kind < 6)
                {
                    final boolean same = model.containsKey(key) && random.nextInt(3) == 0;
                    final byte[] value = random(i, same ? model.get(key).length : random.nextInt(maxValue + 1));
                    status = t.put(key, value);
                    remember(model, key, value, status);
                }
                else if (kind < 7)
                {
                    final byte[] value = random(i, random.nextInt(maxValue + 1));
                    status = putReserved(t, key, value, random);
                    remember(model, key, value, status);
                }
                else if (kind < 9)
                {
                    status = t.delete(key);
                    assertEquals(model.remove(key) == null ? Status.NOT_FOUND : Status.OK, status);
                }
                if (status == Status.OK)
                {
                    assertTrue(Long.compareUnsigned(t.result.version(), version) > 0);
                    version = t.result.version();
                    assertEquals(t.result.slotWord(), t.slotWord());
                }
                full += status == Status.STORE_FULL ? 1 : 0;
                assertArrayEquals(model.get(key), t.get(key));
                if (i % 2_000 == 0)
                {
                    assertMatches(model, t);
                }
            }
            assertMatches(model, t);
            assertEquals(maxValue == 70_000, full > 0, "full=" + full);
            model.keySet().forEach(t::delete);
            while (t.table.clean(1 << 20))
            {
                assertEquals(0, t.table.statistics().records());
            }
            assertTrue(t.heapIsZero());
        }
    }

    private static Status putReserved(
        final TestTable t, final String key, final byte[] value, final Random random)
    {
        final long extent = t.reserve(key, value.length);
        if (extent == LongPuts.FULL)
        {
            return Status.STORE_FULL;
        }
        t.writeValue(extent, value);
        if (random.nextInt(4) == 0)
        {
            assertTrue(t.table.reservations().abandon(extent));
            return Status.NOT_FOUND;
        }
        if (random.nextBoolean())
        {
            final boolean whole = t.table.reservations().publishStep(extent, 1000);
            assertEquals(value.length + key.length() + 16 <= 1000, whole);
        }
        return t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result);
    }

    private static void remember(
        final Map<String, byte[]> model, final String key, final byte[] value, final Status status)
    {
        if (status == Status.OK)
        {
            model.put(key, value);
        }
    }

    @Test
    void shouldPublishInSteps()
    {
        try (TestTable t = new TestTable(32 << 20, 8 << 20))
        {
            final byte[] value = random(5, 5_000_001);
            final long extent = t.reserve("k", value.length);
            t.writeValue(extent, value);
            assertNull(t.get("k"));
            assertEquals(RecordDescriptor.BEING_WRITTEN, UnsafeApi.getLong(t.address(extent)));
            int steps = 1;
            while (!t.table.reservations().publishStep(extent, 1 << 20))
            {
                // Others' puts, of the same key too, come between.
                assertEquals(Status.OK, t.put("k", bytes("earlier" + steps)));
                steps++;
            }
            assertEquals(5, steps);
            final long earlier = t.result.version();
            assertEquals(Status.OK, t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result));
            assertTrue(t.result.version() > earlier);
            assertArrayEquals(value, t.get("k"));
            assertThrows(
                IllegalArgumentException.class, () -> t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result));
            assertThrows(IllegalArgumentException.class, () -> t.table.reservations().valueAddress(extent));
            assertFalse(t.table.reservations().abandon(extent));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 4000, 4096, 100_000})
    void shouldKeepAValueForAReaderWhateverHappensToItsKey(final int length)
    {
        try (TestTable t = new TestTable(1 << 20, 200_000))
        {
            final byte[] value = random(9, length);
            t.put("k", value);
            assertTrue(t.find("k"));
            final long first = t.table.lentValues().lend(t.found);
            assertTrue(t.find("k"));
            final long second = t.table.lentValues().lend(t.found);
            t.put("k", random(10, length));
            t.put("k", random(11, 10));
            t.delete("k");
            for (int i = 0; i < 50; i++)
            {
                t.put("filler" + i, random(i, 3000));
            }
            assertArrayEquals(value, Native.read(t.address(first), length));
            assertTrue(t.table.lentValues().release(first));
            assertArrayEquals(value, Native.read(t.address(second), length));
            assertTrue(t.table.lentValues().release(second));
            assertFalse(t.table.lentValues().release(second));
            for (int i = 0; i < 50; i++)
            {
                t.delete("filler" + i);
            }
            while (t.table.clean(1 << 20))
            {
                assertEquals(0, t.table.statistics().records());
            }
            assertTrue(t.heapIsZero());
        }
    }

    @Test
    void shouldRejectATermThatIsNot16Bits()
    {
        try (TestTable t = new TestTable(1 << 20, 1))
        {
            assertThrows(
                IllegalArgumentException.class, () -> new ShardTable(t.region().range(), t.superblock, 0, 0x10000));
            assertThrows(
                IllegalArgumentException.class,
                () -> new ShardTable(t.region().range().slice(0, 4096), t.superblock, 0, 1));
        }
    }

    private static void assertMatches(final Map<String, byte[]> model, final TestTable t)
    {
        assertEquals(model.size(), t.table.statistics().records());
        model.forEach((key, value) -> assertArrayEquals(value, t.get(key)));
    }

    private static byte[] random(final long seed, final int length)
    {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

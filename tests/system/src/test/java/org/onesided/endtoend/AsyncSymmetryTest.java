package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;

/**
 * What an {@link AsyncStore} does with buffers, versions and batches, as {@link StoreOperations} do.
 */
@Timeout(300)
class AsyncSymmetryTest
{
    private final TestStore store = new TestStore();
    private final StoreClient client = store.client();
    private final AsyncStore async = client.async();

    @AfterEach
    void stop()
    {
        client.close();
        store.close();
    }

    private static <T> T ended(final Future<T> future) throws Exception
    {
        return future.get(60, TimeUnit.SECONDS);
    }

    private static UnsafeBuffer buffer(final String text)
    {
        return new UnsafeBuffer(bytes(text));
    }

    @Test
    void shouldTakeKeysAndValuesInAnyBuffer() throws Exception
    {
        final ByteBuffer nioKey = ByteBuffer.wrap(bytes("xkey"), 1, 3);
        final Bytes<?> ofChronicle = Bytes.from("third");
        ended(async.put(nioKey, ByteBuffer.wrap(bytes("value"))));
        final UnsafeBuffer reused = buffer("second-");
        final Future<Void> put = async.put(reused, 0, 6, buffer("xx2"), 2, 1);
        reused.setMemory(0, 7, (byte)0);
        ended(put);
        ended(async.put(ofChronicle, Bytes.from("3")));
        assertEquals(1, nioKey.position());
        assertEquals("value", client.get("key"));
        assertEquals("2", client.get("second"));
        assertEquals("3", client.get("third"));

        assertArrayEquals(bytes("value"), ended(async.get(nioKey)));
        assertArrayEquals(bytes("2"), ended(async.get(buffer("second"), 0, 6)));
        assertArrayEquals(bytes("3"), ended(async.get(ofChronicle)));
        assertTrue(ended(async.contains(nioKey)) && ended(async.contains(buffer("xsecond"), 1, 6)));
        assertTrue(ended(async.contains(ofChronicle)) && ended(async.contains("key")));
        assertFalse(ended(async.contains(bytes("nobody"))));
        assertTrue(ended(async.delete(nioKey)) && ended(async.delete(buffer("second"), 0, 6)));
        assertTrue(ended(async.delete(ofChronicle)));
        assertFalse(ended(async.delete(ofChronicle)));
        assertThrows(IndexOutOfBoundsException.class, () -> async.get(buffer("key"), 1, 3));
        assertThrows(StoreLimitException.class, () -> async.get(ByteBuffer.allocate(0)));
    }

    @Test
    void shouldTellVersionsAndTakeConditionsOnBuffers() throws Exception
    {
        final UnsafeBuffer key = buffer("key");
        final MutableVersion version = new MutableVersion();
        assertEquals(7L, ended(async.increment(key, 0, 3, 5, 2, Expiry.KEEP, version)));
        assertEquals(client.getVersioned("key").version(), version.toVersion());
        assertEquals(2, ended(async.append(key, 0, 3, buffer("1"), 0, 1, Expiry.KEEP, version)));
        assertEquals(client.getVersioned("key").version(), version.toVersion());
        assertEquals("71", client.get("key"));
        final WriteOutcome first =
            ended(async.put(key, 0, 3, buffer("a"), 0, 1, PutOptions.ifVersion(version.toVersion())));
        assertTrue(first.applied());
        assertEquals(first.version(), ended(async.getVersioned(key, 0, 3)).version());
        assertTrue(ended(async.touch(key, 0, 3, Expiry.NEVER)));
        assertFalse(ended(async.ttl(key, 0, 3)).expires());
        assertFalse(ended(async.deleteIfVersion(key, 0, 3, version.toVersion())).applied());
        assertTrue(ended(async.deleteIfVersion(key, 0, 3, first.version())).applied());
    }

    @Test
    void shouldWriteAndLookUpManyKeys() throws Exception
    {
        final Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < 3_000; i++)
        {
            pairs.put("key-" + i, "value-" + i);
        }
        ended(async.putAll(pairs));
        assertEquals(pairs, ended(async.getAll(pairs.keySet())));
        assertEquals(pairs, client.getAll(pairs.keySet()));
        assertEquals(Map.of("key-1", "value-1"), client.getAll(Set.of("key-1", "nobody")));
        assertEquals(Map.of("key-1", "value-1"), ended(async.getAll(Set.of("key-1", "nobody"))));
        assertEquals(Map.of(), ended(async.getAll(Set.of())));
        assertEquals(2, client.deleteAll(Set.of("key-1", "key-2", "nobody")));
        assertEquals(2, ended(async.deleteAll(Set.of("key-3", "key-4", "nobody"))));
        assertEquals(1, ended(async.deleteAll(List.of(bytes("key-5"), bytes("key-4")))));
        assertNull(client.get("key-5"));
        client.put(bytes("binary"), new byte[] {-1});
        assertThrows(StoreLimitException.class, () -> client.getAll(Set.of("binary")));
        assertInstanceOf(StoreLimitException.class, assertThrows(
            ExecutionException.class, () -> ended(async.getAll(Set.of("binary")))).getCause());
    }

    @Test
    void shouldPutPairsWithTheSameKeyInTheirOrder() throws Exception
    {
        final List<byte[]> keys = new ArrayList<>();
        final List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < 1_000; i++)
        {
            keys.add(bytes("key-" + i % 3));
            // Some are longer than a message.
            values.add(bytes("x".repeat(i % 50 == 0 ? 20_000 : 10) + i));
        }
        ended(async.putAll(keys, values));
        for (int i = 997; i < 1_000; i++)
        {
            assertArrayEquals(values.get(i), client.get(keys.get(i)));
        }
        final List<WriteOutcome> outcomes = ended(async.putAll(
            List.of(bytes("a"), bytes("a"), bytes("b")), List.of(bytes("1"), bytes("2"), bytes("3")),
            List.of(PutOptions.ifAbsent(), PutOptions.ifAbsent(), PutOptions.NONE)));
        assertEquals(List.of(true, false, true), outcomes.stream().map(WriteOutcome::applied).toList());
        assertEquals(client.getVersioned("a").version(), outcomes.get(1).version());
    }

    @Test
    void shouldTellWhatBecameOfEachWriteOfABatch() throws Exception
    {
        assertThrows(IllegalArgumentException.class, () -> async.putAll(List.of(bytes("a")), List.of()));
        assertThrows(IllegalArgumentException.class,
            () -> async.putAll(List.of(bytes("a")), List.of(bytes("b")), List.of()));
        assertThrows(StoreLimitException.class, () -> async.deleteAll(List.of(bytes("a"), new byte[0])));
        ended(async.putAll(List.of(), List.of()));
        final List<byte[]> keys = new ArrayList<>();
        final List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            keys.add(bytes("key-" + i));
            values.add(new byte[1 << 20]);
        }
        try (TestStore small = new TestStore(TestStore.options().memory(16 << 20)); StoreClient of = small.client())
        {
            final StoreBatchException failure = assertInstanceOf(StoreBatchException.class, assertThrows(
                ExecutionException.class, () -> ended(of.async().putAll(keys, values))).getCause());
            assertEquals(100, failure.size());
            assertTrue(failure.count(WriteFate.APPLIED) > 0 && failure.count(WriteFate.NOT_APPLIED) > 0);
            for (int i = 0; i < 100; i++)
            {
                assertEquals(failure.fate(i) == WriteFate.APPLIED, of.contains(keys.get(i)));
            }
        }
    }
}

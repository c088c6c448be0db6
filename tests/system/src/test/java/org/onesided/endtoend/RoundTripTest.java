package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;
import static org.onesided.endtoend.TestStore.randomBytes;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;

class RoundTripTest
{
    private static TestStore store;
    private static StoreClient client;

    @BeforeAll
    static void start()
    {
        store = new TestStore(TestStore.options().memory(320L << 20));
        client = store.client();
    }

    @AfterAll
    static void stop()
    {
        client.close();
        store.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {
        0, 1, 7, 8, 100, 4000, 4096, 4097, 8192, 33_000, 65_536, 131_072, 200_000, 294_000, 295_000, 1 << 20,
        5_000_001, 64 << 20})
    void shouldGetWhatWasPut(final int length)
    {
        final byte[] key = bytes("length-" + length);
        final byte[] value = randomBytes(length, length);
        assertNull(client.get(key));
        client.put(key, value);
        assertArrayEquals(value, client.get(key));

        final byte[] another = randomBytes(length, length + 1);
        client.put(key, another);
        assertArrayEquals(another, client.get(key));

        assertTrue(client.delete(key));
        assertFalse(client.delete(key));
        assertNull(client.get(key));
    }

    @Test
    void shouldChangeAValuesLengthEitherWay()
    {
        final byte[] key = bytes("growing");
        for (final int length : new int[] {10, 300_000, 20, 5000, 0, 70_000, 1})
        {
            final byte[] value = randomBytes(length, length);
            client.put(key, value);
            assertArrayEquals(value, client.get(key));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 255, 4096})
    void shouldTakeKeysOfAllLengths(final int length)
    {
        final byte[] key = randomBytes(length, 7L * length);
        client.put(key, bytes("value"));

        assertArrayEquals(bytes("value"), client.get(key));
        assertTrue(client.contains(key));
        assertTrue(client.delete(key));
        assertFalse(client.contains(key));
    }

    @Test
    void shouldRefuseKeysAndValuesOutOfRange()
    {
        final StoreLimitException empty =
            assertThrows(StoreLimitException.class, () -> client.put(new byte[0], bytes("value")));
        assertEquals(WriteFate.NOT_APPLIED, empty.writeFate());
        assertThrows(StoreLimitException.class, () -> client.get(new byte[4097]));
        final StoreLimitException tooLong =
            assertThrows(StoreLimitException.class, () -> client.put(bytes("key"), new byte[(64 << 20) + 1]));
        assertEquals("key", tooLong.key());
        assertTrue(tooLong.getMessage().contains("length=67108865 longest=67108864"), tooLong.getMessage());
        assertFalse(tooLong.getMessage().contains("\n"));
    }

    @Test
    void shouldTakeText()
    {
        client.put("schlüssel", "wert 键");
        assertEquals("wert 键", client.get("schlüssel"));
        assertTrue(client.contains("schlüssel"));
        assertArrayEquals(bytes("wert 键"), client.get(bytes("schlüssel")));
        assertTrue(client.delete("schlüssel"));
        assertNull(client.get("schlüssel"));
    }

    @Test
    void shouldRefuseTextThatIsNone()
    {
        assertThrows(StoreLimitException.class, () -> client.put("half\uD83D", "value"));
        assertThrows(StoreLimitException.class, () -> client.put("text", "half\uD83D"));
        client.put(bytes("binary"), new byte[] {-1, -2});
        final StoreLimitException thrown =
            assertThrows(StoreLimitException.class, () -> client.get("binary"));
        assertTrue(thrown.getMessage().contains("not valid UTF-8"), thrown.getMessage());
    }

    @Test
    void shouldTakeByteBuffersOfEveryKind()
    {
        final ByteBuffer[] keys = {
            ByteBuffer.wrap(bytes("..key-heap")).position(2).slice(),
            ByteBuffer.allocateDirect(20).put(bytes("..key-direct")).flip().position(2),
            ByteBuffer.wrap(bytes("key-read-only")).asReadOnlyBuffer()};
        for (final ByteBuffer key : keys)
        {
            final int position = key.position();
            final ByteBuffer value = key.duplicate();
            client.put(key, value);
            assertEquals(position, key.position());

            final ByteBuffer heap = ByteBuffer.allocate(100).position(10);
            assertEquals(key.remaining(), client.get(key, heap));
            assertEquals(10 + key.remaining(), heap.position());
            assertEquals(key, heap.flip().position(10));
            final ByteBuffer direct = ByteBuffer.allocateDirect(100).position(10);
            client.get(key, direct);
            assertEquals(key, direct.flip().position(10));

            assertThrows(StoreLimitException.class, () -> client.get(key, ByteBuffer.allocate(3)));
            assertTrue(client.contains(key));
            assertTrue(client.delete(key));
            assertEquals(-1, client.get(key, heap));
        }
    }

    @Test
    void shouldTakeDirectBuffers()
    {
        final UnsafeBuffer key = new UnsafeBuffer(bytes("..a-direct-buffer.."));
        final UnsafeBuffer value = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
        value.setMemory(0, 100, (byte)'v');
        client.put(key, 2, 15, value, 30, 40);

        final ExpandableArrayBuffer expandable = new ExpandableArrayBuffer(8);
        assertEquals(40, client.get(key, 2, 15, expandable, 5));
        assertEquals("v".repeat(40), expandable.getStringWithoutLengthUtf8(5, 40));
        assertThrows(
            StoreLimitException.class, () -> client.get(key, 2, 15, new UnsafeBuffer(new byte[44]), 5));
        assertThrows(IndexOutOfBoundsException.class, () -> client.put(key, 2, 15, value, 90, 11));
        assertTrue(client.contains(key, 2, 15));
        assertTrue(client.delete(key, 2, 15));
        assertEquals(-1, client.get(key, 2, 15, expandable, 0));
    }

    @Test
    void shouldTakeBytes()
    {
        final Bytes<?> key = Bytes.allocateElasticDirect().append("bytes-key");
        final Bytes<?> value = Bytes.allocateElasticDirect().append("bytes-value");
        final Bytes<?> heapValue = Bytes.allocateElasticOnHeap().append("heap-value");
        final Bytes<?> result = Bytes.allocateElasticDirect(4);
        client.put(key, value);
        assertTrue(client.getUsing(key, result));
        assertEquals("bytes-value", result.toString());

        client.put(key, heapValue);
        assertTrue(client.getUsing(key, result));
        assertEquals("heap-value", result.toString());
        assertEquals("bytes-key", key.toString());
        assertTrue(client.contains(key));
        assertTrue(client.delete(key));
        assertFalse(client.getUsing(key, result));
        assertEquals(0, result.readRemaining());

        key.releaseLast();
        value.releaseLast();
        result.releaseLast();
    }
}

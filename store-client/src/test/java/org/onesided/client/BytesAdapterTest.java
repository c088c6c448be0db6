package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.session.TestMemory;

class BytesAdapterTest
{
    private static final byte[] TEXT = TestMemory.bytes("0123456789abcdefghi");

    private final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(64, Long.BYTES));

    static Stream<Bytes<?>> elastic()
    {
        return Stream.of(
            Bytes.allocateElasticDirect(8),
            Bytes.allocateElasticDirect(),
            Bytes.elasticHeapByteBuffer(8),
            Bytes.allocateElasticOnHeap(8));
    }

    static Stream<Bytes<?>> limited()
    {
        return Stream.of(Bytes.allocateDirect(8), Bytes.wrapForWrite(new byte[8]));
    }

    @ParameterizedTest
    @MethodSource("elastic")
    void shouldFillWhatGrows(final Bytes<?> target)
    {
        memory.putBytes(0, TEXT);
        target.append("before, and longer than what comes");

        assertTrue(BytesAdapter.fill(target, memory.addressOffset(), TEXT.length));
        assertArrayEquals(TEXT, target.toByteArray());
        assertTrue(BytesAdapter.fill(target, memory.addressOffset(), 0));
        assertEquals(0, target.readRemaining());
        target.releaseLast();
    }

    @ParameterizedTest
    @MethodSource("limited")
    void shouldTellWhenThereIsNoRoom(final Bytes<?> target)
    {
        memory.putBytes(0, TEXT);

        assertFalse(BytesAdapter.fill(target, memory.addressOffset(), 9));
        assertTrue(BytesAdapter.fill(target, memory.addressOffset(), 8));
        assertEquals("01234567", target.toString());
        target.releaseLast();
    }

    @ParameterizedTest
    @MethodSource("elastic")
    void shouldCopyOutWithoutMoving(final Bytes<?> source)
    {
        source.write(TEXT).readSkip(2);
        BytesAdapter.copyOut(source, memory.addressOffset(), TEXT.length - 2);

        final byte[] copy = new byte[TEXT.length - 2];
        memory.getBytes(0, copy);
        assertEquals("23456789abcdefghi", new String(copy));
        assertEquals(2, source.readPosition());
        source.releaseLast();
    }
}

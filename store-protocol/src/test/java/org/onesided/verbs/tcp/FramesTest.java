package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.HexFormat;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.VerbsException;

class FramesTest
{
    private final StagingPool pool = new StagingPool();
    private final FrameWriter writer = new FrameWriter(pool);
    private final FrameReader reader = new FrameReader(pool);
    private final Wires wires = new Wires();

    @AfterEach
    void close()
    {
        writer.close();
        reader.close();
    }

    @Test
    void shouldSendTheChecksumOfIscsi() throws IOException
    {
        // RFC 3720, B.4: 32 bytes of zeros have the digest aa 36 91 8a; here as length 30 would not do, see the bytes.
        final long ulpdu = writer.begin();
        UnsafeApi.setMemory(null, ulpdu, 2, (byte)0);
        writer.end(2);
        writer.flush(wires);
        final byte[] sent = wires.sent.toByteArray();
        assertEquals(8, sent.length);
        assertEquals("00020000", HexFormat.of().formatHex(sent, 0, 4));
        final java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(sent, 0, 4);
        assertEquals(crc.getValue(), Integer.reverseBytes(ByteBuffer.wrap(sent).getInt(4)) & 0xFFFF_FFFFL);
    }

    @Test
    void shouldPadToFourBytes() throws IOException
    {
        for (int length = 14; length < 30; length++)
        {
            wires.sent.reset();
            frame(length, 7);
            writer.flush(wires);
            final byte[] sent = wires.sent.toByteArray();
            assertEquals(FrameDescriptor.frameLength(length), sent.length);
            assertEquals(0, sent.length % 4);
            for (int i = 2 + length; i < sent.length - 4; i++)
            {
                assertEquals(0, sent[i], "padding");
            }
        }
    }

    @Test
    void shouldTakeInWhatWasSentHoweverItIsCut() throws IOException
    {
        final int[] lengths = {14, 18, 19, 20, 21, 46, 1000, 16398, 65535};
        for (final int length : lengths)
        {
            frame(length, length);
        }
        assertTrue(writer.flush(wires));
        assertTrue(writer.isEmpty());
        final byte[] sent = wires.sent.toByteArray();
        for (final int piece : new int[] {1, 3, 7, 1460, 70_000, sent.length})
        {
            int next = 0;
            for (int from = 0; from < sent.length; from += piece)
            {
                wires.incoming = ByteBuffer.wrap(sent, from, Math.min(piece, sent.length - from));
                while (reader.fill(wires) > 0)
                {
                    for (int length = reader.next(); length >= 0; length = reader.next())
                    {
                        assertEquals(lengths[next], length);
                        assertEquals((byte)(length + 5), UnsafeApi.getByte(reader.ulpdu() + 5));
                        reader.consume(length);
                        next++;
                    }
                    assertEquals(FrameReader.INCOMPLETE, reader.next());
                    reader.release();
                }
            }
            assertEquals(lengths.length, next, "piece=" + piece);
        }
    }

    @Test
    void shouldFindEveryChangedBit() throws IOException
    {
        frame(21, 3);
        writer.flush(wires);
        final byte[] sent = wires.sent.toByteArray();
        for (int bit = 16; bit < sent.length * 8; bit++)
        {
            final byte[] changed = sent.clone();
            changed[bit / 8] ^= (byte)(1 << bit % 8);
            wires.incoming = ByteBuffer.wrap(changed);
            reader.fill(wires);
            assertEquals(FrameReader.BAD_CRC, reader.next(), "bit=" + bit);
            reader.close();
        }
    }

    @Test
    void shouldHaveRoomUntilItIsFullAndAgainAfterwards() throws IOException
    {
        wires.takes = 0;
        int count = 0;
        while (writer.makeRoom(16_398))
        {
            frame(16_398, count++);
        }
        assertEquals(StagingBuffer.CAPACITY / FrameDescriptor.frameLength(16_398), count);
        assertFalse(writer.flush(wires));
        assertFalse(writer.makeRoom(16_398));
        wires.takes = StagingBuffer.CAPACITY / 2 + 1000;
        assertFalse(writer.flush(wires));
        assertTrue(writer.makeRoom(16_398));
        frame(16_398, count++);
        wires.takes = Integer.MAX_VALUE;
        assertTrue(writer.flush(wires));
        assertEquals(count * FrameDescriptor.frameLength(16_398), wires.sent.size());
        wires.incoming = ByteBuffer.wrap(wires.sent.toByteArray());
        for (int i = 0; i < count; i++)
        {
            while (reader.next() == FrameReader.INCOMPLETE)
            {
                assertTrue(reader.fill(wires) > 0);
            }
            assertEquals(16_398, reader.next(), "frame=" + i);
            assertEquals((byte)i, UnsafeApi.getByte(reader.ulpdu()));
            reader.consume(16_398);
        }
    }

    @Test
    void shouldHoldNoMemoryWhileNothingIsOnItsWay() throws IOException
    {
        final StagingBuffer only = pool.take();
        pool.giveBack(only);
        frame(20, 1);
        writer.flush(wires);
        wires.incoming = ByteBuffer.wrap(wires.sent.toByteArray());
        reader.fill(wires);
        reader.consume(reader.next());
        reader.release();
        final StagingBuffer again = pool.take();
        assertEquals(only.address(), again.address());
    }

    @Test
    void shouldHoldNoBufferForTheHeadOfAFrame() throws IOException
    {
        final StagingPool one = new StagingPool(StagingBuffer.CAPACITY, 0);
        final FrameReader inOne = new FrameReader(one);
        frame(FrameReader.HEAD_LENGTH, 1);
        writer.flush(wires);
        final byte[] sent = wires.sent.toByteArray();
        for (int length = 1; length <= FrameReader.HEAD_LENGTH; length++)
        {
            take(inOne, sent, 0, length);
            one.giveBack(one.take());
            take(inOne, sent, length, sent.length);
        }
        take(inOne, sent, 0, FrameReader.HEAD_LENGTH + 1);
        assertThrows(VerbsException.class, one::take);
        inOne.close();
        one.giveBack(one.take());
    }

    @Test
    void shouldSetAFrameAsideWhileBuffersAreScarce() throws IOException
    {
        final int length = 60_000;
        // Twice as much would not fit.
        final StagingPool one = new StagingPool(StagingBuffer.CAPACITY, FrameDescriptor.frameLength(length));
        final FrameReader inOne = new FrameReader(one);
        frame(length, 1);
        writer.flush(wires);
        final byte[] sent = wires.sent.toByteArray();
        for (int round = 0; round < 3; round++)
        {
            int from = 0;
            for (final int to : new int[] {1, 100, 101, 59_999, sent.length})
            {
                take(inOne, sent, from, to);
                one.giveBack(one.take());
                from = to;
            }
        }
        take(inOne, sent, 0, 100);
        inOne.close();
        take(inOne, sent, 0, 100);
        one.giveBack(one.take());
        inOne.close();
    }

    @Test
    void shouldSetWhatASocketDoesNotTakeAsideWhileBuffersAreScarce() throws IOException
    {
        final StagingPool one = new StagingPool(StagingBuffer.CAPACITY, StagingBuffer.CAPACITY);
        final FrameWriter inOne = new FrameWriter(one);
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < 15; i++)
            {
                frame(inOne, 16_398, i);
            }
            wires.takes = 1000;
            assertFalse(inOne.flush(wires));
            one.giveBack(one.take());
            assertFalse(inOne.isEmpty());
            assertFalse(inOne.makeRoom(20));
            wires.takes = 60_000;
            assertFalse(inOne.flush(wires));
            wires.takes = Integer.MAX_VALUE;
            assertTrue(inOne.flush(wires));
            assertTrue(inOne.isEmpty());
            assertTrue(inOne.makeRoom(20));
        }
        assertEquals(inOne.staged(), inOne.written());
        wires.incoming = ByteBuffer.wrap(wires.sent.toByteArray());
        for (int i = 0; i < 30; i++)
        {
            while (reader.next() == FrameReader.INCOMPLETE)
            {
                assertTrue(reader.fill(wires) > 0);
            }
            assertEquals(16_398, reader.next(), "frame=" + i);
            assertEquals((byte)(i % 15), UnsafeApi.getByte(reader.ulpdu()));
            reader.consume(16_398);
        }
    }

    @Test
    void shouldTellForHowLongAFrameIsUnfinished() throws IOException
    {
        frame(20, 1);
        writer.flush(wires);
        final byte[] sent = wires.sent.toByteArray();
        assertEquals(0, reader.unfinishedNs(5));
        take(reader, sent, 0, 3);
        assertEquals(0, reader.unfinishedNs(5), "it has begun since the last time");
        assertEquals(5, reader.unfinishedNs(5));
        take(reader, sent, 3, 4);
        assertEquals(12, reader.unfinishedNs(7));
        assertTrue(reader.isStillUnfinished());
        take(reader, sent, 4, sent.length);
        assertFalse(reader.isStillUnfinished());
        take(reader, sent, 0, 3);
        assertFalse(reader.isStillUnfinished(), "it is another");
        assertEquals(0, reader.unfinishedNs(5));
        assertEquals(5, reader.unfinishedNs(5));
        take(reader, sent, 3, sent.length);
        assertEquals(0, reader.unfinishedNs(5));
        assertEquals(0, reader.unfinishedNs(5));
    }

    @Test
    void shouldLayOutHeadersAsTheRfcsDraw()
    {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(64);
        final long address = org.agrona.BufferUtil.address(bytes);
        SegmentDescriptor.tagged(address, SegmentDescriptor.READ_RESPONSE, true, 0x01020304, 0x1112131415161718L);
        assertArrayEquals(HexFormat.of().parseHex("c142010203041112131415161718"), copy(bytes, 14));
        SegmentDescriptor.untagged(address, SegmentDescriptor.SEND, false, 0, 0x0A0B0C0D, 0x100);
        assertArrayEquals(
            HexFormat.of().parseHex("014300000000" + "00000000" + "0a0b0c0d" + "00000100"), copy(bytes, 18));
        assertFalse(SegmentDescriptor.isTagged(address));
        assertFalse(SegmentDescriptor.isLast(address));
        assertEquals(SegmentDescriptor.SEND, SegmentDescriptor.opcode(address));
        assertEquals(18, SegmentDescriptor.headerLength(address));
    }

    @Test
    void shouldTellWhatWasTerminated()
    {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(128);
        final long segment = org.agrona.BufferUtil.address(bytes);
        final long payload = segment + 64;
        SegmentDescriptor.untagged(segment, SegmentDescriptor.READ_REQUEST, true, 1, 9, 0);
        assertEquals(52, TerminateDescriptor.encode(payload, Fault.READ_RANGE, segment, 46));
        // RDMAP, remote protection, base or bounds; all three headers; 46 bytes.
        assertEquals("0101e000002e", HexFormat.of().formatHex(copy(bytes, 64, 6)));
        assertEquals(payload + 6, TerminateDescriptor.header(payload, 52));
        assertEquals(0, TerminateDescriptor.header(payload, 23), "not whole");
        assertEquals(4, TerminateDescriptor.encode(payload, Fault.CRC, 0, 0));
        assertEquals("20020000", HexFormat.of().formatHex(copy(bytes, 64, 4)));
        assertEquals(0, TerminateDescriptor.header(payload, 4));
    }

    /** Has a part of a frame come. */
    private void take(final FrameReader to, final byte[] sent, final int from, final int end) throws IOException
    {
        wires.incoming = ByteBuffer.wrap(sent, from, end - from);
        assertEquals(end - from, to.fill(wires));
        final int length = to.next();
        assertEquals(end == sent.length, length >= 0);
        if (length >= 0)
        {
            to.consume(length);
        }
        to.release();
    }

    private void frame(final int length, final int seed)
    {
        frame(writer, length, seed);
    }

    private static void frame(final FrameWriter writer, final int length, final int seed)
    {
        final long ulpdu = writer.begin();
        for (int i = 0; i < length; i++)
        {
            UnsafeApi.putByte(ulpdu + i, (byte)(seed + i));
        }
        writer.end(length);
    }

    private static byte[] copy(final ByteBuffer bytes, final int length)
    {
        return copy(bytes, 0, length);
    }

    private static byte[] copy(final ByteBuffer bytes, final int offset, final int length)
    {
        final byte[] copy = new byte[length];
        bytes.get(offset, copy);
        return copy;
    }

    /**
     * A socket that takes and gives what the test says.
     */
    private static final class Wires implements ReadableByteChannel, WritableByteChannel
    {
        private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
        private ByteBuffer incoming = ByteBuffer.allocate(0);
        private int takes = Integer.MAX_VALUE;

        @Override
        public int read(final ByteBuffer target)
        {
            int count = 0;
            while (incoming.hasRemaining() && target.hasRemaining())
            {
                target.put(incoming.get());
                count++;
            }
            return count;
        }

        @Override
        public int write(final ByteBuffer source)
        {
            int count = 0;
            while (source.hasRemaining() && count < takes)
            {
                sent.write(source.get());
                count++;
            }
            return count;
        }

        @Override
        public boolean isOpen()
        {
            return true;
        }

        @Override
        public void close()
        {
            // Nothing is held.
        }
    }
}

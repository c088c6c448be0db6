package org.onesided.server.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.server.disk.InPlace;

/** Whatever happens to a file's bytes, it is refused, and nothing that was not written is handed on before that. */
class SnapshotDamageTest
{
    @TempDir
    private Path directory;
    private Path file;
    private byte[] bytes;
    private List<SampleSnapshot.Entry> entries;

    @BeforeEach
    void write() throws Exception
    {
        final SnapshotStore store = new SnapshotStore(directory, SampleSnapshot.TABLE, 1, 4);
        final SnapshotWriter writer = store.create(SampleSnapshot.header(42));
        final SampleSnapshot sample = new SampleSnapshot();
        sample.session(writer, new byte[]{1, 2, 3, 4, 5, 6, 7});
        sample.session(writer, new byte[0]);
        for (int i = 0; i < 10; i++)
        {
            sample.record(writer, new byte[]{(byte)i, 5, 6, 7}, new byte[]{9, 8, (byte)i}, 100 + i);
        }
        SampleSnapshot.finish(writer);
        entries = sample.entries;
        file = SnapshotStore.files(directory).get(0);
        bytes = Files.readAllBytes(file);
        assertEquals(entries, SampleSnapshot.read(file));
    }

    /** Reads a damaged file; what comes before it is refused must have been written. */
    private SnapshotException refuse(final byte[] damaged, final String how) throws IOException
    {
        InPlace.write(file, damaged);
        final SnapshotException refusal =
            assertThrows(SnapshotException.class, () -> SnapshotReader.verify(file, (bytes) -> {}), how);
        final List<SampleSnapshot.Entry> read = new ArrayList<>();
        assertThrows(SnapshotException.class, () -> readInto(read), how);
        assertTrue(read.size() <= entries.size(), how);
        assertEquals(entries.subList(0, read.size()), read, how);
        assertTrue(refusal.getMessage().contains(file.toString()) && !refusal.getMessage().contains("\n"), how);
        return refusal;
    }

    private void readInto(final List<SampleSnapshot.Entry> read)
    {
        try (SnapshotReader reader = new SnapshotReader(file))
        {
            for (SnapshotReader.Item item = reader.next(); item != SnapshotReader.Item.END; item = reader.next())
            {
                final boolean isSession = item == SnapshotReader.Item.SESSION;
                read.add(new SampleSnapshot.Entry(
                    isSession ? null : copy(reader.keyAddress(), reader.keyLength()),
                    copy(reader.valueAddress(), reader.valueLength()),
                    isSession ? 0 : reader.version(), isSession ? 0 : reader.expiry()));
            }
        }
    }

    private static byte[] copy(final long address, final int length)
    {
        final byte[] copy = new byte[length];
        new UnsafeBuffer(address, length).getBytes(0, copy);
        return copy;
    }

    @Test
    void shouldRefuseEachFlippedBit() throws IOException
    {
        for (int bit = 0; bit < bytes.length * 8; bit++)
        {
            final byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte)(1 << bit % 8);
            assertEquals(SnapshotException.Reason.DAMAGED, refuse(damaged, "bit " + bit).reason());
        }
    }

    @Test
    void shouldRefuseAFileThatWasCutAnywhere() throws IOException
    {
        for (int length = 0; length < bytes.length; length++)
        {
            refuse(Arrays.copyOf(bytes, length), "cut at " + length);
        }
    }

    @Test
    void shouldRefuseZeroedRanges() throws IOException
    {
        for (int length = 4; length <= bytes.length; length *= 2)
        {
            for (int from = 0; from + length <= bytes.length; from += 4)
            {
                final byte[] damaged = bytes.clone();
                Arrays.fill(damaged, from, from + length, (byte)0);
                if (!Arrays.equals(damaged, bytes))
                {
                    refuse(damaged, "zeros from " + from + " length " + length);
                }
            }
        }
    }

    @Test
    void shouldRefuseBytesBehindTheEnd() throws IOException
    {
        for (final int more : new int[]{1, 16, 4096})
        {
            refuse(Arrays.copyOf(bytes, bytes.length + more), "longer by " + more);
        }
    }

    /** Blocks whose own checksums are right. */
    @Test
    void shouldRefuseBlocksInAnotherPlaceOrOfAnotherFile() throws Exception
    {
        final List<byte[]> blocks = blocks(bytes);
        assertEquals(List.of(1, 2, 3, 6), blocks.stream().map((block) -> (int)block[0]).toList());
        for (int i = 0; i < blocks.size(); i++)
        {
            final List<byte[]> without = new ArrayList<>(blocks);
            without.remove(i);
            refuse(file(without), "without block " + i);
            final List<byte[]> twice = new ArrayList<>(blocks);
            twice.add(i, blocks.get(i));
            refuse(file(twice), "block twice " + i);
        }
        write();
        final List<byte[]> others = blocks(bytes);
        for (int i = 0; i < blocks.size(); i++)
        {
            final List<byte[]> mixed = new ArrayList<>(blocks);
            mixed.set(i, others.get(i));
            refuse(file(mixed), "block of another file " + i);
        }
    }

    @Test
    void shouldRefuseANewerFormat() throws IOException
    {
        final ByteBuffer newer = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        newer.putInt(SnapshotDescriptor.FORMAT_OFFSET, SnapshotDescriptor.FORMAT + 1);
        final CRC32C crc = new CRC32C();
        crc.update(newer.array(), 0, SnapshotDescriptor.PROLOGUE_CRC_OFFSET);
        newer.putInt(SnapshotDescriptor.PROLOGUE_CRC_OFFSET, (int)crc.getValue());
        assertEquals(SnapshotException.Reason.NEWER_FORMAT, refuse(newer.array(), "newer").reason());
    }

    @Test
    void shouldRefuseAnotherTableOrShard()
    {
        try (SnapshotReader reader = new SnapshotReader(file))
        {
            reader.checkOwner(SampleSnapshot.TABLE, 1, 4);
            assertThrows(SnapshotException.class, () -> reader.checkOwner(SampleSnapshot.TABLE + 1, 1, 4));
            assertThrows(SnapshotException.class, () -> reader.checkOwner(SampleSnapshot.TABLE, 2, 4));
            final SnapshotException refusal = assertThrows(
                SnapshotException.class, () -> reader.checkOwner(SampleSnapshot.TABLE, 1, 5));
            assertEquals(SnapshotException.Reason.FOREIGN, refusal.reason());
        }
    }

    @Test
    void shouldSayThatAFileCannotBeRead() throws IOException
    {
        Files.delete(file);
        assertEquals(SnapshotException.Reason.UNREADABLE,
            assertThrows(SnapshotException.class, () -> new SnapshotReader(file)).reason());
    }

    private List<byte[]> blocks(final byte[] of)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(of).order(ByteOrder.LITTLE_ENDIAN);
        final List<byte[]> blocks = new ArrayList<>();
        int at = SnapshotDescriptor.PROLOGUE_LENGTH;
        while (at < of.length)
        {
            final int end = at + SnapshotDescriptor.BLOCK_HEADER_LENGTH +
                buffer.getInt(at + SnapshotDescriptor.LENGTH_OFFSET);
            blocks.add(Arrays.copyOfRange(of, at, end));
            at = end;
        }
        return blocks;
    }

    private byte[] file(final List<byte[]> blocks)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(SnapshotDescriptor.PROLOGUE_LENGTH +
            blocks.stream().mapToInt((block) -> block.length).sum());
        buffer.put(bytes, 0, SnapshotDescriptor.PROLOGUE_LENGTH);
        blocks.forEach(buffer::put);
        return buffer.array();
    }
}

package org.onesided.server.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Sessions and records to write to a snapshot, and what a reader finds in it. */
final class SampleSnapshot
{
    static final long TABLE = 0x1234_5678_9ABCL;
    /** Longer than any step. */
    static final long LONG_MS = 120_000;
    private static final int PART = 70_001;

    /** What was read or is to be written: a session has no key. */
    record Entry(byte[] key, byte[] value, long version, long expiry)
    {
        @Override
        public boolean equals(final Object other)
        {
            return other instanceof Entry that && Arrays.equals(key, that.key) && Arrays.equals(value, that.value) &&
                version == that.version && expiry == that.expiry;
        }

        @Override
        public int hashCode()
        {
            return Arrays.hashCode(key) + 31 * Arrays.hashCode(value);
        }

        @Override
        public String toString()
        {
            return "key=" + (key == null ? -1 : key.length) + " value=" + value.length + " version=" + version;
        }
    }

    final List<Entry> entries = new ArrayList<>();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096 + (1 << 20));
    private final long address = BufferUtil.address(memory);

    static SnapshotHeader header(final long index)
    {
        return new SnapshotHeader(TABLE, 1, 4, 3, index, 1_000 + index, 77, 128, 5, 6, 7_000 + index);
    }

    void session(final SnapshotWriter writer, final byte[] session)
    {
        entries.add(new Entry(null, session, 0, 0));
        writer.session(new UnsafeBuffer(session), 0, session.length);
    }

    void record(final SnapshotWriter writer, final byte[] key, final byte[] value, final long version)
    {
        entries.add(new Entry(key, value, version, -version));
        memory.put(0, key);
        memory.put(4096, value);
        writer.record(address, key.length, address + 4096, value.length, version, -version);
    }

    /** A long value in parts, with a short record between them. */
    void longRecord(final SnapshotWriter writer, final byte[] key, final byte[] value, final long version)
    {
        memory.put(0, key);
        writer.longRecord(address, key.length, value.length, version, -version);
        for (int at = 0; at < value.length; at += PART)
        {
            final int length = Math.min(PART, value.length - at);
            memory.put(4096, value, at, length);
            writer.valuePart(address + 4096, length);
            if (at == PART)
            {
                record(writer, new byte[]{1, 2, 3}, new byte[]{(byte)version}, version + 1);
            }
        }
        entries.add(new Entry(key, value, version, -version));
    }

    /** Each kind of item, of many lengths. */
    void fill(final SnapshotWriter writer, final long seed)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < 20; i++)
        {
            session(writer, bytes(random, i == 7 ? 1 << 20 : random.nextInt(100_000)));
        }
        for (int i = 0; i < 2_000; i++)
        {
            record(writer, bytes(random, 1 + random.nextInt(4096)), bytes(random, random.nextInt(3_000)), i);
            if (i % 500 == 0)
            {
                longRecord(writer, bytes(random, 16), bytes(random, 65_537 + random.nextInt(4 << 20)), 10_000 + i);
            }
        }
        record(writer, bytes(random, 4096), bytes(random, 64 << 10), 9);
    }

    private static byte[] bytes(final Random random, final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    static void finish(final SnapshotWriter writer) throws InterruptedException
    {
        writer.finish();
        assertTrue(writer.await(LONG_MS));
        assertEquals(SnapshotWriter.State.DONE, writer.state(), writer::reason);
    }

    static void write(final SnapshotStore store, final long index) throws InterruptedException
    {
        final SnapshotWriter writer = store.create(header(index));
        final SampleSnapshot sample = new SampleSnapshot();
        sample.session(writer, new byte[]{(byte)index});
        sample.record(writer, new byte[]{1, 2, 3, 4, 5}, new byte[]{(byte)index, 8, 7}, 40 + index);
        finish(writer);
    }

    /** Whatever a file holds until it ends, or turns out to be damaged. */
    static List<Entry> read(final Path path)
    {
        try (SnapshotReader reader = new SnapshotReader(path))
        {
            return read(reader);
        }
    }

    static List<Entry> read(final SnapshotReader reader)
    {
        final List<Entry> found = new ArrayList<>();
        Entry last = null;
        for (SnapshotReader.Item item = reader.next(); item != SnapshotReader.Item.END; item = reader.next())
        {
            switch (item)
            {
                case SESSION -> found.add(new Entry(null, bytes(reader.valueAddress(), reader.valueLength()), 0, 0));
                case RECORD -> found.add(entry(reader, bytes(reader.valueAddress(), reader.valueLength())));
                case LONG_RECORD -> last = entry(reader, new byte[reader.valueLength()]);
                default ->
                {
                    final int left = reader.valueLeft();
                    final byte[] part = bytes(reader.valueAddress(), reader.partLength());
                    System.arraycopy(part, 0, last.value, last.value.length - left - part.length, part.length);
                    if (left == 0)
                    {
                        found.add(last);
                    }
                }
            }
        }
        return found;
    }

    private static Entry entry(final SnapshotReader reader, final byte[] value)
    {
        return new Entry(bytes(reader.keyAddress(), reader.keyLength()), value, reader.version(), reader.expiry());
    }

    private static byte[] bytes(final long from, final int length)
    {
        final byte[] bytes = new byte[length];
        new UnsafeBuffer(from, length).getBytes(0, bytes);
        return bytes;
    }
}

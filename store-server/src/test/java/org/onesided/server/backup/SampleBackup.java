package org.onesided.server.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotWriter;

/** A backup of two shards, written without a server. */
final class SampleBackup
{
    static final long TABLE = 0x1234_5678_9ABCL;
    static final long HASH_SEED = 17;
    static final long CHECK_SEED = 18;
    static final int SHARDS = 2;
    private static final long LONG_MS = 120_000;

    /** What is in it, or in what was made from it. */
    final Map<String, byte[]> values = new HashMap<>();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096 + (1 << 20));
    private final long address = BufferUtil.address(memory);

    /** Writes a backup of some short records, and perhaps a long one. */
    Path write(final Path folder, final int records, final boolean hasLong) throws Exception
    {
        final List<Path> snapshots = new ArrayList<>();
        final KeyHash hash = new KeyHash(HASH_SEED);
        for (int shard = 0; shard < SHARDS; shard++)
        {
            final Path path = folder.resolve("part-" + shard);
            final SnapshotWriter writer = SnapshotWriter.to(path, new SnapshotHeader(
                TABLE, shard, SHARDS, 3, 40 + shard, 1_000 + shard, 70 + shard, 128, records, 6, 7_000));
            final UnsafeBuffer session = new UnsafeBuffer(new byte[16]);
            writer.session(session, 0, 16);
            for (int i = 0; i < records; i++)
            {
                final String key = "key " + i;
                memory.put(0, key.getBytes(UTF_8));
                if (KeyHash.shard(hash.hash(address, key.length()), SHARDS) == shard)
                {
                    final byte[] value = ("value of " + i).getBytes(UTF_8);
                    memory.put(4096, value);
                    writer.record(address, key.length(), address + 4096, value.length, 10 + i, 99 + i);
                    values.put(key, value);
                }
            }
            if (hasLong && shard == shardOfLong(hash))
            {
                writeLong(writer);
            }
            writer.finish();
            assertTrue(writer.await(LONG_MS));
            assertEquals(SnapshotWriter.State.DONE, writer.state());
            snapshots.add(path);
        }
        final Path file = folder.resolve("sample.backup");
        final BackupHeader header = new BackupHeader(5, TABLE, HASH_SEED, CHECK_SEED, 123, "1.2", SHARDS);
        try (FileChannel channel = DiskFiles.create(file))
        {
            final BackupStream stream = new BackupStream(header, snapshots, 700);
            stream.writeTo((piece) -> DiskFiles.writeAll(channel, piece));
            assertEquals(stream.totalLength(), channel.size());
        }
        return file;
    }

    private int shardOfLong(final KeyHash hash)
    {
        memory.put(0, "long".getBytes(UTF_8));
        return KeyHash.shard(hash.hash(address, 4), SHARDS);
    }

    private void writeLong(final SnapshotWriter writer)
    {
        final byte[] value = new byte[1_000_000];
        new Random(1).nextBytes(value);
        memory.put(0, "long".getBytes(UTF_8));
        memory.put(4096, value);
        writer.longRecord(address, 4, value.length, 5, 6);
        writer.valuePart(address + 4096, 400_000);
        writer.valuePart(address + 404_096, 600_000);
        values.put("long", value);
    }

    /** Adds what a snapshot holds; checks that each record is in the shard of its hash. */
    static void read(final Path path, final int shards, final Map<String, byte[]> to)
    {
        final KeyHash hash = new KeyHash(HASH_SEED);
        try (SnapshotReader reader = new SnapshotReader(path))
        {
            String key = null;
            int filled = 0;
            int sessions = 0;
            for (SnapshotReader.Item item = reader.next(); item != SnapshotReader.Item.END; item = reader.next())
            {
                if (item == SnapshotReader.Item.SESSION)
                {
                    sessions++;
                    continue;
                }
                int length = reader.partLength();
                if (item != SnapshotReader.Item.VALUE_PART)
                {
                    assertEquals(reader.header().shard(),
                        KeyHash.shard(hash.hash(reader.keyAddress(), reader.keyLength()), shards));
                    final byte[] name = new byte[reader.keyLength()];
                    new UnsafeBuffer(reader.keyAddress(), name.length).getBytes(0, name);
                    key = new String(name, UTF_8);
                    to.put(key, new byte[reader.valueLength()]);
                    filled = 0;
                    length = item == SnapshotReader.Item.RECORD ? reader.valueLength() : 0;
                }
                if (length > 0)
                {
                    new UnsafeBuffer(reader.valueAddress(), length).getBytes(0, to.get(key), filled, length);
                    filled += length;
                }
            }
            assertEquals(1, sessions);
        }
    }

    void assertSame(final Map<String, byte[]> found)
    {
        assertEquals(values.keySet(), found.keySet());
        values.forEach((key, value) -> assertTrue(Arrays.equals(value, found.get(key)), key));
    }
}

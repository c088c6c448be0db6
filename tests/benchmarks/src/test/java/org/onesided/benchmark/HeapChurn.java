package org.onesided.benchmark;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.UnsafeApi;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.TableStatistics;
import org.onesided.server.table.WriteResult;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.HugePages;

/**
 * Whether a full heap of mixed sizes dies slowly: fills one shard's heap, then changes it at random, and prints, for
 * each turnover of its bytes, how long a put takes and how much of the heap records fill. Arguments: bytes of the table
 * (default 256 MiB), percent of the heap that records are kept to fill (default 95), turnovers (default 10).
 */
final class HeapChurn
{
    private static final int SPLITS = 16;
    private static final int SHORTEST = 50;
    private static final int LONGEST = 5_000;
    /** Granules that a step of compaction may touch. */
    private static final long ROOM_BUDGET = 1 << 14;

    private final KeyHash keyHash;
    private final ShardTable table;
    private final SplittableRandom random = new SplittableRandom(1);
    private final WriteResult result = new WriteResult();
    private final long heapLength;
    private final long key;
    private final long value;
    private long[] ids = new long[1 << 10];
    private int[] lengths = new int[1 << 10];
    private int count;
    private long nextId;
    private long used;
    private long written;
    private long puts;
    private long refused;
    private long longestNs;

    private HeapChurn(final DeviceMemory memory, final DeviceMemory space, final Superblock superblock)
    {
        keyHash = new KeyHash(superblock.hashSeed());
        table = new ShardTable(memory.range(), superblock, 0, 1);
        heapLength = superblock.shards().get(0).heapLength();
        key = space.range().address();
        value = key + Long.BYTES;
    }

    public static void main(final String[] args)
    {
        final long length = args.length > 0 ? Long.parseLong(args[0]) : 256L << 20;
        final int percent = args.length > 1 ? Integer.parseInt(args[1]) : 95;
        final int turnovers = args.length > 2 ? Integer.parseInt(args[2]) : 10;
        final Superblock superblock = GrowthPlan.of(length, 1, 1, 4096).superblock(1, 2, 3, 4);
        try (Context context = Devices.find("shm").open();
            DeviceMemory memory = context.reserve(superblock.regionLength(), HugePages.AUTO);
            DeviceMemory space = context.reserve(Long.BYTES + LONGEST, HugePages.OFF))
        {
            new HeapChurn(memory, space, superblock).run(percent, turnovers);
        }
    }

    private void run(final int percent, final int turnovers)
    {
        final long limit = heapLength / 100 * percent;
        long beginNs = System.nanoTime();
        while (used < limit && insert())
        {
            written = 0;
        }
        report("filled", beginNs, 0);
        for (int i = 1; i <= turnovers; i++)
        {
            final long moved = table.statistics().recordsMoved();
            puts = 0;
            written = 0;
            refused = 0;
            longestNs = 0;
            beginNs = System.nanoTime();
            while (written < heapLength)
            {
                change(limit);
            }
            report("turnover " + i, beginNs, moved);
        }
    }

    private void report(final String when, final long beginNs, final long movedBefore)
    {
        final double seconds = (System.nanoTime() - beginNs) / 1e9;
        final TableStatistics now = table.statistics();
        System.out.printf(
            "%-12s %9d records fill %.3f of the heap; %7d puts, %.0f ns each, longest %.0f us, %.2f moved per put, " +
                "%d refused%n",
            when, count, (double)used / heapLength, puts, seconds * 1e9 / puts, longestNs / 1e3,
            (double)(now.recordsMoved() - movedBefore) / puts, refused);
    }

    /** Inserts, overwrites and deletes so that records fill about as much as before. */
    private void change(final long limit)
    {
        if (random.nextBoolean())
        {
            overwrite(random.nextInt(count));
        }
        else
        {
            insert();
        }
        while (used > limit)
        {
            delete(random.nextInt(count));
        }
    }

    private int nextLength()
    {
        return SHORTEST + random.nextInt(LONGEST - SHORTEST + 1);
    }

    private boolean insert()
    {
        final int length = nextLength();
        if (!put(nextId, length))
        {
            delete(random.nextInt(count));
            return false;
        }
        if (count == ids.length)
        {
            ids = Arrays.copyOf(ids, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        ids[count] = nextId++;
        lengths[count++] = length;
        used += bytes(length);
        return true;
    }

    private void overwrite(final int index)
    {
        final int length = nextLength();
        if (put(ids[index], length))
        {
            used += bytes(length) - bytes(lengths[index]);
            lengths[index] = length;
        }
    }

    private void delete(final int index)
    {
        UnsafeApi.putLong(key, ids[index]);
        if (table.delete(keyHash.hash(key, Long.BYTES), key, Long.BYTES, result) != Status.OK)
        {
            throw new IllegalStateException("a record is lost: id=" + ids[index]);
        }
        used -= bytes(lengths[index]);
        count--;
        ids[index] = ids[count];
        lengths[index] = lengths[count];
    }

    private boolean put(final long id, final int length)
    {
        UnsafeApi.putLong(key, id);
        final long beginNs = System.nanoTime();
        final long hash = keyHash.hash(key, Long.BYTES);
        Status status = table.put(hash, key, Long.BYTES, value, length, result);
        while (status == Status.BUSY && table.makeRoom(ShardTable.recordLength(Long.BYTES, length), ROOM_BUDGET) > 0)
        {
            status = table.put(hash, key, Long.BYTES, value, length, result);
        }
        table.grow(SPLITS);
        final boolean isDone = status == Status.OK;
        longestNs = Math.max(longestNs, System.nanoTime() - beginNs);
        puts++;
        refused += isDone ? 0 : 1;
        written += isDone ? bytes(length) : 0;
        return isDone;
    }

    private static long bytes(final int length)
    {
        return SlotWord.granules(ShardTable.recordLength(Long.BYTES, length)) * SlotWord.GRANULE;
    }
}

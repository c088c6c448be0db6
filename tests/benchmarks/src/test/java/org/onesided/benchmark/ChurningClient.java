package org.onesided.benchmark;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;
import org.onesided.protocol.table.SlotWord;
import org.onesided.server.table.ShardTable;

/**
 * A client that keeps a server as full as it is told, with keys of 16 bytes, and replaces records at random with many
 * requests in flight. For one thread.
 */
final class ChurningClient implements AutoCloseable, AsyncListener
{
    private static final int KEY_LENGTH = 16;
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int LOOKUPS = 200_000;
    private static final double PERCENT = 100;

    /**
     * READs that lookups take with a mirror that is fresh.
     *
     * @param perHit  on average.
     * @param perMiss on average.
     */
    record Reads(double perHit, double perMiss)
    {
    }

    private final String server;
    private final String device;
    private final int shortest;
    private final int longest;
    private final StoreClient client;
    private final StoreSession session;
    private final AsyncSession async;
    private final SplittableRandom random = new SplittableRandom(1);
    private final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(KEY_LENGTH));
    private final UnsafeBuffer value;
    private long[] ids = new long[1 << 16];
    private int[] lengths = new int[1 << 16];
    private int count;
    private long nextId;
    private long used;
    /** Bytes of records that may be used. */
    private long limit = Long.MAX_VALUE;
    private long puts;
    private long refused;

    /**
     * @param server   host and port.
     * @param device   name.
     * @param shortest value in bytes.
     * @param longest  value in bytes.
     */
    ChurningClient(final String server, final String device, final int shortest, final int longest)
    {
        this.server = server;
        this.device = device;
        this.shortest = shortest;
        this.longest = longest;
        value = new UnsafeBuffer(ByteBuffer.allocateDirect(Math.max(1, longest)));
        client = newClient();
        session = client.openSession();
        async = session.async(this);
    }

    private StoreClient newClient()
    {
        return StoreClient.builder().server(server).device(device).deadline(DEADLINE).build();
    }

    /** Inserts records until one is refused. */
    void fill()
    {
        while (refused == 0)
        {
            insert(nextLength());
        }
        async.drain();
        // Some that came after the refused one may have been shorter.
        count -= (int)refused;
        recount();
        puts = 0;
        refused = 0;
    }

    /** Learns which records there are: those refused are not known by their numbers. */
    private void recount()
    {
        int kept = 0;
        used = 0;
        for (int i = 0; i < nextId; i++)
        {
            key(ids[i]);
            if (session.contains(key, 0, KEY_LENGTH))
            {
                ids[kept] = ids[i];
                lengths[kept++] = lengths[i];
                used += bytes(lengths[i]);
            }
        }
        if (kept != count)
        {
            throw new IllegalStateException("records are lost: found=" + kept + " expected=" + count);
        }
    }

    /**
     * Deletes records at random.
     *
     * @param percent of the heap that may be in use from now on.
     */
    void keep(final int percent)
    {
        final long heap = sum(ShardStatistics::heapBytes);
        final long beside = sum(ShardStatistics::heapBytesUsed) - used;
        limit = heap / (long)PERCENT * percent - beside;
        makeRoom(0);
        async.drain();
    }

    /**
     * Inserts, overwrites and deletes at random, while about as much is in use as before.
     *
     * @param turnovers how often the bytes of the heap are written.
     */
    void replace(final int turnovers)
    {
        final long toWrite = turnovers * sum(ShardStatistics::heapBytes);
        for (long written = 0; written < toWrite;)
        {
            final int length = nextLength();
            if (random.nextBoolean())
            {
                makeRoom(bytes(length));
                insert(length);
            }
            else
            {
                overwrite(random.nextInt(count), length);
                makeRoom(0);
            }
            written += bytes(length);
        }
        async.drain();
        final long records = sum(ShardStatistics::records);
        if (refused == 0 && records != count)
        {
            throw new IllegalStateException("records are lost: found=" + records + " expected=" + count);
        }
    }

    private void makeRoom(final long wanted)
    {
        while (used + wanted > limit)
        {
            delete(random.nextInt(count));
        }
    }

    private int nextLength()
    {
        return shortest + random.nextInt(longest - shortest + 1);
    }

    private void insert(final int length)
    {
        if (count == ids.length)
        {
            ids = Arrays.copyOf(ids, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        ids[count] = nextId++;
        lengths[count] = length;
        put(ids[count], length);
        count++;
        used += bytes(length);
    }

    private void overwrite(final int index, final int length)
    {
        put(ids[index], length);
        used += bytes(length) - bytes(lengths[index]);
        lengths[index] = length;
    }

    private void put(final long id, final int length)
    {
        key(id);
        while (!async.put(key, 0, KEY_LENGTH, value, 0, length, id))
        {
            async.poll();
        }
        puts++;
    }

    private void delete(final int index)
    {
        key(ids[index]);
        while (!async.delete(key, 0, KEY_LENGTH, ids[index]))
        {
            async.poll();
        }
        used -= bytes(lengths[index]);
        count--;
        ids[index] = ids[count];
        lengths[index] = lengths[count];
    }

    private void key(final long id)
    {
        key.putLong(0, id);
        key.putLong(Long.BYTES, ~id);
    }

    private static long bytes(final int length)
    {
        return SlotWord.granules(ShardTable.recordLength(KEY_LENGTH, length)) * SlotWord.GRANULE;
    }

    /** Looks keys up with a client of its own, whose mirror is warmed up. */
    Reads reads()
    {
        try (StoreClient fresh = newClient();
            StoreSession lookups = fresh.openSession())
        {
            lookups.warmUp();
            final double perHit = readsPerGet(lookups, true);
            return new Reads(perHit, readsPerGet(lookups, false));
        }
    }

    private double readsPerGet(final StoreSession lookups, final boolean isHit)
    {
        final ClientStatistics before = lookups.clientStatistics();
        for (int i = 0; i < LOOKUPS; i++)
        {
            key(isHit ? ids[random.nextInt(count)] : nextId + 1 + random.nextInt(Integer.MAX_VALUE));
            if (lookups.contains(key, 0, KEY_LENGTH) != isHit)
            {
                throw new IllegalStateException("a lookup is wrong: isHit=" + isHit);
            }
        }
        final ClientStatistics after = lookups.clientStatistics();
        return (double)(after.reads() - before.reads()) / (after.gets() - before.gets());
    }

    private long sum(final ToLongFunction<ShardStatistics> counter)
    {
        return session.statistics().stream().mapToLong(counter).sum();
    }

    long records()
    {
        return count;
    }

    /** Part of the heap that is in use. */
    double inUse()
    {
        return (double)sum(ShardStatistics::heapBytesUsed) / sum(ShardStatistics::heapBytes);
    }

    /** Puts since the fill. */
    long puts()
    {
        return puts;
    }

    /** Puts that were refused since the fill. */
    long refused()
    {
        return refused;
    }

    /** Overflow buckets in use, in percent of the buckets. */
    double overflowPercent()
    {
        return PERCENT * sum(ShardStatistics::overflowBucketsUsed) / sum(ShardStatistics::buckets);
    }

    /** Records that the server has moved. */
    long moved()
    {
        return sum(ShardStatistics::recordsMoved);
    }

    @Override
    public void onValue(final long correlation, final DirectBuffer found)
    {
        throw new IllegalStateException("nothing was looked up");
    }

    @Override
    public void onPut(final long correlation)
    {
    }

    @Override
    public void onDelete(final long correlation, final boolean wasPresent)
    {
        if (!wasPresent && refused == 0)
        {
            throw new IllegalStateException("a record is lost: id=" + correlation);
        }
    }

    @Override
    public void onFailure(final long correlation, final StoreException failure)
    {
        if (!(failure instanceof StoreFullException))
        {
            throw failure;
        }
        refused++;
    }

    @Override
    public void close()
    {
        session.close();
        client.close();
    }
}

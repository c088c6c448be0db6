package org.onesided.linearizability;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.BufferUtil;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;

/**
 * Asks each shard of a server something, again and again, and notes when: so a run knows when the server stood still,
 * stopped on purpose or for want of a core.
 */
final class ServerPulse extends SidePairs
{
    private static final long PAUSE_NS = 4_000_000;

    private final StoreClient client;
    /** Of which there is never one in the store, one of each shard. */
    private final List<byte[]> keys;
    private long[] begins = new long[1024];
    private long[] ends = new long[1024];
    private int count;

    /**
     * @param client to ask by, closed with this.
     * @param table  of the server.
     */
    ServerPulse(final StoreClient client, final Superblock table)
    {
        super(client, "pulse");
        this.client = client;
        keys = keys(table);
        start();
    }

    private static List<byte[]> keys(final Superblock table)
    {
        final int shards = table.shards().size();
        final KeyHash keyHash = new KeyHash(table.hashSeed());
        final ByteBuffer space = BufferUtil.allocateDirectAligned(Long.BYTES, Long.BYTES);
        final List<byte[]> result = new ArrayList<>();
        for (int i = 0; result.size() < shards; i++)
        {
            final byte[] key = String.format("p%06d", i).getBytes(StandardCharsets.US_ASCII);
            space.put(0, key);
            if (KeyHash.shard(keyHash.hash(BufferUtil.address(space), key.length), shards) == result.size())
            {
                result.add(key);
            }
        }
        return result;
    }

    @Override
    void run()
    {
        while (!isClosed())
        {
            final long beginNs = System.nanoTime();
            try
            {
                keys.forEach(client::ttl);
                add(beginNs, System.nanoTime());
            }
            catch (final StoreException e)
            {
                // Then it is not known whether the server runs.
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private synchronized void add(final long beginNs, final long endNs)
    {
        if (count == begins.length)
        {
            begins = Arrays.copyOf(begins, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        begins[count] = beginNs;
        ends[count++] = endNs;
    }

    /** What is known so far of the moments when keys expire. */
    synchronized ExpiryTimes times()
    {
        return new PulsedTimes(Arrays.copyOf(begins, count), Arrays.copyOf(ends, count));
    }
}

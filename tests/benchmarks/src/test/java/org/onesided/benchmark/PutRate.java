package org.onesided.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * How many puts one shard takes from one session that has many under way: keys of 16 and values of 100 bytes, first as
 * inserts, then as overwrites. Prints the time of a put, and what of it the shard's thread was busy: the rate that it
 * could take is the inverse of that. Arguments: device (default shm), pairs (default 1,000,000), rounds (default 3).
 */
final class PutRate
{
    private static final int BATCH = 10_000;
    private static final int KEY_LENGTH = 16;
    private static final int VALUE_LENGTH = 100;

    private PutRate()
    {
    }

    public static void main(final String[] args)
    {
        final String device = args.length > 0 ? args[0] : "shm";
        final int pairs = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        final int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
        final ServerOptions options = new ServerOptions().listenPort(0).device(device).shards(1)
            .memory(Math.max(64L << 20, pairs * 220L));
        try (StoreServer server = StoreServer.start(options);
            StoreClient client = StoreClient.builder().server("127.0.0.1:" + server.address().getPort())
                .device(device).build();
            StoreSession session = client.openSession())
        {
            for (int i = 0; i <= rounds; i++)
            {
                round(session, pairs, i == 0 ? "inserts" : "overwrites");
            }
        }
    }

    private static void round(final StoreSession session, final int pairs, final String what)
    {
        final SplittableRandom random = new SplittableRandom(1);
        final long shardBeginNs = shardCpuNs();
        long putNs = 0;
        for (int done = 0; done < pairs; done += BATCH)
        {
            final List<byte[]> keys = new ArrayList<>(BATCH);
            final List<byte[]> values = new ArrayList<>(BATCH);
            for (int i = 0; i < BATCH; i++)
            {
                keys.add(ByteBuffer.allocate(KEY_LENGTH).putLong(random.nextLong()).array());
                values.add(ByteBuffer.allocate(VALUE_LENGTH).putLong(done + i).array());
            }
            final long beginNs = System.nanoTime();
            session.putAll(keys, values);
            putNs += System.nanoTime() - beginNs;
        }
        final double eachNs = (double)putNs / pairs;
        final double shardNs = (double)(shardCpuNs() - shardBeginNs) / pairs;
        System.out.printf("%-10s %7.0f ns a put, %,9.0f a second; the shard's thread: %.0f ns%n",
            what, eachNs, 1e9 / eachNs, shardNs);
    }

    private static long shardCpuNs()
    {
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (final ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds()))
        {
            if (thread != null && thread.getThreadName().startsWith("store-shard"))
            {
                return threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        throw new IllegalStateException("the server has no shard's thread");
    }
}

package org.onesided.benchmark;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.PathChoice;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.WorkCompletions;

/**
 * Random READs of 160 bytes from a large region, with and without huge pages, one at a time and in chains: how much
 * these spare. Arguments: bytes of the region (default 1 GiB), device (default shm), rounds (default 9).
 */
final class HugePageReads implements AutoCloseable
{
    private static final int READ_LENGTH = 160;
    private static final int CHAIN = 64;
    private static final int READS = CHAIN * 4_000;

    private final ProtectionDomain domain;
    private final DeviceMemory memory;
    private final DeviceMemory buffer;
    private final MemoryRegion region;
    private final MemoryRegion bufferRegion;
    private final CompletionQueue queue;
    private final QueuePair reader;
    private final QueuePair target;
    private final SendRequests requests = new SendRequests(CHAIN, 1);
    private final WorkCompletions completions = new WorkCompletions(CHAIN);
    private final SplittableRandom random = new SplittableRandom(1);

    private HugePageReads(final Context context, final long length, final HugePages hugePages)
    {
        final ConnectionOptions options = PathChoice.resolve(context, ConnectionOptions.defaults(Access.REMOTE_READ));
        domain = context.allocateProtectionDomain();
        memory = context.allocate(length, hugePages);
        buffer = context.allocate(CHAIN * (long)READ_LENGTH);
        region = domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_READ);
        bufferRegion = domain.register(buffer.range(), Access.LOCAL_WRITE);
        queue = context.createCompletionQueue(2 * CHAIN, null, 0);
        reader = domain.createQueuePair(attributes());
        target = domain.createQueuePair(attributes());
        final Endpoint ofReader = ReliableConnection.local(context, reader, options);
        final Endpoint ofTarget = ReliableConnection.local(context, target, options);
        ReliableConnection.initialise(reader, options);
        ReliableConnection.initialise(target, options);
        ReliableConnection.connect(target, ofTarget, ofReader, options);
        ReliableConnection.connect(reader, ofReader, ofTarget, options);
        UnsafeApi.setMemory(memory.range().address(), length, (byte)1);
    }

    public static void main(final String[] args)
    {
        final long length = args.length > 0 ? Long.parseLong(args[0]) : 1L << 30;
        final int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 9;
        try (Context context = Devices.find(args.length > 1 ? args[1] : "shm").open();
            HugePageReads usual = new HugePageReads(context, length, HugePages.OFF);
            HugePageReads huge = new HugePageReads(context, length, HugePages.AUTO))
        {
            System.out.printf("device=%s region=%d MiB, %d bytes per READ; without: huge pages %s; with: %s%n",
                context.device().name(), length >> 20, READ_LENGTH, usual.memory.hugePages(), huge.memory.hugePages());
            for (final int chain : new int[] {1, CHAIN})
            {
                final double[] without = new double[rounds];
                final double[] with = new double[rounds];
                final double[] ratios = new double[rounds];
                for (int i = -2; i < rounds; i++)
                {
                    final double first = usual.meanNs(chain);
                    final double second = huge.meanNs(chain);
                    if (i >= 0)
                    {
                        without[i] = first;
                        with[i] = second;
                        ratios[i] = second / first;
                    }
                }
                System.out.printf("chains of %2d: without %.0f ns, with %.0f ns per READ, ratio %.2f%n",
                    chain, median(without), median(with), median(ratios));
            }
        }
    }

    private double meanNs(final int chain)
    {
        final long places = memory.range().length() / 64 - READ_LENGTH / 64 - 1;
        final long beginNs = System.nanoTime();
        for (int i = 0; i < READS; i += chain)
        {
            for (int j = 0; j < chain; j++)
            {
                requests.at(j)
                    .begin(j, Opcode.RDMA_READ, j == chain - 1 ? SendFlags.SIGNALED : 0)
                    .element(buffer.range().address() + j * READ_LENGTH, READ_LENGTH, bufferRegion.localKey())
                    .remote(memory.range().address() + random.nextLong(places) * 64, region.remoteKey());
            }
            final int errno = requests.post(reader, chain);
            if (errno != 0)
            {
                throw new IllegalStateException("READ cannot be posted: errno=" + errno);
            }
            while (completions.poll(queue) == 0)
            {
                Thread.onSpinWait();
            }
            if (completions.status(0) != CompletionStatus.SUCCESS)
            {
                throw new IllegalStateException("READ failed: " + completions.describe(0));
            }
        }
        return (System.nanoTime() - beginNs) / (double)READS;
    }

    private QueuePairInitAttributes attributes()
    {
        return new QueuePairInitAttributes(queue, queue, null, CHAIN, 1, 1, 1, 0, false, false);
    }

    private static double median(final double[] values)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @Override
    public void close()
    {
        reader.close();
        target.close();
        queue.close();
        bufferRegion.close();
        region.close();
        buffer.close();
        memory.close();
        domain.close();
        completions.close();
        requests.close();
    }
}

package org.onesided.benchmark.parts;

import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Endpoint;
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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * READs on the verbs API: post and poll, of memory that stays in the processor's cache.
 */
public class ReadBenchmark extends PartBenchmark
{
    private static final int CHAIN = 64;

    @Param("shm")
    private String device;
    @Param({"100"})
    private int length;

    private Context context;
    private ProtectionDomain domain;
    private DeviceMemory memory;
    private MemoryRegion region;
    private CompletionQueue queue;
    private QueuePair reader;
    private QueuePair target;
    private SendRequests requests;
    private WorkCompletions completions;

    /** */
    @Setup(Level.Trial)
    public void begin()
    {
        context = Devices.find(device).open();
        final ConnectionOptions options =
            PathChoice.resolve(context, ConnectionOptions.defaults(0)).access(Access.REMOTE_READ);
        domain = context.allocateProtectionDomain();
        memory = context.allocate(2L * CHAIN * length);
        region = domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_READ);
        queue = context.createCompletionQueue(2 * CHAIN, null, 0);
        reader = domain.createQueuePair(attributes());
        target = domain.createQueuePair(attributes());
        final Endpoint ofReader = ReliableConnection.local(context, reader, options);
        final Endpoint ofTarget = ReliableConnection.local(context, target, options);
        ReliableConnection.initialise(reader, options);
        ReliableConnection.initialise(target, options);
        ReliableConnection.connect(target, ofTarget, ofReader, options);
        ReliableConnection.connect(reader, ofReader, ofTarget, options);
        requests = new SendRequests(CHAIN, 1);
        completions = new WorkCompletions(1);
        for (int i = 0; i < CHAIN; i++)
        {
            requests.at(i)
                .begin(i, Opcode.RDMA_READ, i == CHAIN - 1 ? SendFlags.SIGNALED : 0)
                .element(region.range().addressOf((long)i * length, length), length, region.localKey())
                .remote(region.range().addressOf((long)(CHAIN + i) * length, length), region.remoteKey());
        }
    }

    private QueuePairInitAttributes attributes()
    {
        return new QueuePairInitAttributes(queue, queue, null, CHAIN, 1, 1, 1, 0, false, false);
    }

    /** */
    @TearDown(Level.Trial)
    public void end()
    {
        reader.close();
        target.close();
        queue.close();
        region.close();
        memory.close();
        domain.close();
        completions.close();
        requests.close();
        context.close();
    }

    /** One READ, from its request's fields to its completion. */
    @Benchmark
    public void read()
    {
        requests.at(0)
            .begin(0, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(region.range().addressOf(0, length), length, region.localKey())
            .remote(region.range().addressOf((long)CHAIN * length, length), region.remoteKey());
        post(1);
    }

    /** READs posted as one chain with one completion; the time of one of them. */
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public void chain()
    {
        requests.at(0).begin(0, Opcode.RDMA_READ, 0)
            .element(region.range().addressOf(0, length), length, region.localKey())
            .remote(region.range().addressOf((long)CHAIN * length, length), region.remoteKey());
        post(CHAIN);
    }

    private void post(final int count)
    {
        final int errno = requests.post(reader, count);
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
}

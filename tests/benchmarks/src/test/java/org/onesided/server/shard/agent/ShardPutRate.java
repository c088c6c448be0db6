package org.onesided.server.shard.agent;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.expiry.ShardClock;
import org.onesided.server.memory.LocalKeys;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.eviction.ShardEviction;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardTable;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionChannel;
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
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.WorkCompletions;

/**
 * What a put costs a shard's thread: one thread plays client and shard by turns, and only the shard's turns are timed.
 * A client has as many puts of 16 and 100 bytes under way as it has credits, with keys at random. Arguments: keys
 * (default 1,000,000), rounds (default 5).
 */
final class ShardPutRate
{
    private static final int CREDITS = 16;
    private static final int MESSAGE_LENGTH = 8192;
    private static final int KEY_LENGTH = 16;
    private static final int VALUE_LENGTH = 100;
    private static final SessionGeometry GEOMETRY =
        new SessionGeometry(CREDITS, MESSAGE_LENGTH, CREDITS / 4, 4, 1 << 20, 64 << 20);

    private final SendRequests sends = new SendRequests(CREDITS, 1);
    private final ReceiveRequests receives = new ReceiveRequests(1, 1);
    private final WorkCompletions completions = new WorkCompletions(2 * CREDITS);
    private final PutRequestEncoder request = new PutRequestEncoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer pair = new UnsafeBuffer(new byte[KEY_LENGTH + VALUE_LENGTH]);
    private final SplittableRandom random = new SplittableRandom(1);
    private final Shard shard;
    private final CompletionQueue queue;
    private final QueuePair queuePair;
    private final MemoryRegion buffers;
    private long nextId = 1;

    private ShardPutRate(
        final Shard shard, final CompletionQueue queue, final QueuePair mine, final MemoryRegion buffers)
    {
        this.shard = shard;
        this.queue = queue;
        this.queuePair = mine;
        this.buffers = buffers;
    }

    public static void main(final String[] args) throws Exception
    {
        final int keys = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        final int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        final Superblock superblock =
            GrowthPlan.of(Math.max(32L << 20, keys * 220L), 1, 1, 4096).superblock(1, 2, 3, 4);
        try (Context context = Devices.find("shm").open();
            ProtectionDomain domain = context.allocateProtectionDomain();
            DeviceMemory memory = context.allocate(superblock.regionLength(), HugePages.AUTO);
            MemoryRegion region = domain.register(memory.range(), Access.LOCAL_WRITE | Access.REMOTE_READ);
            DeviceMemory session = context.allocate(GEOMETRY.bufferLength());
            MemoryRegion sessionRegion = domain.register(session.range(), Access.LOCAL_WRITE);
            DeviceMemory space = context.allocate(2L * CREDITS * MESSAGE_LENGTH);
            MemoryRegion spaceRegion = domain.register(space.range(), Access.LOCAL_WRITE);
            CompletionChannel channel = context.createCompletionChannel();
            CompletionQueue shardQueue = context.createCompletionQueue(GEOMETRY.completions(), channel, 0);
            CompletionQueue queue = context.createCompletionQueue(8 * CREDITS, null, 0))
        {
            final KeyHash hash = new KeyHash(superblock.hashSeed());
            final ShardTable table = new ShardTable(memory.range(), superblock, 0, 1);
            final Shard shard = new Shard(
                0, 1, table, ShardEviction.begin(Eviction.NONE, table, 0, false), hash, GEOMETRY,
                List.of(new ShardDevice("shm", channel, shardQueue, LocalKeys.of(region.localKey()))), null,
                0, new ShardClock(System::nanoTime, System::currentTimeMillis),
                Boolean.getBoolean("onesided.shard.times"), null);
            final QueuePair theirs = shard.queuePairs().create(0, domain);
            try (QueuePair mine = domain.createQueuePair(new QueuePairInitAttributes(
                queue, queue, null, 2 * CREDITS, CREDITS, 1, 1, 0, false, false)))
            {
                final ShardPutRate rate = new ShardPutRate(shard, queue, mine, spaceRegion);
                rate.connect(context, theirs, sessionRegion);
                System.out.printf("%d keys, huge pages %s%n", keys, memory.hugePages());
                for (int i = 0; i <= rounds; i++)
                {
                    System.out.printf("%-10s %5.0f ns of the shard's thread for a put%n",
                        i == 0 ? "inserts" : "overwrites", rate.round(keys, i == 0));
                }
            }
            finally
            {
                theirs.close();
                shard.close();
            }
        }
    }

    private void connect(final Context context, final QueuePair theirs, final MemoryRegion sessionRegion)
    {
        final ConnectionOptions options = PathChoice.resolve(context, ConnectionOptions.defaults(Access.REMOTE_READ));
        ReliableConnection.initialise(theirs, options);
        ReliableConnection.initialise(queuePair, options);
        final Endpoint local = ReliableConnection.local(context, theirs, options);
        final Endpoint peer = ReliableConnection.local(context, queuePair, options);
        final CreditedQueuePair connection = new CreditedQueuePair(
            new ShardSession(1, GEOMETRY), false, theirs, GEOMETRY, sessionRegion.range(),
            sessionRegion.localKey(), 1, 0, options.port(), shard.queuePairs().nextTag());
        connection.postReceives(receives);
        ReliableConnection.connect(theirs, local, peer, options);
        ReliableConnection.connect(queuePair, peer, local, options);
        shard.queuePairs().attach(connection);
        for (int i = 0; i < CREDITS; i++)
        {
            postReceive(i);
        }
    }

    /** Time of a put in nanoseconds: the median over the turns, so that other programs' turns do not count. */
    private double round(final int keys, final boolean isFirst)
    {
        final long[] turns = new long[(keys + CREDITS - 1) / CREDITS];
        for (int done = 0; done < keys; done += CREDITS)
        {
            long busyNs = 0;
            for (int i = 0; i < CREDITS; i++)
            {
                prepare(i, isFirst ? done + i : random.nextInt(keys));
            }
            check(sends.post(queuePair, CREDITS));
            // The client takes its turn between, as one on another core would.
            int answers = 0;
            while (answers < CREDITS)
            {
                final long beginNs = System.nanoTime();
                shard.doWork();
                busyNs += System.nanoTime() - beginNs;
                answers += takeAnswers();
            }
            turns[done / CREDITS] = busyNs;
        }
        Arrays.sort(turns);
        return (double)turns[turns.length / 2] / CREDITS;
    }

    private void prepare(final int index, final int key)
    {
        final long address = buffers.range().addressOf((long)index * MESSAGE_LENGTH, MESSAGE_LENGTH);
        message.wrap(address, MESSAGE_LENGTH);
        pair.putLong(0, key);
        pair.putLong(KEY_LENGTH, nextId);
        request.wrapAndApplyHeader(message, 0, header)
            .requestId(nextId++)
            .putKey(pair, 0, KEY_LENGTH)
            .putValue(pair, KEY_LENGTH, VALUE_LENGTH);
        sends.at(index)
            .begin(CREDITS + index, Opcode.SEND, SendFlags.SOLICITED | (index == CREDITS - 1 ? SendFlags.SIGNALED : 0))
            .element(address, request.limit(), buffers.localKey());
    }

    private int takeAnswers()
    {
        int answers = 0;
        final int count = completions.poll(queue);
        for (int i = 0; i < count; i++)
        {
            check(completions.status(i) == CompletionStatus.SUCCESS ? 0 : completions.status(i));
            if (completions.id(i) < CREDITS)
            {
                answers++;
                postReceive((int)completions.id(i));
            }
        }
        return answers;
    }

    private void postReceive(final int index)
    {
        final long address = buffers.range().addressOf((long)(CREDITS + index) * MESSAGE_LENGTH, MESSAGE_LENGTH);
        receives.at(0).begin(index).element(address, MESSAGE_LENGTH, buffers.localKey());
        check(receives.post(queuePair, 1));
    }

    private static void check(final int error)
    {
        if (error != 0)
        {
            throw new IllegalStateException("cannot go on: error=" + error);
        }
    }
}

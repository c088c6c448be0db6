package org.onesided.client;

import static org.onesided.client.AttachFailedException.Kind.NO_WAY;
import static org.onesided.client.AttachFailedException.Kind.PERMANENT;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.VerbsException;

/**
 * Makes attachments: bootstrap, queue pairs, superblock. For the session's thread.
 */
final class Attacher implements Reconnector.Source
{
    private static final int MAX_READ_DEPTH = 2 * KeyGroup.MAX_KEYS;
    /** Asked for as inline data: room for a put of a short key and 128 bytes or so. */
    private static final int MAX_INLINE = 220;
    private static final long MAX_PIECE_LENGTH = 1 << 20;
    private static final int LINE_LENGTH = BucketDescriptor.LENGTH;
    private static final int RECORD_SPACE_LENGTH = 288 * 1024;
    /** One is for lookups by themselves. */
    private static final int BATCH_LANES = CompletionLoop.LANES - 1;
    /** READs are tried for so long before the server is asked. */
    private static final long PATIENCE_NS = 5_000_000L;

    private final ClientContext context;
    private final Deadline deadline;
    private final Counters counters;
    private final RecordReader.LongRecordSpace longSpace;
    private final Rpc.AnswerListener listener;

    Attacher(
        final ClientContext context,
        final Deadline deadline,
        final Counters counters,
        final RecordReader.LongRecordSpace longSpace,
        final Rpc.AnswerListener listener)
    {
        this.context = context;
        this.deadline = deadline;
        this.counters = counters;
        this.longSpace = longSpace;
        this.listener = listener;
    }

    @Override
    public Attachment attach(final SessionIdentity resume, final RequestSlots slots) throws AttachFailedException
    {
        final ConnectionOptions options = path();
        final Resources resources = new Resources();
        final BootstrapConnection bootstrap = new BootstrapConnection(
            context.address(), context.configuration().tls(), deadline.atNs(),
            context.server() == null ? context.silenceHint() : null);
        try
        {
            final Attachment attachment = attach(bootstrap, options, resume, slots, resources);
            context.attached(attachment.server());
            return attachment;
        }
        catch (final VerbsException e)
        {
            abandon(bootstrap, resources);
            throw unable(e);
        }
        catch (final AttachmentLostException | DeadlinePassedException e)
        {
            abandon(bootstrap, resources);
            throw new AttachFailedException(NO_WAY, "connected, but READs fail: " + e.getMessage(), e);
        }
        catch (final AttachFailedException | RuntimeException e)
        {
            abandon(bootstrap, resources);
            throw e;
        }
    }

    /** Resolves the path before the server is contacted. */
    private ConnectionOptions path() throws AttachFailedException
    {
        try
        {
            return context.device().device().path();
        }
        catch (final VerbsException e)
        {
            throw unable(e);
        }
    }

    private AttachFailedException unable(final VerbsException e)
    {
        return new AttachFailedException(
            context.device().device().failure() == null ? NO_WAY : PERMANENT,
            "device cannot connect: " + e.getMessage(),
            e);
    }

    private static void abandon(final BootstrapConnection bootstrap, final Resources resources)
    {
        Resources.closeQuietly(bootstrap);
        resources.close();
    }

    private Attachment attach(
        final BootstrapConnection bootstrap,
        final ConnectionOptions options,
        final SessionIdentity resume,
        final RequestSlots former,
        final Resources resources) throws AttachFailedException
    {
        final ClientDevice device = context.device();
        final BootstrapConnection.Welcome welcome =
            bootstrap.hello(device.device().kind(), context.configuration().token(), resume);
        final Context verbs = device.context();
        final DeviceAttributes limits = verbs.queryDevice();
        final int maxDepth = Math.max(1, Math.min(limits.maxInitiatedReadAtomic(), MAX_READ_DEPTH));
        final int shards = welcome.shards();

        final RequestSlots slots = slots(welcome, former, resources);
        final long requestsLength =
            RequestChannel.spaceLength(shards, welcome.credits(), welcome.messageLength());
        final RegisteredBuffer space =
            device.register(resources, LINE_LENGTH + RECORD_SPACE_LENGTH + requestsLength);
        final RegisteredBuffer lines = space.slice(0, LINE_LENGTH);
        final RegisteredBuffer recordSpace = space.slice(LINE_LENGTH, RECORD_SPACE_LENGTH);

        // Here, since it must outlive the queue pairs, though it is filled later.
        final LateBuffer batchSpace = resources.add(
            new LateBuffer(device, (long)BATCH_LANES * KeyGroup.SPACE_LENGTH));
        final CompletionChannel channel = resources.add(verbs.createCompletionChannel());
        final int completions = shards * (maxDepth + 2 * welcome.credits());
        final CompletionQueue queue = resources.add(verbs.createCompletionQueue(completions, channel, 0));
        final CompletionLoop loop = resources.add(
            new CompletionLoop(queue, channel, deadline, context.configuration().waiting().spinNs()));
        final SendRequests reads = resources.add(new SendRequests(maxDepth, 1));
        final SendRequests send = resources.add(new SendRequests(welcome.credits(), 1));
        final ReceiveRequests receive = resources.add(new ReceiveRequests(1, 1));

        final QueuePair[] queuePairs = new QueuePair[shards];
        final List<Endpoint> endpoints = new ArrayList<>();
        int maxInline = Integer.MAX_VALUE;
        for (int i = 0; i < shards; i++)
        {
            queuePairs[i] = resources.add(
                createQueuePair(queue, maxDepth + welcome.credits(), welcome.credits()));
            maxInline = Math.min(maxInline, queuePairs[i].initAttributes().maxInline());
            ReliableConnection.initialise(queuePairs[i], options);
            endpoints.add(ReliableConnection.local(verbs, queuePairs[i], options));
        }
        loop.explainBy(queuePairs);
        final RequestChannel requests = new RequestChannel(
            queuePairs,
            loop,
            slots,
            send,
            receive,
            space.slice(LINE_LENGTH + RECORD_SPACE_LENGTH, requestsLength),
            maxInline);
        requests.postReceives();

        final BootstrapConnection.Connected connected = bootstrap.connect(endpoints);
        int depth = maxDepth;
        for (int i = 0; i < shards; i++)
        {
            final Endpoint peer = reachable(connected.endpoints().get(i), options, bootstrap);
            ReliableConnection.connect(queuePairs[i], endpoints.get(i), peer, options);
            depth = Math.min(depth, ReliableConnection.readDepth(endpoints.get(i), peer));
            if (depth < 1)
            {
                throw new AttachFailedException(PERMANENT, "no READ can go to the server, its device or this one " +
                    "answers or starts none, use others: device=" + device.device().name() +
                    " max_qp_init_rd_atom=" + endpoints.get(i).initiatorDepth() +
                    " server_max_qp_rd_atom=" + peer.readDepth(), null);
            }
        }
        bootstrap.ready();

        final long pieceLength =
            Math.min(MAX_PIECE_LENGTH, verbs.queryPort(options.port()).maxMessageLength());
        final VerbsReader reader =
            new VerbsReader(queuePairs, loop, connected.segments(), reads, depth, pieceLength);
        final Superblock superblock;
        try
        {
            superblock = TableCheck.read(reader, connected.segments(), recordSpace, welcome);
        }
        catch (final DeadlinePassedException e)
        {
            final String reason = loop.failureReason();
            throw reason == null ? e : loop.lost("deadline passed, " + reason);
        }
        final Table table = context.share(superblock);
        resources.add(table::release);
        final RecordReader records = new RecordReader(reader, table, recordSpace, longSpace, counters);
        final Lookup lookup = new Lookup(reader, records, table, lines, counters,
            new Patience(SystemNanoClock.INSTANCE, PATIENCE_NS, Pause::after));
        final Rpc rpc = new Rpc(slots, requests, loop, listener);

        final Connection.Line line = context.lifeLine().add(
            new LifeLine.Line(bootstrap.channel(), loop, welcome.leaseMs(), counters));
        resources.release(slots);
        return new Attachment(
            new Connection(resources, options.port(), queuePairs, loop, line),
            serverInfo(welcome, superblock, depth),
            welcome.identity(),
            welcome.isResumed(),
            new ReadPath(table, connected.segments(), reader, records, lookup, recordSpace, batchSpace),
            slots,
            rpc);
    }

    /** A server that listens on all its addresses names none: it is there where the bootstrap found it. */
    private static Endpoint reachable(
        final Endpoint peer, final ConnectionOptions options, final BootstrapConnection bootstrap)
        throws AttachFailedException
    {
        return options.gidIndex() >= 0 && peer.gid() == null ? peer.at(Gid.of(bootstrap.serverAddress())) : peer;
    }

    /** The slots of the session that was resumed, or new ones. */
    private RequestSlots slots(
        final BootstrapConnection.Welcome welcome, final RequestSlots former, final Resources resources)
        throws AttachFailedException
    {
        if (!welcome.isResumed())
        {
            final Resources memory = new Resources();
            try
            {
                final RegisteredBuffer space = context.device().register(memory, RequestSlots.spaceLength(
                    welcome.shards(), welcome.credits(), welcome.messageLength()));
                return resources.add(new RequestSlots(
                    welcome.shards(), welcome.credits(), welcome.messageLength(), space, memory));
            }
            catch (final RuntimeException e)
            {
                memory.close();
                throw e;
            }
        }
        TableCheck.checkLimits(former, welcome);
        return former;
    }

    private QueuePair createQueuePair(final CompletionQueue queue, final int sends, final int receives)
    {
        try
        {
            return createQueuePair(queue, sends, receives, MAX_INLINE);
        }
        catch (final VerbsException e)
        {
            // No device tells how much it takes inline, it refuses too much; all of them send without.
            return createQueuePair(queue, sends, receives, 0);
        }
    }

    private QueuePair createQueuePair(
        final CompletionQueue queue, final int sends, final int receives, final int inline)
    {
        return context.device().domain().createQueuePair(
            new QueuePairInitAttributes(queue, queue, null, sends, receives, 1, 1, inline, false, false));
    }

    private ServerInfo serverInfo(
        final BootstrapConnection.Welcome welcome, final Superblock superblock, final int readDepth)
    {
        return new ServerInfo(
            context.addressText(),
            welcome.identity().serverLife(),
            welcome.tableId(),
            welcome.shards(),
            context.device().device().describe(),
            readDepth,
            welcome.credits(),
            welcome.messageLength(),
            RecordDescriptor.MAX_KEY_LENGTH,
            Math.min(RecordDescriptor.MAX_VALUE_LENGTH, welcome.maxValueLength()),
            superblock.regionLength(),
            welcome.hugePages(),
            welcome.leaseMs());
    }
}

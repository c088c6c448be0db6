package org.onesided.client.session;

import static org.onesided.client.bootstrap.AttachFailedException.Kind.DEVICE;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.NO_WAY;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.PERMANENT;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.types.ServerInfo;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.VerbsException;

/**
 * Makes attachments: bootstrap, queue pairs, superblock. For the session's thread.
 */
final class Attacher implements Reconnector.Source
{
    /** Asked for as inline data: room for a put of a short key and 128 bytes or so. */
    private static final int MAX_INLINE = 220;
    private static final long MAX_PIECE_LENGTH = 1 << 20;
    /** Room for entries of the segment directory. */
    private static final int DIRECTORY_SPACE = 4096;
    /** Time for one attempt where another server may be the right one. */
    private static final long MOVING_ATTEMPT_NS = 2_000_000_000L;

    private final ClientContext context;
    private final Deadline deadline;
    private final Counters counters;
    private final PendingRequests requests;
    private final ReadDemand reads;
    private final Resumption resumption = new Resumption(SystemNanoClock.INSTANCE);
    private boolean isAnew;

    /**
     * @param deadline of the running operation.
     * @param counters of the session.
     * @param requests of the session.
     * @param reads    what its READs need.
     */
    Attacher(
        final ClientContext context,
        final Deadline deadline,
        final Counters counters,
        final PendingRequests requests,
        final ReadDemand reads)
    {
        this.context = context;
        this.deadline = deadline;
        this.counters = counters;
        this.requests = requests;
        this.reads = reads;
    }

    @Override
    public Attachment attach(final SessionIdentity resume) throws AttachFailedException
    {
        final ConnectionOptions options = path();
        final Destination destination = context.destination();
        final HostAndPort address = destination.address(isAnew, deadline.atNs());
        // The next call is because this one fails, or its attachment does.
        isAnew = true;
        try
        {
            return attach(address, options, resume);
        }
        catch (final AttachFailedException e)
        {
            throw destination.isMoving() && !isOfThisSide(e) ? e.ofMember(address) : e;
        }
    }

    /** Whether all servers would give this failure. */
    private boolean isOfThisSide(final AttachFailedException e)
    {
        return context.device().device().failure() != null || e.kind() == DEVICE && context.server() == null;
    }

    private Attachment attach(
        final HostAndPort address, final ConnectionOptions options, final SessionIdentity resume)
        throws AttachFailedException
    {
        final Destination destination = context.destination();
        final Resources resources = new Resources();
        final long endNs = attemptEndNs(destination);
        final BootstrapConnection bootstrap = new BootstrapConnection(
            address, context.configuration().tls(), endNs, firstWordNs(destination.patienceNs(), endNs),
            context.server() == null ? context.silenceHint() : null);
        final long deadlineNs = deadline.atNs();
        try
        {
            // The READs of the attempt are a part of it.
            deadline.at(endNs);
            final Attachment attachment = attach(bootstrap, address, options, resume, resources);
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
        catch (final AttachFailedException | RuntimeException | Error e)
        {
            abandon(bootstrap, resources);
            throw e;
        }
        finally
        {
            deadline.at(deadlineNs);
        }
    }

    private static long firstWordNs(final long patienceNs, final long endNs)
    {
        final long nowNs = System.nanoTime();
        return nowNs + Math.min(patienceNs, endNs - nowNs);
    }

    private long attemptEndNs(final Destination destination)
    {
        final long nowNs = System.nanoTime();
        return destination.isMoving() ?
            nowNs + Math.min(MOVING_ATTEMPT_NS, deadline.atNs() - nowNs) : deadline.atNs();
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
        final HostAndPort address,
        final ConnectionOptions options,
        final SessionIdentity resume,
        final Resources resources) throws AttachFailedException
    {
        final ClientDevice device = context.device();
        final BootstrapConnection.Welcome welcome = bootstrap.hello(
            device.device().kind(), context.configuration().token(), resume, context.destination().shard());
        if (context.destination().isMoving())
        {
            resumption.check(resume, welcome.isResumed());
        }
        final ServedShards served = welcome.served();
        final Context verbs = device.context();
        final DeviceAttributes limits = verbs.queryDevice();
        final int maxDepth = Math.max(1, Math.min(limits.maxInitiatedReadAtomic(), reads.depth()));

        final long requestsLength = requests.spaceLength(welcome);
        final RegisteredBuffer space =
            device.register(resources, reads.space() + requestsLength + DIRECTORY_SPACE);
        final RegisteredBuffer readSpace = space.slice(0, reads.space());

        // Here, since it must outlive the queue pairs, though it is filled later.
        final LateBuffer batchSpace = resources.add(new LateBuffer(device, reads.batchSpace()));
        final CompletionChannel channel = resources.add(verbs.createCompletionChannel());
        final int completions = served.count() * (maxDepth + 2 * welcome.credits());
        final CompletionQueue queue = resources.add(verbs.createCompletionQueue(completions, channel, 0));
        final CompletionLoop loop = resources.add(
            new CompletionLoop(queue, channel, deadline, context.configuration().waiting().spinNs()));
        final SendRequests readRequests = resources.add(new SendRequests(maxDepth, 1));

        final QueuePair[] queuePairs = new QueuePair[served.count()];
        final List<Endpoint> endpoints = new ArrayList<>();
        int maxInline = Integer.MAX_VALUE;
        for (int i = 0; i < queuePairs.length; i++)
        {
            queuePairs[i] = resources.add(
                createQueuePair(queue, maxDepth + welcome.credits(), welcome.credits()));
            maxInline = Math.min(maxInline, queuePairs[i].initAttributes().maxInline());
            ReliableConnection.initialise(queuePairs[i], options);
            endpoints.add(ReliableConnection.local(verbs, queuePairs[i], options));
        }
        final QueuePair[] byShard = new QueuePair[served.total()];
        System.arraycopy(queuePairs, 0, byShard, served.first(), queuePairs.length);
        loop.explainBy(queuePairs);
        final PendingRequests.Link link = requests.link(
            welcome,
            byShard,
            loop,
            space.slice(reads.space(), requestsLength),
            maxInline,
            device::register,
            resources);

        final BootstrapConnection.Connected connected = bootstrap.connect(endpoints);
        int depth = maxDepth;
        for (int i = 0; i < queuePairs.length; i++)
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
            new VerbsReader(byShard, loop, connected.segments(),
                space.slice(reads.space() + requestsLength, DIRECTORY_SPACE), readRequests, depth, pieceLength);
        final Superblock superblock;
        try
        {
            superblock = TableCheck.read(reader, connected.segments(), readSpace, welcome);
        }
        catch (final DeadlinePassedException e)
        {
            final String reason = loop.failureReason();
            throw reason == null ? e : loop.lost("deadline passed, " + reason);
        }
        context.destination().check(superblock);
        final Table table = context.share(superblock, welcome.memoryId());
        table.learnSplitPoints(readSpace.addressOf(0, SuperblockDescriptor.LENGTH));
        table.retireSplit();
        resources.add(table::release);
        final Confirmation confirmation =
            new Confirmation(table, loop, reader::forgetSegments, connected.releaseEpoch());
        final AccessSampler accesses = new AccessSampler(
            welcome.wantsAccesses(), context.lifeLine()::lookSoon, context.lifeLine()::reportSoon);
        final Connection.Line line = context.lifeLine().add(new SessionLine(
            bootstrap.channel(), loop, welcome.leaseMs(), silenceNs(), counters, confirmation,
            new AccessReports(accesses, counters, served.total(), context::sessionCount, System.nanoTime())));
        return new Attachment(
            new Connection(resources, options.port(), queuePairs, loop, line),
            serverInfo(address, welcome, depth),
            welcome.identity(),
            welcome.isResumed(),
            table,
            reader,
            confirmation,
            accesses,
            readSpace,
            batchSpace,
            link,
            lease(link, welcome.memoryId()));
    }

    private ReadLease lease(final PendingRequests.Link link, final long memoryId)
    {
        final long leaseNs = context.destination().leaseNs();
        return leaseNs == 0 ? ReadLease.ALWAYS : link.lease(context.lease(memoryId, leaseNs), counters);
    }

    /** A member of a cluster that owes an answer for so long may be stopped or cut off, and another one lead. */
    private long silenceNs()
    {
        return context.destination().isMoving() ? HeldLease.patienceNs(context.destination().leaseNs()) : 0;
    }

    /** A server that listens on all its addresses names none: it is there where the bootstrap found it. */
    private static Endpoint reachable(
        final Endpoint peer, final ConnectionOptions options, final BootstrapConnection bootstrap)
        throws AttachFailedException
    {
        return options.gidIndex() >= 0 && peer.gid() == null ? peer.at(Gid.of(bootstrap.serverAddress())) : peer;
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
        final HostAndPort address, final BootstrapConnection.Welcome welcome, final int readDepth)
    {
        return new ServerInfo(
            address.toString(),
            welcome.identity().serverLife(),
            welcome.tableId(),
            welcome.shards(),
            context.device().device().describe(),
            readDepth,
            welcome.credits(),
            welcome.messageLength(),
            RecordDescriptor.MAX_KEY_LENGTH,
            Math.min(RecordDescriptor.MAX_VALUE_LENGTH, welcome.maxValueLength()),
            welcome.memory(),
            welcome.hugePages(),
            welcome.leaseMs(),
            welcome.eviction(),
            welcome.defaultTtlMs());
    }
}

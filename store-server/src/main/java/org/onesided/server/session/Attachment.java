package org.onesided.server.session;

import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.agent.CreditedQueuePair;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.VerbsException;

/**
 * A session's queue pairs, one per shard, and the registered buffers that they share. Creation connects all of them or
 * fails. From {@link #handOver} on, the shards own the queue pairs; when all are destroyed, {@link #close} frees the
 * buffers.
 */
final class Attachment implements AutoCloseable
{
    /** Of a server that is not a member of a cluster. */
    static final long NO_TERM = -1;

    private final List<Shard> shards;
    private final List<CreditedQueuePair> credited = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    /** The same for an attachment in creation. */
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final long term;
    private final DeviceMemory memory;
    private final MemoryRegion buffers;
    private int open;

    /**
     * @param shards   to connect to.
     * @param device   to connect over.
     * @param sessions one per shard.
     * @param isReader whether their client may look up only.
     * @param geometry of the sessions.
     * @param peers    the client's endpoints, one per shard.
     * @param term     in which this member serves the shard, as the acceptor knows; or {@link #NO_TERM}.
     * @throws VerbsException if the device cannot; nothing stays open then.
     */
    Attachment(
        final List<Shard> shards,
        final ServedDevice device,
        final List<ShardSession> sessions,
        final boolean isReader,
        final SessionGeometry geometry,
        final List<Endpoint> peers,
        final long term)
    {
        this.term = term;
        this.shards = shards;
        final Context context = device.device().context();
        final ConnectionOptions options = device.device().path();
        final long length = geometry.bufferLength();
        memory = context.allocate(length * shards.size());
        MemoryRegion registered = null;
        try (ReceiveRequests requests = new ReceiveRequests(1, 1))
        {
            registered = device.domain().register(memory.range(), Access.LOCAL_WRITE);
            for (int i = 0; i < shards.size(); i++)
            {
                final QueuePair queuePair = shards.get(i).queuePairs().create(device.index(), device.domain());
                queuePairs.add(queuePair);
                ReliableConnection.initialise(queuePair, options);
                final Endpoint local = ReliableConnection.local(context, queuePair, options);
                final CreditedQueuePair made = new CreditedQueuePair(
                    sessions.get(i), isReader, queuePair, geometry, registered.range().slice(i * length, length),
                    registered.localKey(), ReliableConnection.readDepth(local, peers.get(i)),
                    device.index(), options.port(), shards.get(i).queuePairs().nextTag());
                final int error = made.postReceives(requests);
                if (error != 0)
                {
                    throw new VerbsException("post_recv", error, "a session's receives: shard=" + i);
                }
                ReliableConnection.connect(queuePair, local, peers.get(i), options);
                credited.add(made);
                endpoints.add(local);
            }
        }
        catch (final RuntimeException e)
        {
            queuePairs.forEach(CloseHelper::quietClose);
            CloseHelper.quietCloseAll(registered, memory);
            throw e;
        }
        buffers = registered;
    }

    static boolean isExhaustion(final VerbsException e)
    {
        return e.errno() == Errno.ENOMEM || e.errno() == Errno.ENOSPC;
    }

    /** Gives the queue pairs to the shards. */
    void handOver()
    {
        open = credited.size();
        for (int i = 0; i < open; i++)
        {
            if (term == NO_TERM)
            {
                shards.get(i).queuePairs().attach(credited.get(i));
            }
            else
            {
                shards.get(i).queuePairs().attach(credited.get(i), term);
            }
        }
    }

    /** Destroys the queue pairs, which were not given to shards, and frees the buffers. */
    void discard()
    {
        queuePairs.forEach(CloseHelper::quietClose);
        CloseHelper.quietCloseAll(buffers, memory);
    }

    /** Asks the shards to destroy the queue pairs. */
    void end()
    {
        for (int i = 0; i < credited.size(); i++)
        {
            shards.get(i).queuePairs().end(credited.get(i));
        }
    }

    /**
     * Notes that a shard has destroyed its queue pair.
     *
     * @return whether all are destroyed now.
     */
    boolean onEnded(final CreditedQueuePair queuePair)
    {
        if (credited.contains(queuePair))
        {
            open--;
        }
        return open == 0;
    }

    boolean has(final CreditedQueuePair queuePair)
    {
        return credited.contains(queuePair);
    }

    List<Endpoint> endpoints()
    {
        return endpoints;
    }

    long lastActivityNs(final long sinceNs)
    {
        long latestNs = sinceNs;
        for (final CreditedQueuePair queuePair : credited)
        {
            final long activityNs = queuePair.lastActivityNs();
            latestNs = activityNs - latestNs > 0 ? activityNs : latestNs;
        }
        return latestNs;
    }

    @Override
    public void close()
    {
        try
        {
            buffers.close();
        }
        finally
        {
            memory.close();
        }
    }
}

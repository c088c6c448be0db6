package org.onesided.server.shard.agent;

import java.util.function.Consumer;
import org.onesided.server.memory.LocalKeys;
import org.onesided.server.queue.QueuePairLife;
import org.onesided.server.queue.ReceiveQueue;
import org.onesided.server.queue.SendQueue;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.queue.WorkRequestId;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.requests.PullQueue;
import org.onesided.server.shard.requests.SessionRequests;
import org.onesided.server.shard.requests.Workbench;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's queue pair at one shard, with one receive per credit. The acceptor creates it; from
 * {@link ShardQueuePairs#attach} on it belongs to the shard's thread. It checks completions and passes requests to its
 * {@link SessionRequests}.
 */
public final class CreditedQueuePair
{
    private static final Logger LOGGER = LoggerFactory.getLogger(CreditedQueuePair.class);

    private final ShardSession session;
    private final boolean isReader;
    private final QueuePair queuePair;
    private final ReceiveQueue receives;
    private final SessionGeometry geometry;
    private final MemoryRange answerBuffers;
    private final int localKey;
    private final int device;
    private final int port;
    private final int tag;
    private final boolean canRead;
    private ShardCounters counters;
    private QueuePairLife life;
    private SendQueue sends;
    private SessionRequests requests;
    private boolean isClosed;
    private volatile long lastActivityNs = System.nanoTime();

    /**
     * @param session   it serves.
     * @param isReader  whether the client may look up only.
     * @param queuePair in INIT, with nothing posted; it is closed when its service ends.
     * @param geometry  of the shard's sessions.
     * @param buffers   {@link SessionGeometry#bufferLength} bytes, registered for local writing.
     * @param localKey  of the buffers.
     * @param readDepth READs that the peer answers at a time, from 0.
     * @param device    index of the device among the shard's.
     * @param port      of the device, that the queue pair uses.
     * @param tag       from {@link ShardQueuePairs#nextTag}.
     */
    public CreditedQueuePair(
        final ShardSession session,
        final boolean isReader,
        final QueuePair queuePair,
        final SessionGeometry geometry,
        final MemoryRange buffers,
        final int localKey,
        final int readDepth,
        final int device,
        final int port,
        final int tag)
    {
        this.device = device;
        this.port = port;
        this.tag = tag;
        this.session = session;
        this.isReader = isReader;
        this.queuePair = queuePair;
        this.geometry = geometry;
        this.localKey = localKey;
        canRead = readDepth > 0;
        final long receivesLength = (long)geometry.credits() * geometry.messageLength();
        receives = new ReceiveQueue(queuePair, geometry, buffers.slice(0, receivesLength), localKey, tag);
        answerBuffers = buffers.slice(receivesLength, buffers.length() - receivesLength);
    }

    /**
     * Posts all receives.
     *
     * @param requests to post with.
     * @return 0 or an errno.
     */
    public int postReceives(final ReceiveRequests requests)
    {
        int error = 0;
        for (int i = 0; error == 0 && i < geometry.credits(); i++)
        {
            error = receives.post(requests, i);
        }
        return error;
    }

    /**
     * @return the session it serves.
     */
    public ShardSession session()
    {
        return session;
    }

    /**
     * @return when a request came last, by {@link System#nanoTime()}. Safe to ask from any thread.
     */
    public long lastActivityNs()
    {
        return lastActivityNs;
    }

    /**
     * @return whether it ended because the client broke the protocol, so that its session ends with it. To be asked
     *         when it has ended.
     */
    public boolean isForfeited()
    {
        return life.isForfeited();
    }

    /**
     * Begins to serve requests.
     *
     * @param shard     number of the shard.
     * @param workbench of the shard.
     * @param keys      lkeys of the table's memory, at the queue pair's device.
     * @param ofShard   counters.
     * @param onEnding  called once, when the service is about to end.
     */
    void onAttached(
        final int shard,
        final Workbench workbench,
        final LocalKeys keys,
        final ShardCounters ofShard,
        final Consumer<CreditedQueuePair> onEnding)
    {
        counters = ofShard;
        life = new QueuePairLife(
            queuePair, shard, session.id(), () -> counters.increment(ShardCounters.CONNECTIONS_LOST),
            () -> onEnding.accept(this));
        sends = new SendQueue(life, workbench.postings(), geometry, answerBuffers, localKey, tag);
        requests = new SessionRequests(
            life, session, isReader, geometry, receives, sends, new PullQueue(sends, geometry, keys, counters), canRead,
            workbench, counters);
    }

    /** Queries the device with a system call. */
    boolean hasFailed()
    {
        return !isClosed && ReliableConnection.hasFailed(queuePair);
    }

    /** The device's number of the queue pair. */
    int number()
    {
        return queuePair.number();
    }

    int device()
    {
        return device;
    }

    int port()
    {
        return port;
    }

    QueuePairLife life()
    {
        return life;
    }

    /** Decodes the request of a completion, if it belongs to a posted receive. */
    void decode(final WorkCompletions completions, final int index, final Request request, final long nowNs)
    {
        final long id = completions.id(index);
        if (!life.isEnding() && WorkRequestId.isOf(tag, id) && WorkRequestId.isReceive(id) &&
            completions.status(index) == CompletionStatus.SUCCESS)
        {
            final int receive = receives.indexOf(id);
            if (receive != ReceiveQueue.NONE)
            {
                request.decode(receive, receives.address(receive), completions.byteLength(index), nowNs);
            }
        }
    }

    /** Processes a completion; {@code request} is its decoded request, or room to decode it. */
    void onCompletion(final WorkCompletions completions, final int index, final Request request, final long nowNs)
    {
        final long id = completions.id(index);
        // Ignore a completion of a destroyed queue pair with the same number.
        if (life.isEnding() || !WorkRequestId.isOf(tag, id))
        {
            return;
        }
        if (completions.status(index) != CompletionStatus.SUCCESS)
        {
            onFailure(completions, index);
        }
        else if (WorkRequestId.isReceive(id))
        {
            onReceived(id, completions.byteLength(index), request, nowNs);
        }
        else
        {
            onSent(id);
        }
    }

    private void onReceived(final long id, final int byteLength, final Request request, final long nowNs)
    {
        final int receive = receives.onCompletion(id);
        if (receive == ReceiveQueue.NONE)
        {
            life.lose("completion of no receive that is posted: wr_id=0x" + Long.toHexString(id));
            return;
        }
        lastActivityNs = nowNs;
        counters.add(ShardCounters.BYTES_RECEIVED, byteLength);
        if (!request.isOf(receive))
        {
            request.decode(receive, receives.address(receive), byteLength, nowNs);
        }
        requests.onArrived(request);
    }

    private void onSent(final long id)
    {
        final long number = sends.numberOf(id);
        if (number == SendQueue.NONE)
        {
            life.lose("completion of no request that is outstanding: wr_id=0x" + Long.toHexString(id));
        }
        else
        {
            requests.onSent(number);
        }
    }

    private void onFailure(final WorkCompletions completions, final int index)
    {
        final long id = completions.id(index);
        if (!WorkRequestId.isReceive(id))
        {
            requests.onSendFailed(sends.numberOf(id), completions.status(index));
        }
        final String known = queuePair.failureReason();
        life.lose("queue pair failed" + (known == null ? ": " : ", " + known + " ") + completions.describe(index));
    }

    /**
     * Destroys the queue pair. From here on nothing writes to the buffers or to the extents of pulls any more. If it
     * throws, the service has ended all the same.
     */
    void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            requests.dropWaiting();
            try
            {
                ReliableConnection.fail(queuePair);
            }
            catch (final VerbsException e)
            {
                // Destroying the queue pair also ends it. The peer only learns of that later.
                LOGGER.warn("queue pair could not be put into ERR: session={} cause={}", session.id(), e.getMessage());
            }
            finally
            {
                destroy();
            }
        }
    }

    private void destroy()
    {
        boolean isDestroyed = false;
        try
        {
            queuePair.close();
            isDestroyed = true;
        }
        finally
        {
            requests.pulled().end(isDestroyed);
        }
    }

    /** Whether the queue pair is destroyed and all values pulled over it are published. */
    boolean hasEnded()
    {
        return isClosed && !requests.pulled().isPulling();
    }

    /** Why the shard ended the queue pair, or null. */
    String reason()
    {
        return life.reason();
    }
}

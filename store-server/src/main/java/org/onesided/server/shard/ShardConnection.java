package org.onesided.server.shard;

import org.agrona.collections.IntArrayQueue;
import org.onesided.protocol.rpc.codec.DeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.GetRequestDecoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestDecoder;
import org.onesided.protocol.rpc.codec.PutRequestDecoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestDecoder;
import org.onesided.protocol.rpc.codec.StatRequestDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.RecordDescriptor;
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
 * A session's queue pair at one shard, and the requests that came over it. Made by the acceptor; belongs to the shard's
 * thread from {@link Shard#attach} on.
 *
 * <p><strong>Order.</strong> Requests take effect in the order of their arrival, except that others overtake a large
 * value while it is pulled. Whatever the session asks for <em>the same key</em> meanwhile waits until the large value
 * is published: had it been executed at once, the pull would take effect after it, and a session that does not wait
 * for answers would find its later put undone by its earlier one. Requests of other sessions for that key do not
 * wait: each is concurrent with the pull, so either order is linearizable, and the pull takes effect at one
 * moment, when it is published, with a version of that moment. What waits holds its receive and keeps those behind it
 * waiting, too; since it waits for pulls and sends only, which depend on no later request, it never waits in a circle.
 */
public final class ShardConnection
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ShardConnection.class);

    private final ShardSession session;
    private final QueuePair queuePair;
    private final ReceiveQueue receives;
    private final SessionGeometry geometry;
    private final MemoryRange answerBuffers;
    private final int localKey;
    private final int device;
    private final int port;
    private final int tag;
    private final boolean canRead;
    /** Receives whose requests wait, in their order; each holds its message's length. */
    private final IntArrayQueue backlog = new IntArrayQueue(-1);
    /** Receives whose requests have their answer remembered now. */
    private final IntArrayQueue answerable = new IntArrayQueue(-1);
    private final int[] messageLengths;
    private final long[] arrivedNs;
    private Shard shard;
    private Workbench workbench;
    private ShardCounters counters;
    private SendQueue sends;
    private PullQueue pulls;
    private boolean isEnding;
    private boolean isClosed;
    private boolean isForfeited;
    private String reason;
    private volatile long lastActivityNs = System.nanoTime();

    /**
     * @param session   it serves.
     * @param queuePair in INIT, with nothing posted; it is closed when the connection ends.
     * @param geometry  of the shard's sessions.
     * @param buffers   {@link SessionGeometry#bufferLength} bytes, registered for local writing.
     * @param localKey  of the buffers.
     * @param readDepth READs that the peer answers at a time, from 0.
     * @param device    index of the device among the shard's.
     * @param port      of the device, that the queue pair uses.
     * @param tag       from {@link Shard#nextTag}.
     */
    public ShardConnection(
        final ShardSession session,
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
        this.queuePair = queuePair;
        this.geometry = geometry;
        this.localKey = localKey;
        canRead = readDepth > 0;
        final long receivesLength = (long)geometry.credits() * geometry.messageLength();
        receives = new ReceiveQueue(queuePair, geometry, buffers.slice(0, receivesLength), localKey, tag);
        answerBuffers = buffers.slice(receivesLength, buffers.length() - receivesLength);
        messageLengths = new int[geometry.credits()];
        arrivedNs = new long[geometry.credits()];
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
        return isForfeited;
    }

    QueuePair queuePair()
    {
        return queuePair;
    }

    void onAttached(final Shard shard)
    {
        this.shard = shard;
        workbench = shard.workbench();
        sends = new SendQueue(this, workbench.postings(), geometry, answerBuffers, localKey, tag);
        counters = shard.counters();
        pulls = new PullQueue(sends, geometry, shard.device(device).regionKey(), counters);
    }

    /** Asks the device, which takes a system call. */
    boolean hasFailed()
    {
        return !isClosed && ReliableConnection.hasFailed(queuePair);
    }

    int device()
    {
        return device;
    }

    int port()
    {
        return port;
    }

    boolean isEnding()
    {
        return isEnding;
    }

    /** Hash of the key of the request that a completion tells of; 0 if it tells of none. */
    long keyHash(final WorkCompletions completions, final int index)
    {
        final long id = completions.id(index);
        if (isEnding || !WorkRequestId.isOf(tag, id) || !WorkRequestId.isReceive(id) ||
            completions.status(index) != CompletionStatus.SUCCESS)
        {
            return 0;
        }
        final int receive = receives.indexOf(id);
        final Request request = workbench.request();
        return receive != ReceiveQueue.NONE &&
            request.wrap(receives.address(receive), completions.byteLength(index)) && request.hasKey() ?
            workbench.hash(request.key(), request.keyLength()) : 0;
    }

    void onCompletion(final WorkCompletions completions, final int index, final long nowNs)
    {
        final long id = completions.id(index);
        // One that a destroyed queue pair of the same number has left behind concerns nobody.
        if (isEnding || !WorkRequestId.isOf(tag, id))
        {
            return;
        }
        if (completions.status(index) != CompletionStatus.SUCCESS)
        {
            onFailure(completions, index);
        }
        else if (WorkRequestId.isReceive(id))
        {
            onReceived(id, completions.byteLength(index), nowNs);
        }
        else
        {
            onSent(id);
        }
    }

    private void onReceived(final long id, final int byteLength, final long nowNs)
    {
        final int receive = receives.onCompletion(id);
        if (receive == ReceiveQueue.NONE)
        {
            lose("completion of no receive that is posted: wr_id=0x" + Long.toHexString(id));
            return;
        }
        lastActivityNs = nowNs;
        messageLengths[receive] = byteLength;
        arrivedNs[receive] = nowNs;
        counters.add(ShardCounters.BYTES_RECEIVED, byteLength);
        if (!backlog.isEmpty() || !process(receive))
        {
            backlog.addInt(receive);
            counters.add(ShardCounters.WAITING, 1);
        }
    }

    private void onSent(final long id)
    {
        final long number = sends.numberOf(id);
        if (number == SendQueue.NONE)
        {
            lose("completion of no request that is outstanding: wr_id=0x" + Long.toHexString(id));
            return;
        }
        final boolean isRead = pulls.isRead(number);
        sends.onCompletion(number, isRead);
        if (isRead)
        {
            final Pull pull = pulls.onReadCompleted();
            if (pull.isWhole())
            {
                shard.publish(this, pull);
            }
        }
        goOn();
    }

    /** A pull was published, or failed for good: its answer is remembered, and whoever waits for it gets it. */
    void onPullDone(final Pull pull)
    {
        pulls.remove(pull);
        counters.took(RequestKind.PUT_LARGE, arrivedNs[pull.waiter(0)]);
        for (int i = 0; i < pull.waiterCount(); i++)
        {
            answerable.addInt(pull.waiter(i));
        }
        goOn();
    }

    void lose(final String why)
    {
        if (!isEnding)
        {
            reason = why;
            counters.increment(ShardCounters.CONNECTIONS_LOST);
            beginEnd();
        }
    }

    private void forfeit(final String why)
    {
        isForfeited = true;
        lose(why);
    }

    void beginEnd()
    {
        if (!isEnding)
        {
            isEnding = true;
            shard.onEnding(this);
        }
    }

    /**
     * Destroys the queue pair. From here on nothing writes to the buffers or to the extents of pulls any more. If it
     * throws, the connection has ended all the same.
     */
    void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            counters.add(ShardCounters.WAITING, -backlog.size());
            try
            {
                ReliableConnection.fail(queuePair);
            }
            catch (final VerbsException e)
            {
                // The peer learns of it a little later: destroying the queue pair ends it just as well.
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
            endPulls(isDestroyed);
        }
    }

    /** Without what arrives no more the connection could never end, even if its queue pair was not destroyed. */
    private void endPulls(final boolean isDestroyed)
    {
        for (int i = pulls.active().size() - 1; i >= 0; i--)
        {
            final Pull pull = pulls.active().get(i);
            if (!pull.isWhole())
            {
                pulls.remove(pull);
                if (session.window().state(pull.requestId) == RequestWindow.State.IN_PROGRESS)
                {
                    session.window().forget(pull.requestId);
                }
                if (isDestroyed)
                {
                    shard.abandon(pull);
                }
                else
                {
                    // The device may write there yet: nobody else may have that memory again.
                    LOGGER.error("memory is lost to a queue pair: session={} bytes={}", session.id(), pull.length);
                }
            }
        }
    }

    /** Whether nothing of it goes on any more: its queue pair is destroyed, and what was pulled is published. */
    boolean hasEnded()
    {
        return isClosed && pulls.isEmpty();
    }

    String reason()
    {
        return reason;
    }

    private void onFailure(final WorkCompletions completions, final int index)
    {
        final long id = completions.id(index);
        final int status = completions.status(index);
        final boolean isRead = !WorkRequestId.isReceive(id) && pulls.isRead(sends.numberOf(id));
        final Pull pull = isRead ? pulls.oldest() : null;
        if (pull != null)
        {
            counters.increment(ShardCounters.PULL_FAILURES);
        }
        if (pull != null && isRefusal(status))
        {
            // The client would only be refused again: tell it so, when it resumes and asks.
            final int length = workbench.executor().refuse(pull.requestId, Status.PULL_FAILED, workbench.answer());
            session.window().done(pull.requestId, workbench.answer(), length);
        }
        final String known = queuePair.failureReason();
        lose("queue pair failed" + (known == null ? ": " : ", " + known + " ") + completions.describe(index));
    }

    private static boolean isRefusal(final int status)
    {
        return status == CompletionStatus.REM_ACCESS_ERR || status == CompletionStatus.REM_INV_REQ_ERR ||
            status == CompletionStatus.REM_OP_ERR;
    }

    private void goOn()
    {
        postReads();
        while (!isEnding && !answerable.isEmpty() && process(answerable.peekInt()))
        {
            answerable.pollInt();
        }
        while (!isEnding && answerable.isEmpty() && !backlog.isEmpty() && process(backlog.peekInt()))
        {
            backlog.pollInt();
            counters.add(ShardCounters.WAITING, -1);
        }
    }

    private void postReads()
    {
        if (!isEnding)
        {
            pulls.post();
        }
    }

    /**
     * @param receive that holds the request.
     * @return whether it was dealt with; if not, it is to be tried again when something has completed.
     */
    private boolean process(final int receive)
    {
        if (!sends.canAnswer())
        {
            return false;
        }
        final Request request = workbench.request();
        if (!request.wrap(receives.address(receive), messageLengths[receive]))
        {
            forfeit("malformed request: length=" + messageLengths[receive]);
            return true;
        }

        final long requestId = request.requestId();
        switch (session.window().state(requestId))
        {
            case DONE -> answerAgain(request, receive);
            case IN_PROGRESS -> waitFor(pulls.of(requestId), receive);
            case OUTSIDE -> forfeit("request id outside the window: requestId=" + requestId);
            case BLOCKED ->
            {
                return false;
            }
            default ->
            {
                return execute(request, receive);
            }
        }
        return true;
    }

    private void waitFor(final Pull pull, final int receive)
    {
        if (pull == null)
        {
            forfeit("fate of a request is unknown, the server failed over it");
        }
        else
        {
            pull.addWaiter(receive);
        }
    }

    private boolean execute(final Request request, final int receive)
    {
        if (!pulls.isEmpty() && request.hasKey() &&
            pulls.concerns(workbench.hash(request.key(), request.keyLength())))
        {
            return false;
        }

        final RequestExecutor executor = workbench.executor();
        switch (request.templateId())
        {
            case PutRequestDecoder.TEMPLATE_ID ->
                answerOnce(RequestKind.PUT, request, receive, executor.put(request, workbench.answer()));
            case DeleteRequestDecoder.TEMPLATE_ID ->
                answerOnce(RequestKind.DELETE, request, receive, executor.delete(request, workbench.answer()));
            case ReleaseRequestDecoder.TEMPLATE_ID ->
                answerOnce(
                    RequestKind.RELEASE, request, receive, executor.release(request, session, workbench.answer()));
            case StatRequestDecoder.TEMPLATE_ID -> stat(request, receive);
            case GetRequestDecoder.TEMPLATE_ID -> get(request, receive);
            case PutLargeRequestDecoder.TEMPLATE_ID ->
            {
                return putLarge(request, receive);
            }
            default -> throw new IllegalStateException("not a request: template=" + request.templateId());
        }
        return true;
    }

    private void stat(final Request request, final int receive)
    {
        session.window().passed(request.requestId());
        workbench.largeAnswer().wrap(sends.buffer(), geometry.messageLength());
        answerFromBuffer(
            RequestKind.STAT, receive,
            workbench.executor().stat(request, shard.devices(), workbench.largeAnswer()));
    }

    private void get(final Request request, final int receive)
    {
        workbench.largeAnswer().wrap(sends.buffer(), geometry.messageLength());
        final long borrowCount = session.borrowCount();
        final int length = workbench.executor().get(request, session, workbench.largeAnswer());
        if (session.borrowCount() != borrowCount)
        {
            session.window().done(request.requestId(), workbench.largeAnswer(), length);
        }
        else
        {
            session.window().passed(request.requestId());
        }
        answerFromBuffer(RequestKind.GET, receive, length);
    }

    private void answerFromBuffer(final RequestKind kind, final int receive, final int length)
    {
        receives.add(workbench.postings().receive(this), receive);
        sends.sendBuffer(length);
        counters.add(ShardCounters.BYTES_SENT, length);
        done(kind, receive);
    }

    private boolean putLarge(final Request request, final int receive)
    {
        final long length = request.largeValueLength();
        if (length > RecordDescriptor.MAX_VALUE_LENGTH || !workbench.executor().hasKey(request))
        {
            return refuse(request, receive, Status.INVALID);
        }
        if (!canRead)
        {
            return refuse(request, receive, Status.PULL_FAILED);
        }
        if (!pulls.hasRoomFor(length))
        {
            return false;
        }
        final Pull pull = shard.reserve(request);
        if (pull == null)
        {
            return refuse(request, receive, shard.reserveStatus());
        }

        counters.executed(RequestKind.PUT_LARGE);
        session.window().begin(pull.requestId);
        pull.addWaiter(receive);
        pulls.add(pull);
        if (pull.isWhole())
        {
            shard.publish(this, pull);
        }
        postReads();
        return true;
    }

    private boolean refuse(final Request request, final int receive, final Status status)
    {
        answerOnce(
            RequestKind.PUT_LARGE, request, receive,
            workbench.executor().refuse(request.requestId(), status, workbench.answer()));
        return true;
    }

    private void answerOnce(final RequestKind kind, final Request request, final int receive, final int length)
    {
        session.window().done(request.requestId(), workbench.answer(), length);
        answer(receive, length);
        done(kind, receive);
    }

    /** Of a large value, which is answered when it was pulled, or of a request that was sent again. */
    private void answerAgain(final Request request, final int receive)
    {
        if (request.templateId() != PutLargeRequestDecoder.TEMPLATE_ID)
        {
            counters.increment(ShardCounters.RESENT);
        }
        answer(receive, session.window().answer(request.requestId(), workbench.answer()));
    }

    private void done(final RequestKind kind, final int receive)
    {
        counters.executed(kind);
        counters.took(kind, arrivedNs[receive]);
    }

    /** The receive goes back first: the answer is the client's credit to send again. */
    private void answer(final int receive, final int length)
    {
        receives.add(workbench.postings().receive(this), receive);
        sends.sendCopy(workbench.answer().addressOffset(), length);
        counters.add(ShardCounters.BYTES_SENT, length);
    }
}

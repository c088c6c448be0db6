package org.onesided.verbs.soft;

import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairAttributes;

/**
 * What a device adds to a queue pair: how one request is executed, how messages arrive, and how the peer is told of
 * what concerns it. All of its methods are called under the queue pair's lock, unless they say otherwise.
 */
public abstract class DeviceWork
{
    /** What {@link #execute} returns for a request that must be tried again later. */
    protected static final int BLOCKED = -1;
    /** What {@link #execute} returns for a request that is under way; {@link #isDone} tells when it is done. */
    protected static final int PENDING = -2;

    /** Where a request in the send queue has 8 bytes for the device's own use, from {@link #execute} on. */
    protected static final int DEVICE_WORD_OFFSET = SendQueue.DEVICE_WORD_OFFSET;

    /** Wake-up wanted for any receive. */
    protected static final int WAKE_RECEIVE = 1;
    /** Wake-up wanted for a solicited receive. */
    protected static final int WAKE_SOLICITED = 1 << 1;
    /** Wake-up wanted when the send queue can go on. */
    protected static final int WAKE_SEND = 1 << 2;

    /**
     * For {@link WorkQueues}.
     */
    DeviceWork()
    {
    }

    /**
     * Executes a send request, or goes on with it. What is wrong on this side counts before what is wrong on the
     * peer's.
     *
     * @param request     address of the {@code ibv_send_wr}.
     * @param totalLength of its message in bytes.
     * @return a {@link CompletionStatus}, {@link #PENDING}, or {@link #BLOCKED} after one of the {@code waitFor}
     *         methods. A failure while others are under way is asked for again once they are done.
     */
    protected abstract int execute(long request, long totalLength);

    /**
     * Looks whether the oldest request under way is done; asked once more for the next if it is.
     *
     * @param request address of the {@code ibv_send_wr}.
     * @return whether it is done, well; it is completed then.
     */
    protected boolean isDone(final long request)
    {
        return true;
    }

    /**
     * @return whether a READ that nothing is before can be executed at once, without a copy in the send queue.
     */
    protected boolean executesAtOnce()
    {
        return true;
    }

    /**
     * Finds requests that the device cannot do, while they are posted.
     *
     * @param request address of the {@code ibv_send_wr}.
     * @return 0 or an errno.
     */
    protected int check(final long request)
    {
        return 0;
    }

    /**
     * All of a chain was posted, and executed as far as that goes: what was gathered may go out.
     */
    protected void posted()
    {
    }

    /**
     * A chain of requests is about to be posted: a device may fetch what they read, so that the cache misses of all
     * overlap. Requests and keys were not checked yet.
     *
     * @param workRequest address of the first {@code ibv_send_wr}.
     */
    protected void fetchAhead(final long workRequest)
    {
    }

    /**
     * Checks, without the lock and cheaply, whether {@link #receive} has something to do.
     *
     * @return whether anything came from the peer.
     */
    protected abstract boolean hasArrived();

    /**
     * The same for somebody who is about to post.
     *
     * @return whether what came is to be taken in first.
     */
    protected boolean hasArrivedBeforePosting()
    {
        return hasArrived();
    }

    /**
     * Takes in what came from the peer; may call {@link WorkQueues#completeReceive} and {@link WorkQueues#fail}.
     */
    protected abstract void receive();

    /**
     * @return whether the peer's process or queue pair is gone.
     */
    protected abstract boolean isPeerGone();

    /**
     * Connects to the peer that the attributes name.
     *
     * @param values of the transition to RTR.
     * @return what is to be released once no thread looks at it any more, or null.
     */
    protected abstract Runnable connect(QueuePairAttributes values);

    /**
     * Ends the connection.
     *
     * @param again whether to become ready for another.
     * @return what is to be released once no thread looks at it any more, or null.
     */
    protected abstract Runnable detach(boolean again);

    /**
     * Tells the peer state and attributes.
     */
    protected abstract void publish();

    /**
     * Tells the peer what to wake this side for.
     *
     * @param wakeUps bits.
     */
    protected abstract void publishWakeUps(int wakeUps);

    /**
     * Tells the peer that receives were posted.
     */
    protected abstract void receivesPosted();
}

package org.onesided.verbs.soft;

import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairAttributes;

/**
 * A device's part of the {@link WorkQueues} of one queue pair: executes requests, takes messages in, and informs the
 * peer. The work queues call all methods under the queue pair's lock, unless a method says otherwise. A transport calls
 * its work queues under the same lock.
 */
public interface Transport
{
    /** Result of {@link #execute} for a request to retry later. */
    int BLOCKED = -1;
    /** Result of {@link #execute} for a request in flight; {@link #isDone} reports its end. */
    int PENDING = -2;

    /** Offset of 8 bytes in a queued request for the device's own use, from {@link #execute} on. */
    int DEVICE_WORD_OFFSET = SendQueue.DEVICE_WORD_OFFSET;

    /** Wake-up wanted for any receive. */
    int WAKE_RECEIVE = 1;
    /** Wake-up wanted for a solicited receive. */
    int WAKE_SOLICITED = 1 << 1;
    /** Wake-up wanted when the send queue can go on. */
    int WAKE_SEND = 1 << 2;

    /**
     * From any thread, without the lock.
     *
     * @return what the peer's device needs to find the queue pair.
     */
    byte[] deviceBytes();

    /**
     * From any thread, without the lock.
     *
     * @return why the queue pair failed, in one line that ends in its data; null if the device knows no more than the
     *         completions tell.
     */
    default String failureReason()
    {
        return null;
    }

    /**
     * Executes a send request, or continues it. Checks this side before the peer's.
     *
     * @param request     address of the {@code ibv_send_wr}.
     * @param totalLength of its message in bytes.
     * @return a {@link CompletionStatus}, {@link #PENDING}, or {@link #BLOCKED} after one of the {@code waitFor}
     *         methods of {@link RetryTimer}. If a request fails while others are under way, it is executed again once
     *         those are done.
     */
    int execute(long request, long totalLength);

    /**
     * Looks whether the oldest request under way is done. If it is, the work queues ask for the next.
     *
     * @param request address of the {@code ibv_send_wr}.
     * @return whether it succeeded; the work queues complete it then.
     */
    default boolean isDone(final long request)
    {
        return true;
    }

    /**
     * @return whether a READ that nothing is before can be executed at once, without a copy in the send queue.
     */
    default boolean executesAtOnce()
    {
        return true;
    }

    /**
     * Finds requests that the device cannot do, while they are posted.
     *
     * @param request address of the {@code ibv_send_wr}.
     * @return 0 or an errno.
     */
    default int check(final long request)
    {
        return 0;
    }

    /**
     * All requests of a chain are posted, and executed as far as possible: gathered bytes may go out.
     */
    default void posted()
    {
    }

    /**
     * A chain of requests is about to be posted. A device may fetch the memory that they read, so that their cache
     * misses overlap. Requests and keys were not checked yet.
     *
     * @param workRequest address of the first {@code ibv_send_wr}.
     */
    default void fetchAhead(final long workRequest)
    {
    }

    /**
     * Looks cheaply whether {@link #receive} has something to do. Called for each poll, without the lock.
     *
     * @return whether anything came from the peer.
     */
    boolean lookForArrivals();

    /**
     * The same for a thread that is about to post, under the lock.
     *
     * @return whether to process arrivals first.
     */
    default boolean lookForArrivalsBeforePosting()
    {
        return lookForArrivals();
    }

    /**
     * Takes in what came from the peer; may call {@link WorkQueues#completeReceive} and {@link WorkQueues#fail}.
     */
    void receive();

    /**
     * @return whether the peer's process or queue pair is gone.
     */
    boolean isPeerGone();

    /**
     * Connects to the peer that the attributes name.
     *
     * @param values of the transition to RTR.
     * @return releases what the device does not need any more, once no thread looks at it; or null.
     */
    Runnable connect(QueuePairAttributes values);

    /**
     * Ends the connection.
     *
     * @param again whether to become ready for another.
     * @return releases what the device does not need any more, once no thread looks at it; or null.
     */
    Runnable detach(boolean again);

    /**
     * Tells the peer state and attributes.
     */
    void publish();

    /**
     * Tells the peer what to wake this side for.
     *
     * @param wakeUps bits.
     */
    void publishWakeUps(int wakeUps);

    /**
     * Tells the peer that receives were posted.
     */
    void receivesPosted();
}

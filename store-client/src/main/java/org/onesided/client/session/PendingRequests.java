package org.onesided.client.session;

import org.onesided.client.lease.HeldLease;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.verbs.QueuePair;

/**
 * The unanswered requests of a session, as its attachments see them: they outlive an attachment and continue over the
 * next. For the session's thread.
 */
public interface PendingRequests
{
    /** Carries the requests over one attachment. */
    interface Link
    {
        /**
         * The requests go over this attachment from here on. If it resumed their session, those that were sent are
         * sent again; if it began another session, they are lost.
         */
        void takeOver();

        /**
         * Lets the session ask the leader of its one shard for leases.
         *
         * @param held     of the memory that the session READs, shared with other sessions.
         * @param counters of the session.
         * @return checks what it is told.
         */
        ReadLease lease(HeldLease held, Counters counters);
    }

    /**
     * @param welcome what the server allows.
     * @return bytes of registered memory that a link receives answers in.
     */
    long spaceLength(BootstrapConnection.Welcome welcome);

    /**
     * Makes a link over queue pairs that are not connected yet, and posts its receives. The requests themselves do not
     * change before the link takes over.
     *
     * @param welcome    what the server allows, and whether it resumes the session.
     * @param queuePairs by shard; null where the session is for others.
     * @param loop       their completions.
     * @param space      of {@link #spaceLength} bytes.
     * @param maxInline  bytes that all queue pairs take inline.
     * @param memory     registers memory for the requests of another session.
     * @param resources  closed with the attachment, or if none comes of it.
     * @return the link.
     * @throws AttachFailedException if the requests do not fit what the server allows. Their session is not to be
     *                               resumed any more then.
     */
    Link link(
        BootstrapConnection.Welcome welcome,
        QueuePair[] queuePairs,
        CompletionLoop loop,
        RegisteredBuffer space,
        int maxInline,
        RegisteredMemory memory,
        Resources resources) throws AttachFailedException;

    /**
     * @return whether writes wait for an answer, or to be sent, that were not given up, nor was their session since it
     *         did not fit: it is to be resumed.
     */
    boolean hasPendingWrites();

    /**
     * The attachment was lost. Nothing is sent before another link takes over.
     */
    void detached();

    /**
     * Gives up the request that the session waits for, if there is one.
     */
    void abandonAwaited();

    /**
     * The operation is over: what it waited for is given up, and the memory of the answer that it got is used again.
     *
     * @throws AttachmentLostException if the attachment is lost thereby.
     */
    void endOperation();

    /**
     * The session is over: frees its requests' memory.
     */
    void close();
}

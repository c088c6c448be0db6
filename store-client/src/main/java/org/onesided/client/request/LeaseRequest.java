package org.onesided.client.request;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.session.CompletionLoop;
import org.onesided.protocol.rpc.codec.LeaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * The request for a lease that is under way over an attachment, one at a time. Nobody waits for its answer: a listener
 * hears of it. Not thread-safe.
 */
final class LeaseRequest
{
    /** Receives the answers to requests for leases, within the poll that found them. */
    interface Listener
    {
        /**
         * @param life of the memory that may be believed.
         * @param term in which the server leads.
         */
        void onGranted(long life, long term);

        /** No grant comes: the server refuses, or the attachment is lost. */
        void onRefused();
    }

    private final RequestSlots slots;
    private final RequestChannel channel;
    private final RequestCodec codec;
    private final CompletionLoop loop;
    private final AnswerHeader header;
    private final LeaseAnswerDecoder leaseAnswer = new LeaseAnswerDecoder();
    private Listener listener;
    private int slot = RequestSlots.NONE;

    /**
     * @param codec  encodes the messages of the slots.
     * @param header that others use between two calls.
     */
    LeaseRequest(
        final RequestSlots slots,
        final RequestChannel channel,
        final RequestCodec codec,
        final CompletionLoop loop,
        final AnswerHeader header)
    {
        this.slots = slots;
        this.channel = channel;
        this.codec = codec;
        this.loop = loop;
        this.header = header;
    }

    void listen(final Listener hearing)
    {
        listener = hearing;
    }

    /**
     * Asks for a lease. There must be room, no other such request, and no answer that holds a receive of the shard:
     * that to this request needs one.
     */
    void ask(final int shard)
    {
        final int next = slots.next(shard);
        slots.stage(next, codec.lease(next), false);
        slot = next;
        channel.post(shard);
    }

    /** The attachment was lost: the request is abandoned, if there is one. */
    void abandon()
    {
        if (slot != RequestSlots.NONE)
        {
            slots.abandon(slot);
            slot = RequestSlots.NONE;
            listener.onRefused();
        }
    }

    /** Whether the request is in that slot. */
    boolean isIn(final int asked)
    {
        return slot == asked;
    }

    /** Processes the answer, unless it is malformed or the server does not lead; whether it did. */
    boolean tryTake(final UnsafeBuffer answer)
    {
        final boolean isGranted =
            header.tryWrap(answer, LeaseAnswerDecoder.TEMPLATE_ID, LeaseAnswerDecoder.BLOCK_LENGTH);
        final String notLeading = isGranted ? null : header.readNotLeading(answer);
        if (notLeading != null)
        {
            loop.lose(notLeading);
            return false;
        }
        if (!isGranted && !header.tryWrap(answer, WriteAnswerDecoder.TEMPLATE_ID, WriteAnswerDecoder.BLOCK_LENGTH))
        {
            loop.lose("answer does not fit a request for a lease: template=" + header.decoder().templateId());
            return false;
        }
        final int answered = slot;
        slot = RequestSlots.NONE;
        slots.answered(answered);
        if (isGranted)
        {
            leaseAnswer.wrapAndApplyHeader(answer, 0, header.decoder());
            listener.onGranted(leaseAnswer.life(), leaseAnswer.term());
        }
        else
        {
            listener.onRefused();
        }
        return true;
    }
}

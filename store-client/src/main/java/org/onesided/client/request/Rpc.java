package org.onesided.client.request;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.protocol.rpc.codec.ComputedAnswerDecoder;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.LeaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerDecoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.StatAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.TtlAnswerDecoder;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * A session's requests over one attachment. Writes are <em>staged</em> in slots, as many as there are, and posted
 * together; their answers go to a listener. The session may wait for one of them, or for a request that is no write:
 * such a one begins with its method here and ends with the matching {@code await}, which leaves the answer in place;
 * {@link #releaseAnswer} then gives its receive back to the queue pair.
 *
 * <p>A request may be abandoned unanswered: others to its shard wait for that answer before they are sent, so that what
 * is sent to a stopped server is no more than it knows of, and the fate of the others is certain. Not thread-safe.
 */
public final class Rpc implements CompletionLoop.RequestListener
{
    private static final int NO_RECEIVE = -1;

    /** Receives the answers to staged writes. */
    interface AnswerListener
    {
        /**
         * Within the poll that found the answer; the slot is free after this.
         *
         * @param slots  that hold the write.
         * @param slot   in these.
         * @param answer to it.
         * @param result that the server computed, 0 if it computed none.
         */
        void onAnswer(RequestSlots slots, int slot, WriteAnswerDecoder answer, long result);

        /**
         * As {@link #onAnswer}, for a batch of puts.
         *
         * @param slots  that hold the batch.
         * @param slot   in these.
         * @param answer with a status for each put.
         */
        void onAnswer(RequestSlots slots, int slot, BatchAnswer answer);
    }

    /** Receives the answers to requests for leases, within the poll that found them. */
    interface LeaseListener
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
    private final CompletionLoop loop;
    private final AnswerListener listener;
    private final RequestCodec codec;
    private final UnsafeBuffer answer = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer other = new UnsafeBuffer(0, 0);

    private final MessageHeaderDecoder answerHeader = new MessageHeaderDecoder();
    private final WriteAnswerDecoder writeAnswer = new WriteAnswerDecoder();
    private final ComputedAnswerDecoder computedAnswer = new ComputedAnswerDecoder();
    private final GetAnswerDecoder getAnswer = new GetAnswerDecoder();
    private final TtlAnswerDecoder ttlAnswer = new TtlAnswerDecoder();
    private final LeaseAnswerDecoder leaseAnswer = new LeaseAnswerDecoder();
    private final BatchAnswer batchAnswer = new BatchAnswer();
    private final StatAnswerDecoder statAnswer = new StatAnswerDecoder();
    private final ReleaseAnswerDecoder releaseAnswer = new ReleaseAnswerDecoder();
    private final GetAnswerDecoder otherGetAnswer = new GetAnswerDecoder();

    private LeaseListener leases;
    /** Slot of the request for a lease that is under way; none waits for it. */
    private int leaseSlot = RequestSlots.NONE;
    private int receiveShard;
    private int receive = NO_RECEIVE;

    /**
     * @param listener gets the answers to writes.
     */
    Rpc(
        final RequestSlots slots,
        final RequestChannel channel,
        final CompletionLoop loop,
        final AnswerListener listener)
    {
        this.slots = slots;
        this.channel = channel;
        this.loop = loop;
        this.listener = listener;
        codec = new RequestCodec(slots);
        loop.listen(this);
    }

    /** Whether the awaited request was sent and has no answer yet. */
    boolean isOutstanding()
    {
        final int awaited = slots.awaited();
        return awaited != RequestSlots.NONE && slots.wasSent(awaited);
    }

    /** Posts the staged requests that need not wait, with one doorbell per shard. */
    void post()
    {
        releaseAnswer();
        for (int shard = slots.served().first(); shard < slots.served().end(); shard++)
        {
            channel.post(shard);
        }
    }

    /** Posts a staged write that the session then awaits. No request of its shard may be held back. */
    void postAwaited(final int slot)
    {
        loop.expectAnswer();
        slots.await(slot);
        channel.post(slots.shardOf(slot));
    }

    /** Waits until the listener has the answer to the write that was {@link #postAwaited}. */
    void awaitWrite()
    {
        loop.awaitAnswer();
    }

    /** Waits until a request to a shard can be staged and sent without delay; returns its slot. */
    int makeRoom(final int shard)
    {
        releaseAnswer();
        if (slots.hasAbandoned(shard) || slots.owedExtent(shard) != 0)
        {
            settle(shard);
        }
        return awaitSlot(shard);
    }

    /** Encodes the messages of the slots. */
    RequestCodec codec()
    {
        return codec;
    }

    /** Stages a write whose message was encoded into a free slot, for {@link #post}. */
    void stage(final int slot, final int length)
    {
        slots.stage(slot, length, true);
    }

    /** Stages a put in a free slot, for {@link #post}. */
    void stagePut(
        final int slot,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        slots.stage(slot, codec.put(slot, key, keyLength, base, offset, valueLength), true);
    }

    /** As {@link #stagePut}, for a delete. */
    void stageDelete(final int slot, final DirectBuffer key, final int keyLength)
    {
        slots.stage(slot, codec.delete(slot, key, keyLength), true);
    }

    /** Asks when a key expires. Call {@link #awaitTtl} next. */
    void ttl(final int shard, final DirectBuffer key, final int keyLength)
    {
        final int slot = makeRoom(shard);
        post(slot, codec.ttl(slot, key, keyLength));
    }

    /**
     * Asks for a value. Call {@link #awaitGet} next.
     *
     * @param shard     of the key.
     * @param key       that is looked up, at the beginning of the buffer.
     * @param keyLength in bytes.
     */
    public void get(final int shard, final DirectBuffer key, final int keyLength)
    {
        final int slot = makeRoom(shard);
        post(slot, codec.get(slot, key, keyLength));
    }

    /** Asks for the counters, and for a snapshot if that is wanted. */
    void statistics(final int shard, final boolean isForSnapshot)
    {
        final int slot = makeRoom(shard);
        post(slot, isForSnapshot ? codec.snapshot(slot) : codec.statistics(slot));
    }

    void onLeases(final LeaseListener listener)
    {
        leases = listener;
    }

    /** Whether a request to a shard could be sent at once. */
    boolean hasRoom(final int shard)
    {
        return !slots.hasAbandoned(shard) && slots.owedExtent(shard) == 0 && slots.next(shard) != RequestSlots.NONE;
    }

    /** Asks for a lease, without waiting for it: the listener hears of it. There must be room, and no other request. */
    void askLease(final int shard)
    {
        // The answer needs a receive.
        releaseAnswer();
        final int slot = slots.next(shard);
        slots.stage(slot, codec.lease(slot), false);
        leaseSlot = slot;
        channel.post(shard);
    }

    /** The attachment was lost: the request for a lease is abandoned. */
    void abandonLease()
    {
        if (leaseSlot != RequestSlots.NONE)
        {
            slots.abandon(leaseSlot);
            leaseSlot = RequestSlots.NONE;
            leases.onRefused();
        }
    }

    /**
     * Gives an extent back. Call {@link #awaitRelease} next.
     *
     * @param shard  that lent it.
     * @param extent by its table offset.
     */
    public void release(final int shard, final long extent)
    {
        // Record the loan first, so that it is given back even if the code below fails.
        slots.owe(shard, extent);
        releaseAnswer();
        awaitAbandoned(shard);
        releaseOwed(shard);
    }

    private void releaseOwed(final int shard)
    {
        final int slot = awaitSlot(shard);
        try
        {
            post(slot, codec.release(slot, slots.owedExtent(shard)));
        }
        finally
        {
            if (slots.wasSent(slot))
            {
                slots.owe(shard, 0);
            }
        }
    }

    /**
     * Awaits a value. Where it is here and not in an extent, {@link #valueAddress} tells its place.
     *
     * @return the answer, until {@link #releaseAnswer}.
     */
    public GetAnswerDecoder awaitGet()
    {
        await(GetAnswerDecoder.TEMPLATE_ID, GetAnswerDecoder.BLOCK_LENGTH);
        getAnswer.wrapAndApplyHeader(answer, 0, answerHeader);
        final int valueHeader = getAnswer.limit();
        if (valueHeader > answer.capacity() - GetAnswerDecoder.valueHeaderLength() ||
            getAnswer.valueLength() < 0 ||
            getAnswer.valueLength() > answer.capacity() - valueHeader - GetAnswerDecoder.valueHeaderLength())
        {
            throw loop.lost("answer is cut short: length=" + answer.capacity());
        }
        return getAnswer;
    }

    /**
     * @return raw address of the value in the answer that was awaited last.
     */
    public long valueAddress()
    {
        return answer.addressOffset() + getAnswer.limit() + GetAnswerDecoder.valueHeaderLength();
    }

    TtlAnswerDecoder awaitTtl()
    {
        await(TtlAnswerDecoder.TEMPLATE_ID, TtlAnswerDecoder.BLOCK_LENGTH);
        return ttlAnswer.wrapAndApplyHeader(answer, 0, answerHeader);
    }

    StatAnswerDecoder awaitStatistics()
    {
        await(StatAnswerDecoder.TEMPLATE_ID, StatAnswerDecoder.BLOCK_LENGTH);
        return statAnswer.wrapAndApplyHeader(answer, 0, answerHeader);
    }

    /**
     * @return the answer, until {@link #releaseAnswer}.
     */
    public ReleaseAnswerDecoder awaitRelease()
    {
        await(ReleaseAnswerDecoder.TEMPLATE_ID, ReleaseAnswerDecoder.BLOCK_LENGTH);
        return releaseAnswer.wrapAndApplyHeader(answer, 0, answerHeader);
    }

    /** Reposts the receive of an answer that was read. */
    public void releaseAnswer()
    {
        if (receive != NO_RECEIVE)
        {
            final int index = receive;
            receive = NO_RECEIVE;
            channel.postReceive(receiveShard, index);
        }
    }

    private int awaitSlot(final int shard)
    {
        final int slot = slots.next(shard);
        if (slot != RequestSlots.NONE)
        {
            return slot;
        }
        // The requests that hold the slots may not be sent yet.
        channel.post(shard);
        loop.awaitUntil(() -> slots.next(shard) != RequestSlots.NONE);
        return slots.next(shard);
    }

    /** Waits for the answers to abandoned requests, and gives their loans back. */
    private void settle(final int shard)
    {
        awaitAbandoned(shard);
        if (slots.owedExtent(shard) != 0)
        {
            releaseOwed(shard);
            slots.abandonAwaited();
            awaitAbandoned(shard);
        }
    }

    private void awaitAbandoned(final int shard)
    {
        if (slots.hasAbandoned(shard))
        {
            loop.awaitUntil(() -> !slots.hasAbandoned(shard));
        }
    }

    /** Stages and posts a request other than a write, which the session then awaits. */
    private void post(final int slot, final int length)
    {
        slots.stage(slot, length, false);
        postAwaited(slot);
    }

    private void await(final int templateId, final int blockLength)
    {
        loop.awaitAnswer();
        if (!isAnswer(answer, templateId, blockLength))
        {
            throw isNotLeading(answer) ? loop.lost(notLeading()) :
                loop.lost("answer does not fit its request: template=" + answerHeader.templateId() +
                    " expected=" + templateId);
        }
        // Not earlier: a request with a malformed answer may have been executed.
        slots.answered(slots.awaited());
    }

    @Override
    public boolean onSent(final int shard, final long number)
    {
        return slots.completed(shard, number);
    }

    @Override
    public boolean onAnswer(final int shard, final int index, final int length)
    {
        if (!channel.hasReceive(shard, index))
        {
            loop.lose("completion of no receive: shard=" + shard + " index=" + index);
            return false;
        }
        final RegisteredBuffer space = channel.receiveSpace(shard, index);
        if (length < MessageHeaderDecoder.ENCODED_LENGTH + Long.BYTES || length > space.length())
        {
            loop.lose("answer has no request id: length=" + length);
            return false;
        }
        // The request id is the first field of every answer.
        final long id = UnsafeApi.getLong(
            space.addressOf(MessageHeaderDecoder.ENCODED_LENGTH, Long.BYTES));
        final int slot = slots.find(shard, id);
        final boolean isAwaited = slot != RequestSlots.NONE && slot == slots.awaited();
        final boolean isQuery = isAwaited && !slots.isWrite(slot);
        if (slot == RequestSlots.NONE || isQuery && receive != NO_RECEIVE)
        {
            loop.lose("answer to another request: requestId=" + id + " shard=" + shard);
            return false;
        }
        if (isQuery)
        {
            receiveShard = shard;
            receive = index;
            answer.wrap(space.range().address(), length);
            return true;
        }
        other.wrap(space.range().address(), length);
        final boolean isTaken = slots.isAbandoned(slot) ? tryTakeLate(slot) :
            slot == leaseSlot ? tryTakeLease(slot) : tryTakeWrite(slot);
        if (isTaken)
        {
            channel.postReceive(shard, index);
        }
        return isAwaited && isTaken;
    }

    /** Any request may be answered so. Nothing came of it, and the next attachment carries it on. */
    private boolean isNotLeading(final UnsafeBuffer message)
    {
        return isAnswer(message, WriteAnswerDecoder.TEMPLATE_ID, WriteAnswerDecoder.BLOCK_LENGTH) &&
            writeAnswer.wrapAndApplyHeader(message, 0, answerHeader).statusRaw() == Status.NOT_LEADING.value();
    }

    /** The answer that {@link #isNotLeading} has found, in a line. */
    private String notLeading()
    {
        return "server does not lead the partition any more: leader=" + writeAnswer.version();
    }

    /** Processes the answer to a write, unless it is malformed or nothing came of it. */
    private boolean tryTakeWrite(final int slot)
    {
        final boolean isBatch = slots.puts(slot) > 1;
        if (isBatch && isAnswer(other, PutBatchAnswerDecoder.TEMPLATE_ID, PutBatchAnswerDecoder.BLOCK_LENGTH))
        {
            return tryTakeBatch(slot);
        }
        final boolean isComputed = RequestCodec.isComputed(slots.address(slot));
        final boolean hasResult = isComputed &&
            isAnswer(other, ComputedAnswerDecoder.TEMPLATE_ID, ComputedAnswerDecoder.BLOCK_LENGTH);
        if (!hasResult && !isAnswer(other, WriteAnswerDecoder.TEMPLATE_ID, WriteAnswerDecoder.BLOCK_LENGTH))
        {
            loop.lose("answer does not fit its write: template=" + answerHeader.templateId());
            return false;
        }
        // An answer with a result begins like one without.
        writeAnswer.wrap(
            other, MessageHeaderDecoder.ENCODED_LENGTH, answerHeader.blockLength(), answerHeader.version());
        if (writeAnswer.statusRaw() == Status.NOT_LEADING.value())
        {
            // The write stays pending, and is sent again to the next leader.
            loop.lose(notLeading());
            return false;
        }
        if (isBatch && writeAnswer.statusRaw() == Status.OK.value())
        {
            loop.lose("answer to a batch has no status for each put");
            return false;
        }
        if (isComputed && hasResult != (writeAnswer.statusRaw() == Status.OK.value()))
        {
            loop.lose("answer to a computed write has a result without success, or none: status=" +
                writeAnswer.statusRaw());
            return false;
        }
        final long result = hasResult ? computedAnswer.wrapAndApplyHeader(other, 0, answerHeader).result() : 0;
        if (hasResult && !RequestCodec.mayResult(slots.address(slot), result))
        {
            loop.lose("answer to an append has an impossible length: length=" + result);
            return false;
        }
        tell(slot, null, result);
        return true;
    }

    /** As {@link #tryTakeWrite}, for a batch of puts. */
    private boolean tryTakeBatch(final int slot)
    {
        if (!batchAnswer.tryWrap(other, answerHeader.blockLength(), slots.puts(slot)))
        {
            loop.lose("answer to a batch has not one status for each put: puts=" + slots.puts(slot));
            return false;
        }
        tell(slot, batchAnswer, 0);
        return true;
    }

    private void tell(final int slot, final BatchAnswer ofBatch, final long result)
    {
        try
        {
            if (ofBatch == null)
            {
                listener.onAnswer(slots, slot, writeAnswer, result);
            }
            else
            {
                listener.onAnswer(slots, slot, ofBatch);
            }
        }
        catch (final RuntimeException | Error e)
        {
            // For example OutOfMemoryError. Losing the attachment frees the slot, for which the shard's requests would
            // wait.
            loop.lose("answer to a write could not be taken");
            throw e;
        }
        slots.answered(slot);
    }

    /** Processes the answer to a request for a lease, unless it is malformed or the server does not lead. */
    private boolean tryTakeLease(final int slot)
    {
        final boolean isGranted = isAnswer(other, LeaseAnswerDecoder.TEMPLATE_ID, LeaseAnswerDecoder.BLOCK_LENGTH);
        if (!isGranted && isNotLeading(other))
        {
            loop.lose(notLeading());
            return false;
        }
        if (!isGranted && !isAnswer(other, WriteAnswerDecoder.TEMPLATE_ID, WriteAnswerDecoder.BLOCK_LENGTH))
        {
            loop.lose("answer does not fit a request for a lease: template=" + answerHeader.templateId());
            return false;
        }
        leaseSlot = RequestSlots.NONE;
        slots.answered(slot);
        if (isGranted)
        {
            leaseAnswer.wrapAndApplyHeader(other, 0, answerHeader);
            leases.onGranted(leaseAnswer.life(), leaseAnswer.term());
        }
        else
        {
            leases.onRefused();
        }
        return true;
    }

    /** Processes the answer to an abandoned request, unless it is malformed. */
    private boolean tryTakeLate(final int slot)
    {
        if (isNotLeading(other))
        {
            loop.lose(notLeading());
            return false;
        }
        answerHeader.wrap(other, 0);
        if (answerHeader.templateId() == GetAnswerDecoder.TEMPLATE_ID)
        {
            if (!isAnswer(other, GetAnswerDecoder.TEMPLATE_ID, GetAnswerDecoder.BLOCK_LENGTH))
            {
                loop.lose("answer to a lookup came late and is cut short: length=" + other.capacity());
                return false;
            }
            slots.owe(slots.shardOf(slot), otherGetAnswer.wrapAndApplyHeader(other, 0, answerHeader).extent());
        }
        slots.answered(slot);
        return true;
    }

    private boolean isAnswer(final UnsafeBuffer message, final int templateId, final int blockLength)
    {
        answerHeader.wrap(message, 0);
        return answerHeader.schemaId() == MessageHeaderDecoder.SCHEMA_ID &&
            answerHeader.templateId() == templateId &&
            answerHeader.blockLength() >= blockLength &&
            answerHeader.blockLength() <= message.capacity() - MessageHeaderDecoder.ENCODED_LENGTH;
    }
}

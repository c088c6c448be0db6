package org.onesided.client;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.DeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.GetRequestEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestEncoder;
import org.onesided.protocol.rpc.codec.StatAnswerDecoder;
import org.onesided.protocol.rpc.codec.StatRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * A session's requests over one attachment, encoded and answered in place. The session may wait for one of them: it
 * begins with its method here and ends with the matching {@code await}; {@link #releaseAnswer} then gives the answer's
 * receive back to the queue pair. Besides that one, writes may be <em>staged</em>, as many as there are slots; they are
 * posted together, and their answers go to a listener.
 *
 * <p>A request may be abandoned unanswered: others to its shard wait for that answer before they are sent, so that what
 * is sent to a stopped server is no more than it knows of, and the fate of the others is certain. Not thread-safe.
 */
final class Rpc implements CompletionLoop.RequestListener
{
    private static final int NO_RECEIVE = -1;

    /** Gets the answers to writes that were staged. */
    interface AnswerListener
    {
        /**
         * Within the poll that found the answer; the slot is free after this.
         *
         * @param slots  that hold the write.
         * @param slot   in these.
         * @param answer to it.
         */
        void onAnswer(RequestSlots slots, int slot, WriteAnswerDecoder answer);
    }

    private final RequestSlots slots;
    private final RequestChannel channel;
    private final CompletionLoop loop;
    private final AnswerListener listener;
    private final UnsafeBuffer request = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer answer = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer other = new UnsafeBuffer(0, 0);

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PutRequestEncoder putRequest = new PutRequestEncoder();
    private final PutLargeRequestEncoder putLargeRequest = new PutLargeRequestEncoder();
    private final DeleteRequestEncoder deleteRequest = new DeleteRequestEncoder();
    private final GetRequestEncoder getRequest = new GetRequestEncoder();
    private final StatRequestEncoder statRequest = new StatRequestEncoder();
    private final ReleaseRequestEncoder releaseRequest = new ReleaseRequestEncoder();

    private final MessageHeaderDecoder answerHeader = new MessageHeaderDecoder();
    private final WriteAnswerDecoder writeAnswer = new WriteAnswerDecoder();
    private final GetAnswerDecoder getAnswer = new GetAnswerDecoder();
    private final StatAnswerDecoder statAnswer = new StatAnswerDecoder();
    private final ReleaseAnswerDecoder releaseAnswer = new ReleaseAnswerDecoder();
    private final WriteAnswerDecoder otherWriteAnswer = new WriteAnswerDecoder();
    private final GetAnswerDecoder otherGetAnswer = new GetAnswerDecoder();

    private int receiveShard;
    private int receive = NO_RECEIVE;

    /**
     * @param listener gets the answers to staged writes.
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
        loop.listen(this);
    }

    /** Longest value that fits into a put request with a key of this length; negative if the key alone does not. */
    static int maxInlineValue(final int messageLength, final int keyLength)
    {
        return messageLength - MessageHeaderEncoder.ENCODED_LENGTH - PutRequestEncoder.BLOCK_LENGTH -
            PutRequestEncoder.keyHeaderLength() - keyLength - PutRequestEncoder.valueHeaderLength();
    }

    /** As {@link #maxInlineValue(int, int)}, for messages as long as this session's may be. */
    int maxInlineValue(final int keyLength)
    {
        return maxInlineValue(slots.messageLength(), keyLength);
    }

    /** Whether a request that the session waits for was sent, and its answer has not come. */
    boolean isOutstanding()
    {
        final int awaited = slots.awaited();
        return awaited != RequestSlots.NONE && slots.wasSent(awaited);
    }

    /** Posts what is staged, as far as it need not wait: with one doorbell a shard. */
    void post()
    {
        releaseAnswer();
        for (int shard = 0; shard < slots.shards(); shard++)
        {
            channel.post(shard);
        }
    }

    void put(
        final int shard,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        final int slot = begin(shard);
        await(slot, encodePut(slot, key, keyLength, base, offset, valueLength), true);
    }

    /**
     * Stages a put for {@link #post}.
     *
     * @return the slot that holds it, or {@link RequestSlots#NONE} while there is none.
     */
    int stagePut(
        final int shard,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        final int slot = slots.next(shard);
        if (slot != RequestSlots.NONE)
        {
            slots.stage(slot, encodePut(slot, key, keyLength, base, offset, valueLength), true);
        }
        return slot;
    }

    private int encodePut(
        final int slot,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        putRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .putKey(key, 0, keyLength);
        final int limit = putRequest.limit();
        final int valueStart = limit + PutRequestEncoder.valueHeaderLength();
        request.boundsCheck(valueStart, valueLength);
        request.putInt(limit, valueLength, LITTLE_ENDIAN);
        UnsafeApi.copyMemory(base, offset, null, request.addressOffset() + valueStart, valueLength);
        return valueStart + valueLength;
    }

    void putLarge(
        final int shard, final DirectBuffer key, final int keyLength, final RegisteredBuffer value, final int length)
    {
        final int slot = begin(shard);
        putLargeRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .valueAddress(value.addressOf(0, length))
            .valueLength(length)
            .valueKey(value.remoteKey() & 0xFFFF_FFFFL)
            .putKey(key, 0, keyLength);
        await(slot, putLargeRequest.limit(), true);
    }

    void delete(final int shard, final DirectBuffer key, final int keyLength)
    {
        final int slot = begin(shard);
        await(slot, encodeDelete(slot, key, keyLength), true);
    }

    /**
     * Stages a delete for {@link #post}.
     *
     * @return the slot that holds it, or {@link RequestSlots#NONE} while there is none.
     */
    int stageDelete(final int shard, final DirectBuffer key, final int keyLength)
    {
        final int slot = slots.next(shard);
        if (slot != RequestSlots.NONE)
        {
            slots.stage(slot, encodeDelete(slot, key, keyLength), true);
        }
        return slot;
    }

    private int encodeDelete(final int slot, final DirectBuffer key, final int keyLength)
    {
        deleteRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .putKey(key, 0, keyLength);
        return deleteRequest.limit();
    }

    void get(final int shard, final DirectBuffer key, final int keyLength)
    {
        final int slot = begin(shard);
        getRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .putKey(key, 0, keyLength);
        await(slot, getRequest.limit(), false);
    }

    void statistics(final int shard)
    {
        final int slot = begin(shard);
        statRequest.wrapAndApplyHeader(wrap(slot), 0, header).requestId(nextId(slot));
        await(slot, statRequest.limit(), false);
    }

    void release(final int shard, final long extent)
    {
        // Whatever comes in between, it goes back sooner or later.
        slots.owe(shard, extent);
        releaseAnswer();
        awaitAbandoned(shard);
        releaseOwed(shard);
    }

    private void releaseOwed(final int shard)
    {
        final int slot = awaitSlot(shard);
        releaseRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .extent(slots.owedExtent(shard));
        try
        {
            await(slot, releaseRequest.limit(), false);
        }
        finally
        {
            if (slots.wasSent(slot))
            {
                slots.owe(shard, 0);
            }
        }
    }

    WriteAnswerDecoder awaitWrite()
    {
        await(WriteAnswerDecoder.TEMPLATE_ID, WriteAnswerDecoder.BLOCK_LENGTH);
        return writeAnswer.wrapAndApplyHeader(answer, 0, answerHeader);
    }

    /** Awaits a value; where it is here and not in an extent, {@link #valueAddress} tells its place. */
    GetAnswerDecoder awaitGet()
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

    long valueAddress()
    {
        return answer.addressOffset() + getAnswer.limit() + GetAnswerDecoder.valueHeaderLength();
    }

    StatAnswerDecoder awaitStatistics()
    {
        await(StatAnswerDecoder.TEMPLATE_ID, StatAnswerDecoder.BLOCK_LENGTH);
        return statAnswer.wrapAndApplyHeader(answer, 0, answerHeader);
    }

    ReleaseAnswerDecoder awaitRelease()
    {
        await(ReleaseAnswerDecoder.TEMPLATE_ID, ReleaseAnswerDecoder.BLOCK_LENGTH);
        return releaseAnswer.wrapAndApplyHeader(answer, 0, answerHeader);
    }

    /** The answer was read: its receive goes back to the queue pair. */
    void releaseAnswer()
    {
        if (receive != NO_RECEIVE)
        {
            final int index = receive;
            receive = NO_RECEIVE;
            channel.postReceive(receiveShard, index);
        }
    }

    /** A status that this version knows, or {@link Status#NULL_VAL}. */
    static Status status(final short raw)
    {
        return raw >= 0 && raw <= Status.PULL_FAILED.value() ? Status.get(raw) : Status.NULL_VAL;
    }

    /** The slot for a request that the session waits for, once there is one. */
    private int begin(final int shard)
    {
        releaseAnswer();
        settle(shard);
        return awaitSlot(shard);
    }

    private int awaitSlot(final int shard)
    {
        final int slot = slots.next(shard);
        if (slot != RequestSlots.NONE)
        {
            return slot;
        }
        // Those that hold the slots may not have been sent yet.
        channel.post(shard);
        loop.awaitUntil(() -> slots.next(shard) != RequestSlots.NONE);
        return slots.next(shard);
    }

    private UnsafeBuffer wrap(final int slot)
    {
        request.wrap(slots.address(slot), slots.messageLength());
        return request;
    }

    private long nextId(final int slot)
    {
        return slots.nextId(slots.shardOf(slot));
    }

    /** Waits for the answers to abandoned requests, and gives back what they lent. */
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

    private void await(final int slot, final int length, final boolean isWrite)
    {
        loop.expectAnswer();
        slots.stage(slot, length, isWrite);
        slots.await(slot);
        channel.post(slots.shardOf(slot));
    }

    private void await(final int templateId, final int blockLength)
    {
        loop.awaitAnswer();
        if (!isAnswer(answer, templateId, blockLength))
        {
            throw loop.lost("answer does not fit its request: template=" + answerHeader.templateId() +
                " expected=" + templateId);
        }
        // Not before: a request whose answer makes no sense may have been executed.
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
        if (slot == RequestSlots.NONE || slot == slots.awaited() && receive != NO_RECEIVE)
        {
            loop.lose("answer to another request: requestId=" + id + " shard=" + shard);
            return false;
        }
        if (slot == slots.awaited())
        {
            receiveShard = shard;
            receive = index;
            answer.wrap(space.range().address(), length);
            return true;
        }
        take(slot, space.range().address(), length);
        channel.postReceive(shard, index);
        return false;
    }

    /** Takes an answer that the session does not wait for by itself. */
    private void take(final int slot, final long address, final int length)
    {
        other.wrap(address, length);
        if (!slots.isAbandoned(slot))
        {
            if (isAnswer(other, WriteAnswerDecoder.TEMPLATE_ID, WriteAnswerDecoder.BLOCK_LENGTH))
            {
                listener.onAnswer(slots, slot, otherWriteAnswer.wrapAndApplyHeader(other, 0, answerHeader));
                slots.answered(slot);
            }
            else
            {
                loop.lose("answer does not fit its write: template=" + answerHeader.templateId());
            }
            return;
        }
        answerHeader.wrap(other, 0);
        if (answerHeader.templateId() == GetAnswerDecoder.TEMPLATE_ID)
        {
            if (!isAnswer(other, GetAnswerDecoder.TEMPLATE_ID, GetAnswerDecoder.BLOCK_LENGTH))
            {
                loop.lose("answer to a lookup came late and is cut short: length=" + length);
                return;
            }
            slots.owe(slots.shardOf(slot), otherGetAnswer.wrapAndApplyHeader(other, 0, answerHeader).extent());
        }
        slots.answered(slot);
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

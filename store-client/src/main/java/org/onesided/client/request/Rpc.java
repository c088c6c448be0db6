package org.onesided.client.request;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.StatAnswerDecoder;
import org.onesided.protocol.rpc.codec.TtlAnswerDecoder;

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

    private final RequestSlots slots;
    private final RequestChannel channel;
    private final CompletionLoop loop;
    private final RequestCodec codec;
    private final AnswerHeader header = new AnswerHeader();
    private final WriteTaker writes;
    private final LeaseRequest lease;
    private final UnsafeBuffer answer = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer other = new UnsafeBuffer(0, 0);

    private final GetAnswerDecoder getAnswer = new GetAnswerDecoder();
    private final TtlAnswerDecoder ttlAnswer = new TtlAnswerDecoder();
    private final StatAnswerDecoder statAnswer = new StatAnswerDecoder();
    private final ReleaseAnswerDecoder releaseAnswer = new ReleaseAnswerDecoder();
    private final GetAnswerDecoder otherGetAnswer = new GetAnswerDecoder();

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
        codec = new RequestCodec(slots);
        writes = new WriteTaker(slots, loop, listener, header);
        lease = new LeaseRequest(slots, channel, codec, loop, header);
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
        if (slots.hasAbandoned(shard) || slots.owed().of(shard) != 0)
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

    /** The request for a lease, for which {@link #releaseAnswer} makes way. */
    LeaseRequest lease()
    {
        return lease;
    }

    /** Whether a request to a shard could be sent at once. */
    boolean hasRoom(final int shard)
    {
        return !slots.hasAbandoned(shard) && slots.owed().of(shard) == 0 && slots.next(shard) != RequestSlots.NONE;
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
        slots.owed().owe(shard, extent);
        releaseAnswer();
        awaitAbandoned(shard);
        releaseOwed(shard);
    }

    private void releaseOwed(final int shard)
    {
        final int slot = awaitSlot(shard);
        try
        {
            post(slot, codec.release(slot, slots.owed().of(shard)));
        }
        finally
        {
            if (slots.wasSent(slot))
            {
                slots.owed().owe(shard, 0);
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
        getAnswer.wrapAndApplyHeader(answer, 0, header.decoder());
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
        return ttlAnswer.wrapAndApplyHeader(answer, 0, header.decoder());
    }

    StatAnswerDecoder awaitStatistics()
    {
        await(StatAnswerDecoder.TEMPLATE_ID, StatAnswerDecoder.BLOCK_LENGTH);
        return statAnswer.wrapAndApplyHeader(answer, 0, header.decoder());
    }

    /**
     * @return the answer, until {@link #releaseAnswer}.
     */
    public ReleaseAnswerDecoder awaitRelease()
    {
        await(ReleaseAnswerDecoder.TEMPLATE_ID, ReleaseAnswerDecoder.BLOCK_LENGTH);
        return releaseAnswer.wrapAndApplyHeader(answer, 0, header.decoder());
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
        if (slots.owed().of(shard) != 0)
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
        if (!header.tryWrap(answer, templateId, blockLength))
        {
            final String notLeading = header.readNotLeading(answer);
            throw loop.lost(notLeading != null ? notLeading :
                "answer does not fit its request: template=" + header.decoder().templateId() +
                    " expected=" + templateId);
        }
        // Not earlier: a request with a malformed answer may have been executed.
        slots.answered(slots.awaited());
    }

    @Override
    public boolean onSent(final int shard, final long number)
    {
        return slots.sends().complete(shard, number);
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
            lease.isIn(slot) ? lease.tryTake(other) : writes.tryTake(slot, other);
        if (isTaken)
        {
            channel.postReceive(shard, index);
        }
        return isAwaited && isTaken;
    }

    /** Processes the answer to an abandoned request, unless it is malformed. */
    private boolean tryTakeLate(final int slot)
    {
        final String notLeading = header.readNotLeading(other);
        if (notLeading != null)
        {
            loop.lose(notLeading);
            return false;
        }
        if (header.decoder().templateId() == GetAnswerDecoder.TEMPLATE_ID)
        {
            if (!header.tryWrap(other, GetAnswerDecoder.TEMPLATE_ID, GetAnswerDecoder.BLOCK_LENGTH))
            {
                loop.lose("answer to a lookup came late and is cut short: length=" + other.capacity());
                return false;
            }
            otherGetAnswer.wrapAndApplyHeader(other, 0, header.decoder());
            slots.owed().owe(slots.shardOf(slot), otherGetAnswer.extent());
        }
        slots.answered(slot);
        return true;
    }
}

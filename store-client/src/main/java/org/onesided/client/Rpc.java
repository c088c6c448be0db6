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
 * A session's requests: one at a time, encoded in place, answered in place. A request begins with its method here and
 * ends with the matching {@code await}; {@link #releaseAnswer} then gives the answer's receive back to the queue
 * pair. A request may be abandoned unanswered, one per shard: the shard's next waits for that answer before it is
 * sent, so that a stopped server is sent no more than its queue pair takes. Not thread-safe.
 */
final class Rpc
{
    private static final int NO_RECEIVE = -1;

    private final RequestChannel channel;
    private final CompletionLoop loop;
    private final UnsafeBuffer request = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer answer = new UnsafeBuffer(0, 0);
    private final long[] lastIds;
    private final boolean[] isAbandoned;
    /** For each shard an extent that it lent for a lookup that failed, or 0. */
    private final long[] owedExtents;

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

    private boolean isOutstanding;
    private int shard;
    private int receive = NO_RECEIVE;

    /**
     * @param answered for each shard, the last request id that was answered: 0 for a new session.
     */
    Rpc(final RequestChannel channel, final CompletionLoop loop, final long[] answered)
    {
        this.channel = channel;
        this.loop = loop;
        lastIds = answered.clone();
        isAbandoned = new boolean[answered.length];
        owedExtents = new long[answered.length];
        loop.listen(this::onAnswer);
    }

    /** Longest value that fits into a put request with a key of this length; negative if the key alone does not. */
    int maxInlineValue(final int keyLength)
    {
        return channel.messageLength() - MessageHeaderEncoder.ENCODED_LENGTH - PutRequestEncoder.BLOCK_LENGTH -
            PutRequestEncoder.keyHeaderLength() - keyLength - PutRequestEncoder.valueHeaderLength();
    }

    /** Whether a request was posted and its answer has not come. */
    boolean isOutstanding()
    {
        return isOutstanding;
    }

    /** For each shard, the last request id that was answered or given up. */
    long[] answered()
    {
        final long[] answered = lastIds.clone();
        if (isOutstanding)
        {
            answered[shard]--;
        }
        return answered;
    }

    /** Awaits the answer no longer: when it comes it is dropped, and its receive goes back. */
    void abandon()
    {
        if (isOutstanding)
        {
            isOutstanding = false;
            isAbandoned[shard] = true;
        }
    }

    void put(
        final int toShard,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        putRequest.wrapAndApplyHeader(begin(toShard), 0, header)
            .requestId(lastIds[toShard] + 1)
            .putKey(key, 0, keyLength);
        final int limit = putRequest.limit();
        final int valueStart = limit + PutRequestEncoder.valueHeaderLength();
        request.boundsCheck(valueStart, valueLength);
        request.putInt(limit, valueLength, LITTLE_ENDIAN);
        UnsafeApi.copyMemory(base, offset, null, request.addressOffset() + valueStart, valueLength);
        post(valueStart + valueLength);
    }

    void putLarge(
        final int toShard, final DirectBuffer key, final int keyLength, final RegisteredBuffer value, final int length)
    {
        putLargeRequest.wrapAndApplyHeader(begin(toShard), 0, header)
            .requestId(lastIds[toShard] + 1)
            .valueAddress(value.addressOf(0, length))
            .valueLength(length)
            .valueKey(value.remoteKey() & 0xFFFF_FFFFL)
            .putKey(key, 0, keyLength);
        post(putLargeRequest.limit());
    }

    void delete(final int toShard, final DirectBuffer key, final int keyLength)
    {
        deleteRequest.wrapAndApplyHeader(begin(toShard), 0, header)
            .requestId(lastIds[toShard] + 1)
            .putKey(key, 0, keyLength);
        post(deleteRequest.limit());
    }

    void get(final int toShard, final DirectBuffer key, final int keyLength)
    {
        getRequest.wrapAndApplyHeader(begin(toShard), 0, header)
            .requestId(lastIds[toShard] + 1)
            .putKey(key, 0, keyLength);
        post(getRequest.limit());
    }

    void statistics(final int toShard)
    {
        statRequest.wrapAndApplyHeader(begin(toShard), 0, header).requestId(lastIds[toShard] + 1);
        post(statRequest.limit());
    }

    void release(final int toShard, final long extent)
    {
        releaseRequest.wrapAndApplyHeader(begin(toShard), 0, header).requestId(lastIds[toShard] + 1).extent(extent);
        post(releaseRequest.limit());
    }

    /** An extent is not read after all: it goes back before the next request to its shard. */
    void owe(final int toShard, final long extent)
    {
        owedExtents[toShard] = extent;
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
            channel.postReceive(shard, index);
        }
    }

    /** A status that this version knows, or {@link Status#NULL_VAL}. */
    static Status status(final short raw)
    {
        return raw >= 0 && raw <= Status.PULL_FAILED.value() ? Status.get(raw) : Status.NULL_VAL;
    }

    private UnsafeBuffer begin(final int toShard)
    {
        releaseAnswer();
        settle(toShard);
        shard = toShard;
        final RegisteredBuffer space = channel.requestSpace();
        request.wrap(space.range().address(), (int)space.length());
        return request;
    }

    /** Waits for the answer to an abandoned request, and gives back what it lent. */
    private void settle(final int ofShard)
    {
        awaitAbandoned(ofShard);
        if (owedExtents[ofShard] != 0)
        {
            final long extent = owedExtents[ofShard];
            owedExtents[ofShard] = 0;
            release(ofShard, extent);
            abandon();
            awaitAbandoned(ofShard);
        }
    }

    private void awaitAbandoned(final int ofShard)
    {
        if (isAbandoned[ofShard])
        {
            loop.awaitUntil(() -> !isAbandoned[ofShard]);
        }
    }

    private void post(final int length)
    {
        loop.expectAnswer();
        channel.send(shard, length);
        lastIds[shard]++;
        isOutstanding = true;
    }

    private void await(final int templateId, final int blockLength)
    {
        loop.awaitAnswer();
        answerHeader.wrap(answer, 0);
        if (answerHeader.schemaId() != MessageHeaderDecoder.SCHEMA_ID || answerHeader.templateId() != templateId ||
            answerHeader.blockLength() < blockLength ||
            answerHeader.blockLength() > answer.capacity() - MessageHeaderDecoder.ENCODED_LENGTH)
        {
            throw loop.lost("answer does not fit its request: template=" + answerHeader.templateId() +
                " expected=" + templateId);
        }
        // Not before: a request whose answer makes no sense may have been executed.
        isOutstanding = false;
    }

    private boolean onAnswer(final int fromShard, final int index, final int length)
    {
        if (!channel.hasReceive(fromShard, index))
        {
            loop.lose("completion of no receive: shard=" + fromShard + " index=" + index);
            return false;
        }
        final RegisteredBuffer space = channel.receiveSpace(fromShard, index);
        if (length < MessageHeaderDecoder.ENCODED_LENGTH + Long.BYTES || length > space.length())
        {
            loop.lose("answer has no request id: length=" + length);
            return false;
        }
        // The request id is the first field of every answer.
        final long id = UnsafeApi.getLong(
            space.addressOf(MessageHeaderDecoder.ENCODED_LENGTH, Long.BYTES));
        final boolean isExpected =
            isOutstanding && receive == NO_RECEIVE && fromShard == shard && id == lastIds[shard];
        if (!isExpected)
        {
            drop(fromShard, index, id, length);
            return false;
        }
        receive = index;
        answer.wrap(space.range().address(), length);
        return true;
    }

    private void drop(final int fromShard, final int index, final long id, final int length)
    {
        if (!isAbandoned[fromShard] || id != lastIds[fromShard])
        {
            loop.lose("answer to another request: requestId=" + id + " shard=" + fromShard);
            return;
        }
        answer.wrap(channel.receiveSpace(fromShard, index).range().address(), length);
        answerHeader.wrap(answer, 0);
        if (answerHeader.templateId() == GetAnswerDecoder.TEMPLATE_ID)
        {
            if (answerHeader.blockLength() < GetAnswerDecoder.BLOCK_LENGTH ||
                answerHeader.blockLength() > length - MessageHeaderDecoder.ENCODED_LENGTH)
            {
                loop.lose("answer to a lookup came late and is cut short: length=" + length);
                return;
            }
            owedExtents[fromShard] = getAnswer.wrapAndApplyHeader(answer, 0, answerHeader).extent();
        }
        isAbandoned[fromShard] = false;
        channel.postReceive(fromShard, index);
    }
}

package org.onesided.server.shard.execution;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.ComputedAnswerEncoder;
import org.onesided.protocol.rpc.codec.GetAnswerEncoder;
import org.onesided.protocol.rpc.codec.LeaseAnswerEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.TtlAnswerEncoder;
import org.onesided.protocol.rpc.codec.WriteAnswerEncoder;
import org.onesided.server.table.Expiry;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.WriteResult;

/**
 * Writes the messages of answers; each method returns the length of its message in bytes. Belongs to the shard's
 * thread.
 */
final class AnswerMessages
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int GET_ANSWER_OVERHEAD =
        HEADER_LENGTH + GetAnswerEncoder.BLOCK_LENGTH + GetAnswerEncoder.valueHeaderLength();

    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final LeaseAnswerEncoder leaseAnswer = new LeaseAnswerEncoder();
    private final WriteAnswerEncoder writeAnswer = new WriteAnswerEncoder();
    private final ComputedAnswerEncoder computedAnswer = new ComputedAnswerEncoder();
    private final GetAnswerEncoder getAnswer = new GetAnswerEncoder();
    private final ReleaseAnswerEncoder releaseAnswer = new ReleaseAnswerEncoder();
    private final TtlAnswerEncoder ttlAnswer = new TtlAnswerEncoder();

    /** The answer to a write; the result counts if it found the key, or its place. */
    int write(final long requestId, final Status status, final WriteResult result, final UnsafeBuffer answer)
    {
        final boolean hasResult = status == Status.OK || status == Status.NOT_FOUND;
        writeAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .slotWord(hasResult ? result.slotWord() : 0)
            .version(hasResult ? result.version() : 0)
            .bucketOffset(hasResult ? result.bucketOffset() : 0)
            .slotIndex((short)(hasResult ? result.slotIndex() : 0))
            .status(status);
        return HEADER_LENGTH + writeAnswer.encodedLength();
    }

    /** The answer to a write whose condition does not hold, as the key has another version; 0 if it is absent. */
    int conflict(final long requestId, final long present, final UnsafeBuffer answer)
    {
        return withoutPlace(requestId, Status.CONFLICT, 0, present, answer);
    }

    /** The answer of a member that does not lead. */
    int notLeading(final long requestId, final long term, final long leader, final UnsafeBuffer answer)
    {
        return withoutPlace(requestId, Status.NOT_LEADING, leader == 0 ? 0 : term, leader, answer);
    }

    private int withoutPlace(
        final long requestId, final Status status, final long word, final long version, final UnsafeBuffer answer)
    {
        writeAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .slotWord(word)
            .version(version)
            .bucketOffset(0)
            .slotIndex((short)0)
            .status(status);
        return HEADER_LENGTH + writeAnswer.encodedLength();
    }

    /** The answer to an increment or append that is done. */
    int computed(final long requestId, final WriteResult result, final long outcome, final UnsafeBuffer answer)
    {
        computedAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .slotWord(result.slotWord())
            .version(result.version())
            .bucketOffset(result.bucketOffset())
            .slotIndex((short)result.slotIndex())
            .status(Status.OK)
            .result(outcome);
        return HEADER_LENGTH + computedAnswer.encodedLength();
    }

    /** Whether a value of so many bytes can be in the answer to a lookup. */
    boolean fits(final int length, final UnsafeBuffer answer)
    {
        return GET_ANSWER_OVERHEAD + length <= answer.capacity();
    }

    /** The answer to a lookup, with the value. */
    int found(final long requestId, final FoundRecord found, final UnsafeBuffer answer)
    {
        final int length = found.valueLength();
        value.wrap(found.valueAddress(), length);
        getAnswer.wrapAndApplyHeader(answer, 0, header).requestId(requestId).version(found.version()).extent(0)
            .wholeLength(length).status(Status.OK).check(found.check()).expiry(found.expiry())
            .putValue(value, 0, length);
        return HEADER_LENGTH + getAnswer.encodedLength();
    }

    /** The answer to a lookup, without the value: what was found counts if the status is OK. */
    int get(
        final long requestId,
        final Status status,
        final long extent,
        final int length,
        final FoundRecord found,
        final UnsafeBuffer answer)
    {
        getAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .version(status == Status.OK ? found.version() : 0)
            .extent(extent)
            .wholeLength(length)
            .status(status)
            .check(status == Status.OK ? found.check() : 0)
            .expiry(status == Status.OK ? found.expiry() : Expiry.NEVER)
            .putValue(value, 0, 0);
        return HEADER_LENGTH + getAnswer.encodedLength();
    }

    /** Tells when a key expires. */
    int ttl(
        final long requestId, final Status status, final long expiry, final long left, final UnsafeBuffer answer)
    {
        ttlAnswer.wrapAndApplyHeader(answer, 0, header).requestId(requestId).expiry(expiry).left(left).status(status);
        return HEADER_LENGTH + ttlAnswer.encodedLength();
    }

    /** Tells whether what was given back was lent. */
    int released(final long requestId, final boolean isLent, final UnsafeBuffer answer)
    {
        releaseAnswer.wrapAndApplyHeader(answer, 0, header)
            .requestId(requestId)
            .status(isLent ? Status.OK : Status.NOT_FOUND);
        return HEADER_LENGTH + releaseAnswer.encodedLength();
    }

    /** The answer to a request for a lease that is granted. */
    int leaseGranted(final long requestId, final long region, final long term, final UnsafeBuffer answer)
    {
        leaseAnswer.wrapAndApplyHeader(answer, 0, header).requestId(requestId).life(region).term(term);
        return HEADER_LENGTH + leaseAnswer.encodedLength();
    }
}

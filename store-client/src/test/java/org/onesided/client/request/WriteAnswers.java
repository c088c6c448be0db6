package org.onesided.client.request;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.ComputedAnswerEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerEncoder;

/**
 * Encodes a server's answers to writes.
 */
final class WriteAnswers
{
    private WriteAnswers()
    {
    }

    /** An answer that says that the key is nowhere. */
    static byte[] of(final long requestId, final Status status)
    {
        return of(requestId, status, 0, 0, 0, 0);
    }

    static byte[] of(
        final long requestId,
        final Status status,
        final long slotWord,
        final long version,
        final long bucketOffset,
        final int slotIndex)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        final int length = new WriteAnswerEncoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(requestId)
            .slotWord(slotWord)
            .version(version)
            .bucketOffset(bucketOffset)
            .slotIndex((short)slotIndex)
            .status(status)
            .limit();
        return Arrays.copyOf(message.byteArray(), length);
    }

    /** An answer to a batch of puts. */
    static byte[] ofBatch(final long requestId, final Status... statuses)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        final PutBatchAnswerEncoder answer =
            new PutBatchAnswerEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder()).requestId(requestId);
        final PutBatchAnswerEncoder.OutcomesEncoder outcomes = answer.outcomesCount(statuses.length);
        for (final Status status : statuses)
        {
            outcomes.next().slotWord(0).bucketOffset(0).slotIndex((short)0).status(status);
        }
        return Arrays.copyOf(message.byteArray(), answer.limit());
    }

    /** An answer to a write that the server has computed. */
    static byte[] computed(final long requestId, final long version, final long result)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        final int length = new ComputedAnswerEncoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(requestId)
            .version(version)
            .status(Status.OK)
            .result(result)
            .limit();
        return Arrays.copyOf(message.byteArray(), length);
    }
}

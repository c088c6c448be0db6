package org.onesided.client.request;

import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * The header of the answer that was looked at last: which answer it is, and whether the message has room for its
 * fields. Not thread-safe.
 */
final class AnswerHeader
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final WriteAnswerDecoder refusal = new WriteAnswerDecoder();

    /** Reads the header of a message, which has room for one; whether it is such an answer, and not cut short. */
    boolean tryWrap(final UnsafeBuffer message, final int templateId, final int blockLength)
    {
        header.wrap(message, 0);
        return header.schemaId() == MessageHeaderDecoder.SCHEMA_ID &&
            header.templateId() == templateId &&
            header.blockLength() >= blockLength &&
            header.blockLength() <= message.capacity() - MessageHeaderDecoder.ENCODED_LENGTH;
    }

    /**
     * Reads a message that may say that the server does not lead: that in a line, or null if it says something else.
     * Any request may be answered so. Nothing came of it, and the next attachment carries it on.
     */
    @Nullable String readNotLeading(final UnsafeBuffer message)
    {
        return tryWrap(message, WriteAnswerDecoder.TEMPLATE_ID, WriteAnswerDecoder.BLOCK_LENGTH) &&
            refusal.wrapAndApplyHeader(message, 0, header).statusRaw() == Status.NOT_LEADING.value() ?
            notLeading(refusal) : null;
    }

    /** An answer that says so, in a line. */
    static String notLeading(final WriteAnswerDecoder answer)
    {
        return "server does not lead the partition any more: leader=" + answer.version();
    }

    /** For {@code wrapAndApplyHeader} of a decoder, which reads the header anew. */
    MessageHeaderDecoder decoder()
    {
        return header;
    }
}

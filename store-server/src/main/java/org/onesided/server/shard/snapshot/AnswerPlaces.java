package org.onesided.server.shard.snapshot;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;
import org.onesided.protocol.rpc.codec.ComputedAnswerDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * Takes the place of the key's slot out of remembered answers. In the memory of another process of the server the slot
 * is elsewhere, and a client keeps what an answer tells in its mirror. A slot word of 0 at table offset 0, where no
 * bucket is, tells nothing.
 */
public final class AnswerPlaces
{
    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;

    private AnswerPlaces()
    {
    }

    /**
     * Takes the place of the key's slot out of an answer, if it has one.
     *
     * @param answer to a request of any kind.
     * @param length of the answer.
     * @return whether it is the answer to a write.
     */
    public static boolean forget(final MutableDirectBuffer answer, final int length)
    {
        if (length < HEADER_LENGTH + WriteAnswerDecoder.BLOCK_LENGTH)
        {
            return false;
        }
        final int template = answer.getShort(MessageHeaderDecoder.templateIdEncodingOffset(), LITTLE_ENDIAN);
        final boolean isOfWrite =
            template == WriteAnswerDecoder.TEMPLATE_ID || template == ComputedAnswerDecoder.TEMPLATE_ID;
        if (isOfWrite)
        {
            // A computed answer begins with the fields of a write's.
            answer.putLong(HEADER_LENGTH + WriteAnswerDecoder.slotWordEncodingOffset(), 0);
            answer.putLong(HEADER_LENGTH + WriteAnswerDecoder.bucketOffsetEncodingOffset(), 0);
            answer.putByte(HEADER_LENGTH + WriteAnswerDecoder.slotIndexEncodingOffset(), (byte)0);
        }
        return isOfWrite;
    }
}

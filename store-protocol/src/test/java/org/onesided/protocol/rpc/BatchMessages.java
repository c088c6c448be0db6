package org.onesided.protocol.rpc;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerDecoder;
import org.onesided.protocol.rpc.codec.PutBatchRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;

/** Encodes batches of puts. */
public final class BatchMessages
{
    private BatchMessages()
    {
    }

    /**
     * @param buffer  for the message.
     * @param id      of the request.
     * @param lengths of the values, which are all of one letter.
     * @param keys    as many.
     * @return length of the message.
     */
    public static int encode(final UnsafeBuffer buffer, final long id, final int[] lengths, final String... keys)
    {
        new PutBatchRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).requestId(id);
        int at = MessageHeaderEncoder.ENCODED_LENGTH + PutBatchRequestEncoder.BLOCK_LENGTH;
        for (int i = 0; i < keys.length; i++)
        {
            buffer.putShort(at, (short)keys[i].length(), LITTLE_ENDIAN);
            at += Short.BYTES;
            buffer.putBytes(at, keys[i].getBytes(US_ASCII));
            at += keys[i].length();
            buffer.putInt(at, lengths[i], LITTLE_ENDIAN);
            at += Integer.BYTES;
            buffer.setMemory(at, lengths[i], (byte)'v');
            at += lengths[i];
        }
        return at;
    }

    /**
     * @param answer to a batch.
     * @return what became of its puts.
     */
    public static List<Status> statuses(final byte[] answer)
    {
        final List<Status> all = new ArrayList<>();
        new PutBatchAnswerDecoder().wrapAndApplyHeader(new UnsafeBuffer(answer), 0, new MessageHeaderDecoder())
            .outcomes().forEach((outcome) -> all.add(outcome.status()));
        return all;
    }
}

package org.onesided.client.request;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerDecoder.OutcomesDecoder;
import org.onesided.protocol.rpc.codec.Status;

/**
 * Flyweight over the answer to a batch of puts, which can be asked for each of them in any order. Not thread-safe.
 */
final class BatchAnswer
{
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private int first;
    private int stride;
    private int count;

    /**
     * @param answer      whose header and block are there.
     * @param blockLength of it.
     * @return whether it has an outcome for each of so many puts.
     */
    boolean tryWrap(final DirectBuffer answer, final int blockLength, final int puts)
    {
        message.wrap(answer);
        final int dimensions = MessageHeaderDecoder.ENCODED_LENGTH + blockLength;
        first = dimensions + OutcomesDecoder.sbeHeaderSize();
        if (first > message.capacity())
        {
            return false;
        }
        stride = unsignedShort(dimensions);
        count = unsignedShort(dimensions + Short.BYTES);
        return count == puts && stride >= OutcomesDecoder.sbeBlockLength() &&
            puts * stride <= message.capacity() - first;
    }

    /** Number of puts. */
    int count()
    {
        return count;
    }

    /** What became of one of the puts, from 0. */
    Status status(final int put)
    {
        return RequestCodec.status((short)unsignedByte(put, OutcomesDecoder.statusEncodingOffset()));
    }

    /** What the slot of the put's key holds now. */
    long slotWord(final int put)
    {
        return field(put, OutcomesDecoder.slotWordEncodingOffset());
    }

    /** Table offset of the bucket that holds the slot; 0 if no place is told. */
    long bucketOffset(final int put)
    {
        return field(put, OutcomesDecoder.bucketOffsetEncodingOffset());
    }

    int slotIndex(final int put)
    {
        return unsignedByte(put, OutcomesDecoder.slotIndexEncodingOffset());
    }

    private long field(final int put, final int offset)
    {
        return message.getLong(first + put * stride + offset, LITTLE_ENDIAN);
    }

    private int unsignedByte(final int put, final int offset)
    {
        return message.getByte(first + put * stride + offset) & 0xFF;
    }

    private int unsignedShort(final int offset)
    {
        return message.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
    }
}

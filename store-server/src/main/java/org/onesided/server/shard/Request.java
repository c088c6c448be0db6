package org.onesided.server.shard;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.DeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.GetRequestDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestDecoder;
import org.onesided.protocol.rpc.codec.PutRequestDecoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestDecoder;
import org.onesided.protocol.rpc.codec.StatRequestDecoder;

/**
 * Flyweight over a request as it arrived. Nothing is read that the message's own length does not cover.
 */
final class Request
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private int templateId;
    private int keyOffset;
    private int keyLength;
    private int valueOffset;
    private int valueLength;
    private int position;

    /**
     * @param address of the message.
     * @param length  in bytes that arrived.
     * @return whether it is a whole request of this schema.
     */
    boolean wrap(final long address, final int length)
    {
        buffer.wrap(address, length);
        keyLength = 0;
        if (length < MessageHeaderDecoder.ENCODED_LENGTH)
        {
            return false;
        }

        final int blockLength = unsignedShort(MessageHeaderDecoder.blockLengthEncodingOffset());
        final int version = unsignedShort(MessageHeaderDecoder.versionEncodingOffset());
        templateId = unsignedShort(MessageHeaderDecoder.templateIdEncodingOffset());
        position = MessageHeaderDecoder.ENCODED_LENGTH + blockLength;
        return unsignedShort(MessageHeaderDecoder.schemaIdEncodingOffset()) == MessageHeaderDecoder.SCHEMA_ID &&
            position <= length &&
            hasParts(blockLength) &&
            (position == length || version > MessageHeaderDecoder.SCHEMA_VERSION);
    }

    int templateId()
    {
        return templateId;
    }

    long requestId()
    {
        return field(PutRequestDecoder.requestIdEncodingOffset());
    }

    boolean hasKey()
    {
        return templateId != StatRequestDecoder.TEMPLATE_ID && templateId != ReleaseRequestDecoder.TEMPLATE_ID;
    }

    long key()
    {
        return buffer.addressOffset() + keyOffset;
    }

    int keyLength()
    {
        return keyLength;
    }

    /** Address of a value that came along. */
    long value()
    {
        return buffer.addressOffset() + valueOffset;
    }

    /** Length of a value that came along. */
    int valueLength()
    {
        return valueLength;
    }

    /** Length of a value to be pulled. */
    long largeValueLength()
    {
        return largeInt(PutLargeRequestDecoder.valueLengthEncodingOffset()) & 0xFFFF_FFFFL;
    }

    long remoteAddress()
    {
        return field(PutLargeRequestDecoder.valueAddressEncodingOffset());
    }

    int remoteKey()
    {
        return largeInt(PutLargeRequestDecoder.valueKeyEncodingOffset());
    }

    long extent()
    {
        return field(ReleaseRequestDecoder.extentEncodingOffset());
    }

    private boolean hasParts(final int blockLength)
    {
        return switch (templateId)
        {
            case PutRequestDecoder.TEMPLATE_ID ->
                blockLength >= PutRequestDecoder.BLOCK_LENGTH && hasKeyData() && hasValueData();
            case PutLargeRequestDecoder.TEMPLATE_ID ->
                blockLength >= PutLargeRequestDecoder.BLOCK_LENGTH && hasKeyData();
            case GetRequestDecoder.TEMPLATE_ID -> blockLength >= GetRequestDecoder.BLOCK_LENGTH && hasKeyData();
            case DeleteRequestDecoder.TEMPLATE_ID -> blockLength >= DeleteRequestDecoder.BLOCK_LENGTH && hasKeyData();
            case StatRequestDecoder.TEMPLATE_ID -> blockLength >= StatRequestDecoder.BLOCK_LENGTH;
            case ReleaseRequestDecoder.TEMPLATE_ID -> blockLength >= ReleaseRequestDecoder.BLOCK_LENGTH;
            default -> false;
        };
    }

    private boolean hasKeyData()
    {
        if (buffer.capacity() - position < Short.BYTES)
        {
            return false;
        }
        keyLength = unsignedShort(position);
        keyOffset = position + Short.BYTES;
        position = keyOffset + keyLength;
        return position <= buffer.capacity();
    }

    private boolean hasValueData()
    {
        if (buffer.capacity() - position < Integer.BYTES)
        {
            return false;
        }
        valueLength = buffer.getInt(position, LITTLE_ENDIAN);
        valueOffset = position + Integer.BYTES;
        if (valueLength < 0 || valueLength > buffer.capacity() - valueOffset)
        {
            return false;
        }
        position = valueOffset + valueLength;
        return true;
    }

    private int unsignedShort(final int offset)
    {
        return buffer.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
    }

    private long field(final int offset)
    {
        return buffer.getLong(MessageHeaderDecoder.ENCODED_LENGTH + offset, LITTLE_ENDIAN);
    }

    private int largeInt(final int offset)
    {
        return buffer.getInt(MessageHeaderDecoder.ENCODED_LENGTH + offset, LITTLE_ENDIAN);
    }
}

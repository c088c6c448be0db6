package org.onesided.server.shard.execution;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.protocol.rpc.codec.AppendRequestDecoder;
import org.onesided.protocol.rpc.codec.ConditionalDeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.DeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.GetRequestDecoder;
import org.onesided.protocol.rpc.codec.IncrementRequestDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.LeaseRequestDecoder;
import org.onesided.protocol.rpc.codec.PutBatchRequestDecoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestDecoder;
import org.onesided.protocol.rpc.codec.PutRequestDecoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestDecoder;
import org.onesided.protocol.rpc.codec.QualifiedPutRequestDecoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestDecoder;
import org.onesided.protocol.rpc.codec.SnapshotRequestDecoder;
import org.onesided.protocol.rpc.codec.StatRequestDecoder;
import org.onesided.protocol.rpc.codec.TouchRequestDecoder;
import org.onesided.protocol.rpc.codec.TtlRequestDecoder;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.shard.RequestKind;

/**
 * Flyweight over a received request, decoded once: the places of key and value, and the key's hash. It reads nothing
 * beyond the message's length.
 */
public final class Request
{
    /** Stands for no receive. */
    private static final int NOWHERE = -1;

    private final KeyHash hasher;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final RequestBlock block = new RequestBlock(buffer);
    private int receive = NOWHERE;
    private long arrivedNs;
    private boolean isWhole;
    private int templateId;
    private int keyOffset;
    private int keyLength;
    private long keyHash;
    private int valueOffset;
    private int valueLength;
    private int position;
    private int firstPut;
    private int puts;

    /**
     * @param hasher of the table.
     */
    public Request(final KeyHash hasher)
    {
        this.hasher = hasher;
    }

    /** A request that is only filled by {@link #copy}. */
    public Request()
    {
        this(null);
    }

    /** Forgets the message. */
    public void clear()
    {
        receive = NOWHERE;
        templateId = 0;
        block.templateId(0);
        keyHash = 0;
    }

    /**
     * Decodes the message of a receive.
     *
     * @param index   of the receive.
     * @param address of the message.
     * @param length  in bytes that arrived.
     * @param nowNs   when it arrived.
     */
    public void decode(final int index, final long address, final int length, final long nowNs)
    {
        receive = index;
        arrivedNs = nowNs;
        wrap(address, length);
    }

    /**
     * Takes over another request's message, without decoding it again.
     *
     * @param other whose message this one takes over.
     */
    public void copy(final Request other)
    {
        buffer.wrap(other.buffer.addressOffset(), other.buffer.capacity());
        receive = other.receive;
        arrivedNs = other.arrivedNs;
        isWhole = other.isWhole;
        templateId = other.templateId;
        block.templateId(templateId);
        keyOffset = other.keyOffset;
        keyLength = other.keyLength;
        keyHash = other.keyHash;
        valueOffset = other.valueOffset;
        valueLength = other.valueLength;
        position = other.position;
        firstPut = other.firstPut;
        puts = other.puts;
    }

    /**
     * Decodes a message that came by no receive.
     *
     * @param address of the message.
     * @param length  in bytes that arrived.
     * @return whether it is a whole request of this schema.
     */
    public boolean wrap(final long address, final int length)
    {
        buffer.wrap(address, length);
        keyLength = 0;
        isWhole = length >= MessageHeaderDecoder.ENCODED_LENGTH && decodeForm(length);
        keyHash = isWhole && !isBatch() && hasValidKey() ? hasher.hash(key(), keyLength) : 0;
        return isWhole;
    }

    private boolean decodeForm(final int length)
    {
        final int blockLength = unsignedShort(MessageHeaderDecoder.blockLengthEncodingOffset());
        final int version = unsignedShort(MessageHeaderDecoder.versionEncodingOffset());
        templateId = unsignedShort(MessageHeaderDecoder.templateIdEncodingOffset());
        block.templateId(templateId);
        position = MessageHeaderDecoder.ENCODED_LENGTH + blockLength;
        return unsignedShort(MessageHeaderDecoder.schemaIdEncodingOffset()) == MessageHeaderDecoder.SCHEMA_ID &&
            position <= length &&
            block.isValid(blockLength) &&
            decodeParts() &&
            (position == length || version > MessageHeaderDecoder.SCHEMA_VERSION);
    }

    /**
     * @param index of a receive.
     * @return whether the message is in it.
     */
    public boolean isOf(final int index)
    {
        return receive == index;
    }

    /**
     * @return index of the receive that holds the message.
     */
    public int receive()
    {
        return receive;
    }

    /**
     * @return when the message arrived, by {@link System#nanoTime()}.
     */
    public long arrivedNs()
    {
        return arrivedNs;
    }

    /**
     * @return length of the message in bytes.
     */
    public int length()
    {
        return buffer.capacity();
    }

    /**
     * @return whether the message is a complete request of this schema. If not, only its length is known.
     */
    public boolean isWhole()
    {
        return isWhole;
    }

    int templateId()
    {
        return templateId;
    }

    /**
     * @return number of the request in its session.
     */
    public long requestId()
    {
        return buffer.getLong(
            MessageHeaderDecoder.ENCODED_LENGTH + PutRequestDecoder.requestIdEncodingOffset(), LITTLE_ENDIAN);
    }

    /**
     * @return the fields of fixed length that the request's kind has.
     */
    public RequestBlock block()
    {
        return block;
    }

    /**
     * @return whether the request is a batch of puts; each has a key.
     */
    public boolean isBatch()
    {
        return templateId == PutBatchRequestDecoder.TEMPLATE_ID;
    }

    /** Number of puts of a batch. */
    int puts()
    {
        return puts;
    }

    /** Goes back to before the first put of a batch. */
    void rewind()
    {
        position = firstPut;
    }

    /** Goes to the next put of a batch: key and value are of that one. */
    void nextPut()
    {
        decodeKey();
        decodeValue();
    }

    /**
     * @return whether the request has one key, which may have an invalid length.
     */
    public boolean hasKey()
    {
        return !isBatch() && templateId != StatRequestDecoder.TEMPLATE_ID &&
            templateId != SnapshotRequestDecoder.TEMPLATE_ID && templateId != ReleaseRequestDecoder.TEMPLATE_ID &&
            templateId != LeaseRequestDecoder.TEMPLATE_ID;
    }

    /**
     * @return the kind of a whole request.
     */
    public RequestKind kind()
    {
        return switch (templateId)
        {
            case PutRequestDecoder.TEMPLATE_ID, PutBatchRequestDecoder.TEMPLATE_ID,
                QualifiedPutRequestDecoder.TEMPLATE_ID -> RequestKind.PUT;
            case PutLargeRequestDecoder.TEMPLATE_ID, QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                RequestKind.PUT_LARGE;
            case DeleteRequestDecoder.TEMPLATE_ID, ConditionalDeleteRequestDecoder.TEMPLATE_ID -> RequestKind.DELETE;
            case IncrementRequestDecoder.TEMPLATE_ID -> RequestKind.INCREMENT;
            case AppendRequestDecoder.TEMPLATE_ID -> RequestKind.APPEND;
            case TouchRequestDecoder.TEMPLATE_ID -> RequestKind.TOUCH;
            case TtlRequestDecoder.TEMPLATE_ID -> RequestKind.TTL;
            case GetRequestDecoder.TEMPLATE_ID -> RequestKind.GET;
            case ReleaseRequestDecoder.TEMPLATE_ID -> RequestKind.RELEASE;
            case StatRequestDecoder.TEMPLATE_ID -> RequestKind.STAT;
            case SnapshotRequestDecoder.TEMPLATE_ID -> RequestKind.SNAPSHOT;
            case LeaseRequestDecoder.TEMPLATE_ID -> RequestKind.LEASE;
            default -> throw new IllegalStateException("not a request: template=" + templateId);
        };
    }

    /**
     * @return whether the request changes the table, so that a log has to have it.
     */
    public boolean isLogged()
    {
        return switch (kind())
        {
            case PUT, PUT_LARGE, DELETE, INCREMENT, APPEND, TOUCH -> true;
            default -> false;
        };
    }

    /**
     * @return whether clients that may look up only may ask for it.
     */
    public boolean isOfReaders()
    {
        return switch (kind())
        {
            case TTL, GET, RELEASE, STAT, LEASE -> true;
            case PUT, PUT_LARGE, DELETE, INCREMENT, APPEND, TOUCH, SNAPSHOT -> false;
        };
    }

    /**
     * @return whether a log brings the request into its order with others, and nothing of it is decided before.
     */
    public boolean isOrderedByLog()
    {
        return isLogged() && !isPull();
    }

    /**
     * @return what holds the message alone.
     */
    public DirectBuffer message()
    {
        return buffer;
    }

    /**
     * @return whether the server pulls the value from the client's memory.
     */
    public boolean isPull()
    {
        return templateId == PutLargeRequestDecoder.TEMPLATE_ID ||
            templateId == QualifiedPutLargeRequestDecoder.TEMPLATE_ID;
    }

    /**
     * @return whether the request is an increment or an append, whose value depends on the key's present one.
     */
    public boolean isComputed()
    {
        return templateId == IncrementRequestDecoder.TEMPLATE_ID || templateId == AppendRequestDecoder.TEMPLATE_ID;
    }

    boolean hasValidKey()
    {
        return keyLength >= RecordDescriptor.MIN_KEY_LENGTH && keyLength <= RecordDescriptor.MAX_KEY_LENGTH;
    }

    /**
     * @return hash of a valid key; 0 without one.
     */
    public long keyHash()
    {
        return keyHash;
    }

    /**
     * @return address of the key in the message.
     */
    public long key()
    {
        return buffer.addressOffset() + keyOffset;
    }

    /**
     * @return length of the key in bytes.
     */
    public int keyLength()
    {
        return keyLength;
    }

    /** Address of the value in the message. */
    long value()
    {
        return buffer.addressOffset() + valueOffset;
    }

    /**
     * @return length of the value in the message, in bytes.
     */
    public int valueLength()
    {
        return valueLength;
    }

    /** Decodes what is behind the block. */
    private boolean decodeParts()
    {
        return switch (templateId)
        {
            case PutRequestDecoder.TEMPLATE_ID, QualifiedPutRequestDecoder.TEMPLATE_ID,
                AppendRequestDecoder.TEMPLATE_ID -> decodeKey() && decodeValue();
            case PutBatchRequestDecoder.TEMPLATE_ID -> decodePuts();
            default -> !hasKey() || decodeKey();
        };
    }

    private boolean decodePuts()
    {
        firstPut = position;
        puts = 0;
        do
        {
            if (puts == BatchLimits.MAX_PUTS || !decodeKey() || !decodeValue())
            {
                return false;
            }
            puts++;
        }
        while (position < buffer.capacity());
        return true;
    }

    private boolean decodeKey()
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

    private boolean decodeValue()
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
}

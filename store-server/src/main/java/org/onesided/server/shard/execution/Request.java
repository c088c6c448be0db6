package org.onesided.server.shard.execution;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.protocol.rpc.ExpiryLimits;
import org.onesided.protocol.rpc.codec.AppendRequestDecoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ConditionalDeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.DeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.ExpiryKind;
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
        position = MessageHeaderDecoder.ENCODED_LENGTH + blockLength;
        return unsignedShort(MessageHeaderDecoder.schemaIdEncodingOffset()) == MessageHeaderDecoder.SCHEMA_ID &&
            position <= length &&
            decodeParts(blockLength) &&
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
        return field(PutRequestDecoder.requestIdEncodingOffset());
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

    /** Whether the request is a write with a condition. */
    boolean isConditional()
    {
        return templateId >= QualifiedPutRequestDecoder.TEMPLATE_ID &&
            templateId <= ConditionalDeleteRequestDecoder.TEMPLATE_ID && conditionKind() != ConditionKind.NONE.value();
    }

    /**
     * @return what the write makes of the time when its key expires.
     */
    public int expiryKind()
    {
        return switch (templateId)
        {
            case QualifiedPutRequestDecoder.TEMPLATE_ID ->
                blockByte(QualifiedPutRequestDecoder.expiryKindEncodingOffset());
            case QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                blockByte(QualifiedPutLargeRequestDecoder.expiryKindEncodingOffset());
            case IncrementRequestDecoder.TEMPLATE_ID -> blockByte(IncrementRequestDecoder.expiryKindEncodingOffset());
            case AppendRequestDecoder.TEMPLATE_ID -> blockByte(AppendRequestDecoder.expiryKindEncodingOffset());
            case TouchRequestDecoder.TEMPLATE_ID -> blockByte(TouchRequestDecoder.expiryKindEncodingOffset());
            default -> ExpiryKind.DEFAULT.value();
        };
    }

    /**
     * @return the time that belongs to the kind, or 0.
     */
    public long expiry()
    {
        return switch (templateId)
        {
            case QualifiedPutRequestDecoder.TEMPLATE_ID -> field(QualifiedPutRequestDecoder.expiryEncodingOffset());
            case QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                field(QualifiedPutLargeRequestDecoder.expiryEncodingOffset());
            case IncrementRequestDecoder.TEMPLATE_ID -> field(IncrementRequestDecoder.expiryEncodingOffset());
            case AppendRequestDecoder.TEMPLATE_ID -> field(AppendRequestDecoder.expiryEncodingOffset());
            case TouchRequestDecoder.TEMPLATE_ID -> field(TouchRequestDecoder.expiryEncodingOffset());
            default -> 0;
        };
    }

    /**
     * Copies the condition, if there is one.
     *
     * @param to takes it; none if there is none.
     */
    public void condition(final Condition to)
    {
        to.clear();
        if (isConditional())
        {
            copyCondition(to);
        }
    }

    private void copyCondition(final Condition to)
    {
        final boolean isPull = templateId == QualifiedPutLargeRequestDecoder.TEMPLATE_ID;
        to.set(
            conditionKind(),
            field(isPull ? QualifiedPutLargeRequestDecoder.tableIdEncodingOffset() :
                QualifiedPutRequestDecoder.tableIdEncodingOffset()),
            field(isPull ? QualifiedPutLargeRequestDecoder.expectedVersionEncodingOffset() :
                QualifiedPutRequestDecoder.expectedVersionEncodingOffset()));
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

    /** What an increment adds. */
    long delta()
    {
        return field(IncrementRequestDecoder.deltaEncodingOffset());
    }

    /** What an increment adds to if the key is absent. */
    long initial()
    {
        return field(IncrementRequestDecoder.initialEncodingOffset());
    }

    /**
     * @return length of the value to pull, in bytes.
     */
    public long largeValueLength()
    {
        return largeInt(PutLargeRequestDecoder.valueLengthEncodingOffset()) & 0xFFFF_FFFFL;
    }

    /**
     * @return address of the value to pull, in the client's memory.
     */
    public long remoteAddress()
    {
        return field(PutLargeRequestDecoder.valueAddressEncodingOffset());
    }

    /**
     * @return rkey of the value to pull.
     */
    public int remoteKey()
    {
        return largeInt(PutLargeRequestDecoder.valueKeyEncodingOffset());
    }

    long extent()
    {
        return field(ReleaseRequestDecoder.extentEncodingOffset());
    }

    private boolean decodeParts(final int blockLength)
    {
        return switch (templateId)
        {
            case PutRequestDecoder.TEMPLATE_ID ->
                blockLength >= PutRequestDecoder.BLOCK_LENGTH && decodeKey() && decodeValue();
            case PutBatchRequestDecoder.TEMPLATE_ID ->
                blockLength >= PutBatchRequestDecoder.BLOCK_LENGTH && decodePuts();
            case PutLargeRequestDecoder.TEMPLATE_ID ->
                blockLength >= PutLargeRequestDecoder.BLOCK_LENGTH && decodeKey();
            case GetRequestDecoder.TEMPLATE_ID -> blockLength >= GetRequestDecoder.BLOCK_LENGTH && decodeKey();
            case DeleteRequestDecoder.TEMPLATE_ID -> blockLength >= DeleteRequestDecoder.BLOCK_LENGTH && decodeKey();
            case QualifiedPutRequestDecoder.TEMPLATE_ID ->
                blockLength >= QualifiedPutRequestDecoder.BLOCK_LENGTH && Condition.isKind(conditionKind()) &&
                    hasValidExpiry() && decodeKey() && decodeValue();
            case QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                blockLength >= QualifiedPutLargeRequestDecoder.BLOCK_LENGTH && Condition.isKind(conditionKind()) &&
                    hasValidExpiry() && decodeKey();
            case ConditionalDeleteRequestDecoder.TEMPLATE_ID ->
                blockLength >= ConditionalDeleteRequestDecoder.BLOCK_LENGTH && Condition.isKind(conditionKind()) &&
                    decodeKey();
            case IncrementRequestDecoder.TEMPLATE_ID ->
                blockLength >= IncrementRequestDecoder.BLOCK_LENGTH && hasValidExpiry() && decodeKey();
            case AppendRequestDecoder.TEMPLATE_ID ->
                blockLength >= AppendRequestDecoder.BLOCK_LENGTH && hasValidExpiry() && decodeKey() && decodeValue();
            case TouchRequestDecoder.TEMPLATE_ID ->
                blockLength >= TouchRequestDecoder.BLOCK_LENGTH && expiryKind() >= ExpiryKind.NEVER.value() &&
                    hasValidExpiry() && decodeKey();
            case TtlRequestDecoder.TEMPLATE_ID -> blockLength >= TtlRequestDecoder.BLOCK_LENGTH && decodeKey();
            case StatRequestDecoder.TEMPLATE_ID -> blockLength >= StatRequestDecoder.BLOCK_LENGTH;
            case SnapshotRequestDecoder.TEMPLATE_ID -> blockLength >= SnapshotRequestDecoder.BLOCK_LENGTH;
            case ReleaseRequestDecoder.TEMPLATE_ID -> blockLength >= ReleaseRequestDecoder.BLOCK_LENGTH;
            case LeaseRequestDecoder.TEMPLATE_ID -> blockLength >= LeaseRequestDecoder.BLOCK_LENGTH;
            default -> false;
        };
    }

    private int conditionKind()
    {
        return blockByte(switch (templateId)
        {
            case QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                QualifiedPutLargeRequestDecoder.conditionEncodingOffset();
            case ConditionalDeleteRequestDecoder.TEMPLATE_ID ->
                ConditionalDeleteRequestDecoder.conditionEncodingOffset();
            default -> QualifiedPutRequestDecoder.conditionEncodingOffset();
        });
    }

    private boolean hasValidExpiry()
    {
        return ExpiryLimits.areValid(expiryKind(), expiry());
    }

    private int blockByte(final int offset)
    {
        return buffer.getByte(MessageHeaderDecoder.ENCODED_LENGTH + offset);
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

    private long field(final int offset)
    {
        return buffer.getLong(MessageHeaderDecoder.ENCODED_LENGTH + offset, LITTLE_ENDIAN);
    }

    private int largeInt(final int offset)
    {
        return buffer.getInt(MessageHeaderDecoder.ENCODED_LENGTH + offset, LITTLE_ENDIAN);
    }
}

package org.onesided.server.shard.execution;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.ExpiryLimits;
import org.onesided.protocol.rpc.codec.AppendRequestDecoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ConditionalDeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.DeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.GetRequestDecoder;
import org.onesided.protocol.rpc.codec.IncrementRequestDecoder;
import org.onesided.protocol.rpc.codec.LeaseRequestDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
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

/**
 * The fields of a request that are of fixed length, and in front of key and value: flyweight over the message of a
 * {@link Request}. Each kind of message has its own; a method that does not say what other kinds have is for the kind
 * that it names. Belongs to the shard's thread.
 */
public final class RequestBlock
{
    /** That of the request. */
    private final UnsafeBuffer message;
    private int templateId;

    /**
     * @param message that the request wraps around each of its messages.
     */
    RequestBlock(final UnsafeBuffer message)
    {
        this.message = message;
    }

    /** The request has another message. */
    void templateId(final int ofMessage)
    {
        templateId = ofMessage;
    }

    /** Whether a block of that length, in bytes, has all fields of a kind that there is, and they have valid values. */
    boolean isValid(final int length)
    {
        return switch (templateId)
        {
            case PutRequestDecoder.TEMPLATE_ID -> length >= PutRequestDecoder.BLOCK_LENGTH;
            case PutBatchRequestDecoder.TEMPLATE_ID -> length >= PutBatchRequestDecoder.BLOCK_LENGTH;
            case PutLargeRequestDecoder.TEMPLATE_ID -> length >= PutLargeRequestDecoder.BLOCK_LENGTH;
            case GetRequestDecoder.TEMPLATE_ID -> length >= GetRequestDecoder.BLOCK_LENGTH;
            case DeleteRequestDecoder.TEMPLATE_ID -> length >= DeleteRequestDecoder.BLOCK_LENGTH;
            case QualifiedPutRequestDecoder.TEMPLATE_ID -> length >= QualifiedPutRequestDecoder.BLOCK_LENGTH &&
                Condition.isKind(conditionKind()) && hasValidExpiry();
            case QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                length >= QualifiedPutLargeRequestDecoder.BLOCK_LENGTH &&
                    Condition.isKind(conditionKind()) && hasValidExpiry();
            case ConditionalDeleteRequestDecoder.TEMPLATE_ID ->
                length >= ConditionalDeleteRequestDecoder.BLOCK_LENGTH && Condition.isKind(conditionKind());
            case IncrementRequestDecoder.TEMPLATE_ID ->
                length >= IncrementRequestDecoder.BLOCK_LENGTH && hasValidExpiry();
            case AppendRequestDecoder.TEMPLATE_ID -> length >= AppendRequestDecoder.BLOCK_LENGTH && hasValidExpiry();
            case TouchRequestDecoder.TEMPLATE_ID -> length >= TouchRequestDecoder.BLOCK_LENGTH &&
                expiryKind() >= ExpiryKind.NEVER.value() && hasValidExpiry();
            case TtlRequestDecoder.TEMPLATE_ID -> length >= TtlRequestDecoder.BLOCK_LENGTH;
            case StatRequestDecoder.TEMPLATE_ID -> length >= StatRequestDecoder.BLOCK_LENGTH;
            case SnapshotRequestDecoder.TEMPLATE_ID -> length >= SnapshotRequestDecoder.BLOCK_LENGTH;
            case ReleaseRequestDecoder.TEMPLATE_ID -> length >= ReleaseRequestDecoder.BLOCK_LENGTH;
            case LeaseRequestDecoder.TEMPLATE_ID -> length >= LeaseRequestDecoder.BLOCK_LENGTH;
            default -> false;
        };
    }

    private boolean hasValidExpiry()
    {
        return ExpiryLimits.areValid(expiryKind(), expiry());
    }

    /** Whether the request is a write with a condition. */
    boolean isConditional()
    {
        return templateId >= QualifiedPutRequestDecoder.TEMPLATE_ID &&
            templateId <= ConditionalDeleteRequestDecoder.TEMPLATE_ID && conditionKind() != ConditionKind.NONE.value();
    }

    /** Copies the condition, if there is one. */
    void condition(final Condition to)
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
            longAt(isPull ? QualifiedPutLargeRequestDecoder.tableIdEncodingOffset() :
                QualifiedPutRequestDecoder.tableIdEncodingOffset()),
            longAt(isPull ? QualifiedPutLargeRequestDecoder.expectedVersionEncodingOffset() :
                QualifiedPutRequestDecoder.expectedVersionEncodingOffset()));
    }

    private int conditionKind()
    {
        return byteAt(switch (templateId)
        {
            case QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                QualifiedPutLargeRequestDecoder.conditionEncodingOffset();
            case ConditionalDeleteRequestDecoder.TEMPLATE_ID ->
                ConditionalDeleteRequestDecoder.conditionEncodingOffset();
            default -> QualifiedPutRequestDecoder.conditionEncodingOffset();
        });
    }

    /** What the write makes of the time when its key expires. */
    int expiryKind()
    {
        return switch (templateId)
        {
            case QualifiedPutRequestDecoder.TEMPLATE_ID ->
                byteAt(QualifiedPutRequestDecoder.expiryKindEncodingOffset());
            case QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                byteAt(QualifiedPutLargeRequestDecoder.expiryKindEncodingOffset());
            case IncrementRequestDecoder.TEMPLATE_ID -> byteAt(IncrementRequestDecoder.expiryKindEncodingOffset());
            case AppendRequestDecoder.TEMPLATE_ID -> byteAt(AppendRequestDecoder.expiryKindEncodingOffset());
            case TouchRequestDecoder.TEMPLATE_ID -> byteAt(TouchRequestDecoder.expiryKindEncodingOffset());
            default -> ExpiryKind.DEFAULT.value();
        };
    }

    /** The time that belongs to the kind, or 0. */
    long expiry()
    {
        return switch (templateId)
        {
            case QualifiedPutRequestDecoder.TEMPLATE_ID -> longAt(QualifiedPutRequestDecoder.expiryEncodingOffset());
            case QualifiedPutLargeRequestDecoder.TEMPLATE_ID ->
                longAt(QualifiedPutLargeRequestDecoder.expiryEncodingOffset());
            case IncrementRequestDecoder.TEMPLATE_ID -> longAt(IncrementRequestDecoder.expiryEncodingOffset());
            case AppendRequestDecoder.TEMPLATE_ID -> longAt(AppendRequestDecoder.expiryEncodingOffset());
            case TouchRequestDecoder.TEMPLATE_ID -> longAt(TouchRequestDecoder.expiryEncodingOffset());
            default -> 0;
        };
    }

    /** What an increment adds. */
    long delta()
    {
        return longAt(IncrementRequestDecoder.deltaEncodingOffset());
    }

    /** What an increment adds to if the key is absent. */
    long initial()
    {
        return longAt(IncrementRequestDecoder.initialEncodingOffset());
    }

    /**
     * @return length in bytes of the value that is to be pulled.
     */
    public long largeValueLength()
    {
        return intAt(PutLargeRequestDecoder.valueLengthEncodingOffset()) & 0xFFFF_FFFFL;
    }

    /** Address of the value that is to be pulled, in the client's memory. */
    long remoteAddress()
    {
        return longAt(PutLargeRequestDecoder.valueAddressEncodingOffset());
    }

    /** Key of the client's memory that has the value to be pulled. */
    int remoteKey()
    {
        return intAt(PutLargeRequestDecoder.valueKeyEncodingOffset());
    }

    /** Extent that the client gives back. */
    long extent()
    {
        return longAt(ReleaseRequestDecoder.extentEncodingOffset());
    }

    private int byteAt(final int offset)
    {
        return message.getByte(MessageHeaderDecoder.ENCODED_LENGTH + offset);
    }

    private int intAt(final int offset)
    {
        return message.getInt(MessageHeaderDecoder.ENCODED_LENGTH + offset, LITTLE_ENDIAN);
    }

    private long longAt(final int offset)
    {
        return message.getLong(MessageHeaderDecoder.ENCODED_LENGTH + offset, LITTLE_ENDIAN);
    }
}

package org.onesided.client.request;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.session.KeyText;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.protocol.rpc.AppendLimits;
import org.onesided.protocol.rpc.codec.AppendRequestEncoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ConditionalDeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.DeleteRequestDecoder;
import org.onesided.protocol.rpc.codec.DeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.GetRequestEncoder;
import org.onesided.protocol.rpc.codec.IncrementRequestEncoder;
import org.onesided.protocol.rpc.codec.LeaseRequestEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutBatchRequestDecoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestDecoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.PutRequestDecoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutRequestEncoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestEncoder;
import org.onesided.protocol.rpc.codec.SnapshotRequestEncoder;
import org.onesided.protocol.rpc.codec.StatRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.TouchRequestEncoder;
import org.onesided.protocol.rpc.codec.TtlRequestEncoder;

/**
 * Encodes requests into the messages of a session's slots, each with the next id of its shard, and decodes keys and
 * lengths of its own writes. Not thread-safe.
 */
public final class RequestCodec
{
    private final RequestSlots slots;
    private final UnsafeBuffer request = new UnsafeBuffer(0, 0);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PutRequestEncoder putRequest = new PutRequestEncoder();
    private final PutLargeRequestEncoder putLargeRequest = new PutLargeRequestEncoder();
    private final DeleteRequestEncoder deleteRequest = new DeleteRequestEncoder();
    private final QualifiedPutRequestEncoder qualifiedPut = new QualifiedPutRequestEncoder();
    private final QualifiedPutLargeRequestEncoder qualifiedPutLarge = new QualifiedPutLargeRequestEncoder();
    private final ConditionalDeleteRequestEncoder conditionalDelete = new ConditionalDeleteRequestEncoder();
    private final IncrementRequestEncoder incrementRequest = new IncrementRequestEncoder();
    private final AppendRequestEncoder appendRequest = new AppendRequestEncoder();
    private final TouchRequestEncoder touchRequest = new TouchRequestEncoder();
    private final TtlRequestEncoder ttlRequest = new TtlRequestEncoder();
    private final GetRequestEncoder getRequest = new GetRequestEncoder();
    private final SnapshotRequestEncoder snapshotRequest = new SnapshotRequestEncoder();
    private final LeaseRequestEncoder leaseRequest = new LeaseRequestEncoder();
    private final StatRequestEncoder statRequest = new StatRequestEncoder();
    private final ReleaseRequestEncoder releaseRequest = new ReleaseRequestEncoder();

    RequestCodec(final RequestSlots slots)
    {
        this.slots = slots;
    }

    /** Longest value that fits into a put request with a key of this length; negative if the key alone does not fit. */
    static int maxInlineValue(final int messageLength, final int keyLength)
    {
        return messageLength - MessageHeaderEncoder.ENCODED_LENGTH - PutRequestEncoder.BLOCK_LENGTH -
            PutRequestEncoder.keyHeaderLength() - keyLength - PutRequestEncoder.valueHeaderLength();
    }

    /** As {@link #maxInlineValue}, for a put with terms. */
    static int maxQualifiedInlineValue(final int messageLength, final int keyLength)
    {
        return maxInlineValue(messageLength, keyLength) -
            (QualifiedPutRequestEncoder.BLOCK_LENGTH - PutRequestEncoder.BLOCK_LENGTH);
    }

    /** As {@link #maxInlineValue}, for the bytes of an append. */
    static int maxAppended(final int messageLength, final int keyLength)
    {
        return maxInlineValue(messageLength, keyLength) -
            (AppendRequestEncoder.BLOCK_LENGTH - PutRequestEncoder.BLOCK_LENGTH);
    }

    /**
     * @param raw status of an answer.
     * @return the status, {@link Status#NULL_VAL} if this version does not know it.
     */
    public static Status status(final short raw)
    {
        final boolean isKnown = raw >= 0 && raw <= Status.STORAGE_FAILED.value() || raw == Status.READ_ONLY.value();
        return isKnown ? Status.get(raw) : Status.NULL_VAL;
    }

    /**
     * Encodes a put whose value is in the message.
     *
     * @param base   array that holds the value, or null for native memory.
     * @param offset of the value in the array as UnsafeApi counts it, or its address.
     * @return length of the message, as the other methods give it.
     */
    int put(
        final int slot,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        putRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .putKey(key, 0, keyLength);
        return putValue(putRequest.limit(), base, offset, valueLength);
    }

    /**
     * Encodes another put behind those of a slot, which then is a batch. There must be room for {@link #joinedLength}.
     */
    int join(
        final int slot,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        final int start = slots.length(slot);
        wrap(slot);
        request.putShort(
            MessageHeaderDecoder.templateIdEncodingOffset(), (short)PutBatchRequestDecoder.TEMPLATE_ID, LITTLE_ENDIAN);
        final int keyStart = start + PutRequestEncoder.keyHeaderLength();
        request.putShort(start, (short)keyLength, LITTLE_ENDIAN);
        request.putBytes(keyStart, key, 0, keyLength);
        return putValue(keyStart + keyLength, base, offset, valueLength);
    }

    /** Bytes that a put takes behind others of a batch. */
    static int joinedLength(final int keyLength, final int valueLength)
    {
        return PutRequestEncoder.keyHeaderLength() + keyLength + PutRequestEncoder.valueHeaderLength() + valueLength;
    }

    /** Address of the key's length of the put that follows the one whose key's length is at an address. */
    static long nextPut(final long keyHeader)
    {
        final long valueHeader = keyHeader + PutRequestDecoder.keyHeaderLength() + keyLength(keyHeader);
        return valueHeader + PutRequestDecoder.valueHeaderLength() + UnsafeApi.getInt(valueHeader);
    }

    /** Length of the value of the put whose key's length is at an address. */
    static int joinedValueLength(final long keyHeader)
    {
        return UnsafeApi.getInt(keyHeader + PutRequestDecoder.keyHeaderLength() + keyLength(keyHeader));
    }

    /** The key of the put whose key's length is at an address, in printable form. */
    static String joinedKeyText(final long keyHeader)
    {
        return KeyText.of(keyHeader + PutRequestDecoder.keyHeaderLength(), keyLength(keyHeader));
    }

    /** As {@link #put}, with terms. */
    int put(
        final int slot,
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        qualifiedPut.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .tableId(terms.tableId())
            .expectedVersion(terms.version())
            .expiry(terms.expiry())
            .condition(terms.condition())
            .expiryKind(terms.expiryKind())
            .putKey(key, 0, keyLength);
        return putValue(qualifiedPut.limit(), base, offset, valueLength);
    }

    /** Appends a value; returns the length of the message. */
    private int putValue(final int limit, final Object base, final long offset, final int valueLength)
    {
        final int valueStart = limit + PutRequestEncoder.valueHeaderLength();
        request.boundsCheck(valueStart, valueLength);
        request.putInt(limit, valueLength, LITTLE_ENDIAN);
        UnsafeApi.copyMemory(base, offset, null, request.addressOffset() + valueStart, valueLength);
        return valueStart + valueLength;
    }

    /** Encodes a put whose value the server pulls from a buffer. */
    int putLarge(
        final int slot, final DirectBuffer key, final int keyLength, final RegisteredBuffer value, final int length)
    {
        putLargeRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .valueAddress(value.addressOf(0, length))
            .valueLength(length)
            .valueKey(value.remoteKey() & 0xFFFF_FFFFL)
            .putKey(key, 0, keyLength);
        return putLargeRequest.limit();
    }

    /** As {@link #putLarge}, with terms. */
    int putLarge(
        final int slot,
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyLength,
        final RegisteredBuffer value,
        final int length)
    {
        qualifiedPutLarge.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .valueAddress(value.addressOf(0, length))
            .valueLength(length)
            .valueKey(value.remoteKey() & 0xFFFF_FFFFL)
            .tableId(terms.tableId())
            .expectedVersion(terms.version())
            .expiry(terms.expiry())
            .condition(terms.condition())
            .expiryKind(terms.expiryKind())
            .putKey(key, 0, keyLength);
        return qualifiedPutLarge.limit();
    }

    /** As {@link #delete}, under a condition. */
    int delete(final int slot, final WriteTerms terms, final DirectBuffer key, final int keyLength)
    {
        conditionalDelete.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .tableId(terms.tableId())
            .expectedVersion(terms.version())
            .condition(terms.condition())
            .putKey(key, 0, keyLength);
        return conditionalDelete.limit();
    }

    int delete(final int slot, final DirectBuffer key, final int keyLength)
    {
        deleteRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .putKey(key, 0, keyLength);
        return deleteRequest.limit();
    }

    int increment(
        final int slot,
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyLength,
        final long delta,
        final long initial)
    {
        incrementRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .delta(delta)
            .initial(initial)
            .expiry(terms.expiry())
            .expiryKind(terms.expiryKind())
            .putKey(key, 0, keyLength);
        return incrementRequest.limit();
    }

    /** Encodes an append of bytes, which are given as those of {@link #put}. */
    int append(
        final int slot,
        final WriteTerms terms,
        final DirectBuffer key,
        final int keyLength,
        final Object base,
        final long offset,
        final int valueLength)
    {
        appendRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .expiry(terms.expiry())
            .expiryKind(terms.expiryKind())
            .putKey(key, 0, keyLength);
        return putValue(appendRequest.limit(), base, offset, valueLength);
    }

    int touch(final int slot, final WriteTerms terms, final DirectBuffer key, final int keyLength)
    {
        touchRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .expiry(terms.expiry())
            .expiryKind(terms.expiryKind())
            .putKey(key, 0, keyLength);
        return touchRequest.limit();
    }

    int ttl(final int slot, final DirectBuffer key, final int keyLength)
    {
        ttlRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .putKey(key, 0, keyLength);
        return ttlRequest.limit();
    }

    int get(final int slot, final DirectBuffer key, final int keyLength)
    {
        getRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .putKey(key, 0, keyLength);
        return getRequest.limit();
    }

    int statistics(final int slot)
    {
        statRequest.wrapAndApplyHeader(wrap(slot), 0, header).requestId(nextId(slot));
        return statRequest.limit();
    }

    int lease(final int slot)
    {
        leaseRequest.wrapAndApplyHeader(wrap(slot), 0, header).requestId(nextId(slot));
        return leaseRequest.limit();
    }

    int snapshot(final int slot)
    {
        snapshotRequest.wrapAndApplyHeader(wrap(slot), 0, header).requestId(nextId(slot));
        return snapshotRequest.limit();
    }

    int release(final int slot, final long extent)
    {
        releaseRequest.wrapAndApplyHeader(wrap(slot), 0, header)
            .requestId(nextId(slot))
            .extent(extent);
        return releaseRequest.limit();
    }

    /** Whether the write whose message begins at an address is a delete, and not a put. */
    static boolean isDelete(final long message)
    {
        final int templateId = templateId(message);
        return templateId == DeleteRequestDecoder.TEMPLATE_ID ||
            templateId == ConditionalDeleteRequestEncoder.TEMPLATE_ID;
    }

    /** Whether the write whose message begins at an address has a condition. */
    static boolean isConditional(final long message)
    {
        return switch (templateId(message))
        {
            case ConditionalDeleteRequestEncoder.TEMPLATE_ID -> true;
            case QualifiedPutRequestEncoder.TEMPLATE_ID ->
                hasCondition(message, QualifiedPutRequestEncoder.conditionEncodingOffset());
            case QualifiedPutLargeRequestEncoder.TEMPLATE_ID ->
                hasCondition(message, QualifiedPutLargeRequestEncoder.conditionEncodingOffset());
            default -> false;
        };
    }

    private static boolean hasCondition(final long message, final int offset)
    {
        return UnsafeApi.getByte(message + MessageHeaderDecoder.ENCODED_LENGTH + offset) != ConditionKind.NONE.value();
    }

    /** Whether the write whose message begins at an address changes the time of its key only. */
    static boolean isTouch(final long message)
    {
        return templateId(message) == TouchRequestEncoder.TEMPLATE_ID;
    }

    /** Whether the write whose message begins at an address is one whose value the server computes. */
    static boolean isComputed(final long message)
    {
        final int templateId = templateId(message);
        return templateId == IncrementRequestEncoder.TEMPLATE_ID || templateId == AppendRequestEncoder.TEMPLATE_ID;
    }

    /** Whether the write whose message begins at an address may have this result. */
    static boolean mayResult(final long message, final long result)
    {
        return templateId(message) != AppendRequestEncoder.TEMPLATE_ID ||
            result >= 0 && result <= AppendLimits.MAX_VALUE_LENGTH;
    }

    /** Name of the operation that the write whose message begins at an address belongs to. */
    static String operation(final long message)
    {
        return switch (templateId(message))
        {
            case DeleteRequestDecoder.TEMPLATE_ID, ConditionalDeleteRequestEncoder.TEMPLATE_ID -> Operation.DELETE;
            case IncrementRequestEncoder.TEMPLATE_ID -> Operation.INCREMENT;
            case AppendRequestEncoder.TEMPLATE_ID -> Operation.APPEND;
            case TouchRequestEncoder.TEMPLATE_ID -> Operation.TOUCH;
            default -> Operation.PUT;
        };
    }

    /**
     * What came of the write whose message begins at an address.
     *
     * @param wasPresent whether a delete or touch found its key; true for other writes.
     * @return one of {@link Outcomes}.
     */
    static byte outcome(final long message, final boolean wasPresent)
    {
        return switch (templateId(message))
        {
            case DeleteRequestDecoder.TEMPLATE_ID, ConditionalDeleteRequestEncoder.TEMPLATE_ID ->
                wasPresent ? Outcomes.DELETED : Outcomes.ABSENT;
            case IncrementRequestEncoder.TEMPLATE_ID -> Outcomes.INCREMENTED;
            case AppendRequestEncoder.TEMPLATE_ID -> Outcomes.APPENDED;
            case TouchRequestEncoder.TEMPLATE_ID -> wasPresent ? Outcomes.TOUCHED : Outcomes.UNTOUCHED;
            default -> Outcomes.PUT;
        };
    }

    /** The key of the write whose message begins at an address, in printable form. */
    static String keyText(final long message)
    {
        return joinedKeyText(keyHeader(message));
    }

    /** Length of a put's or append's value; 0 for an increment or touch, which has none. */
    static int valueLength(final long message)
    {
        final int templateId = templateId(message);
        if (templateId == IncrementRequestEncoder.TEMPLATE_ID || templateId == TouchRequestEncoder.TEMPLATE_ID)
        {
            return 0;
        }
        if (templateId == PutLargeRequestDecoder.TEMPLATE_ID ||
            templateId == QualifiedPutLargeRequestEncoder.TEMPLATE_ID)
        {
            return UnsafeApi.getInt(
                message + MessageHeaderDecoder.ENCODED_LENGTH + PutLargeRequestDecoder.valueLengthEncodingOffset());
        }
        return joinedValueLength(keyHeader(message));
    }

    /** Address of the key's length, which follows the block in all writes. */
    static long keyHeader(final long message)
    {
        return message + MessageHeaderDecoder.ENCODED_LENGTH +
            (UnsafeApi.getShort(message + MessageHeaderDecoder.blockLengthEncodingOffset()) & 0xFFFF);
    }

    private static int keyLength(final long keyHeader)
    {
        return UnsafeApi.getShort(keyHeader) & 0xFFFF;
    }

    private static int templateId(final long message)
    {
        return UnsafeApi.getShort(message + MessageHeaderDecoder.templateIdEncodingOffset()) & 0xFFFF;
    }

    private UnsafeBuffer wrap(final int slot)
    {
        request.wrap(slots.messages().address(slot), slots.messages().messageLength());
        return request;
    }

    private long nextId(final int slot)
    {
        return slots.nextId(slots.shardOf(slot));
    }
}

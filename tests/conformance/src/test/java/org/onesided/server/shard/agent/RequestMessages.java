package org.onesided.server.shard.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.BatchMessages;
import org.onesided.protocol.rpc.codec.AppendRequestEncoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ConditionalDeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.DeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.GetRequestEncoder;
import org.onesided.protocol.rpc.codec.IncrementRequestEncoder;
import org.onesided.protocol.rpc.codec.LeaseRequestEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutRequestEncoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestEncoder;
import org.onesided.protocol.rpc.codec.SnapshotRequestEncoder;
import org.onesided.protocol.rpc.codec.StatRequestEncoder;
import org.onesided.protocol.rpc.codec.TouchRequestEncoder;
import org.onesided.protocol.rpc.codec.TtlRequestEncoder;

/** Encodes requests for {@link RequestsTarget}. */
final class RequestMessages
{
    private static final int MESSAGE_LENGTH = RequestsTarget.MESSAGE_LENGTH;
    private static final long TABLE_ID = RequestsTarget.SUPERBLOCK.tableId();

    private RequestMessages()
    {
    }

    static byte[] join(final byte[]... messages)
    {
        final ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (final byte[] message : messages)
        {
            joined.write(message.length);
            joined.write(message.length >> 8);
            joined.writeBytes(message);
        }
        return joined.toByteArray();
    }

    private static UnsafeBuffer buffer()
    {
        return new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    }

    private static byte[] bytes(final UnsafeBuffer buffer, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    static byte[] put(final long id, final String key, final byte[] value)
    {
        final UnsafeBuffer buffer = buffer();
        Arrays.fill(value, (byte)'v');
        return bytes(buffer, new PutRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).putKey(key.getBytes(US_ASCII), 0, key.length()).putValue(value, 0, value.length).limit());
    }

    /** @param lengths of the values, one for each key. */
    static byte[] putBatch(final long id, final int[] lengths, final String... keys)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8192]);
        return bytes(buffer, BatchMessages.encode(buffer, id, lengths, keys));
    }

    static byte[] putLarge(final long id, final String key, final int length)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new PutLargeRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).valueAddress(0).valueLength(length).valueKey(RequestsTarget.OWN_KEY)
            .putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }

    static byte[] putIf(
        final long id, final ConditionKind condition, final long version, final String key, final int length)
    {
        final UnsafeBuffer buffer = buffer();
        final byte[] value = new byte[length];
        Arrays.fill(value, (byte)'v');
        return bytes(buffer, new QualifiedPutRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).tableId(TABLE_ID).expectedVersion(version).condition(condition)
            .expiry(0).expiryKind(ExpiryKind.KEEP)
            .putKey(key.getBytes(US_ASCII), 0, key.length())
            .putValue(value, 0, value.length).limit());
    }

    static byte[] putLargeIf(
        final long id, final ConditionKind condition, final String key, final int length)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new QualifiedPutLargeRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).valueAddress(0).valueLength(length).valueKey(RequestsTarget.OWN_KEY)
            .tableId(TABLE_ID).expectedVersion(0).condition(condition)
            .expiry(0).expiryKind(ExpiryKind.KEEP).putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }

    static byte[] deleteIf(final long id, final ConditionKind condition, final String key)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new ConditionalDeleteRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).tableId(TABLE_ID).expectedVersion(1L << 48 | 101).condition(condition)
            .putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }

    static byte[] increment(final long id, final String key, final long delta, final long initial)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new IncrementRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).delta(delta).initial(initial).expiry(0).expiryKind(ExpiryKind.KEEP)
            .putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }

    static byte[] append(final long id, final String key, final int length)
    {
        final UnsafeBuffer buffer = buffer();
        final byte[] value = new byte[length];
        Arrays.fill(value, (byte)'v');
        return bytes(buffer, new AppendRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).expiry(0).expiryKind(ExpiryKind.KEEP).putKey(key.getBytes(US_ASCII), 0, key.length())
            .putValue(value, 0, length).limit());
    }

    static byte[] get(final long id, final String key)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new GetRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }

    static byte[] delete(final long id, final String key)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new DeleteRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }

    static byte[] stat(final long id)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new StatRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).limit());
    }

    static byte[] snapshot(final long id)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new SnapshotRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).limit());
    }

    static byte[] lease(final long id)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new LeaseRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).limit());
    }

    static byte[] release(final long id, final long extent)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new ReleaseRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).extent(extent).limit());
    }

    static byte[] put(
        final long id, final String key, final int length, final ExpiryKind kind, final long expiry)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new QualifiedPutRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).tableId(0).expectedVersion(0).condition(ConditionKind.NONE).expiry(expiry).expiryKind(kind)
            .putKey(key.getBytes(US_ASCII), 0, key.length()).putValue(new byte[length], 0, length).limit());
    }

    static byte[] putLarge(
        final long id, final String key, final int length, final ExpiryKind kind, final long expiry)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new QualifiedPutLargeRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).valueAddress(0).valueLength(length).valueKey(RequestsTarget.OWN_KEY)
            .tableId(0).expectedVersion(0).condition(ConditionKind.NONE).expiry(expiry).expiryKind(kind)
            .putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }

    static byte[] touch(final long id, final String key, final ExpiryKind kind, final long expiry)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new TouchRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).expiry(expiry).expiryKind(kind).putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }

    static byte[] ttl(final long id, final String key)
    {
        final UnsafeBuffer buffer = buffer();
        return bytes(buffer, new TtlRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .requestId(id).putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
    }
}

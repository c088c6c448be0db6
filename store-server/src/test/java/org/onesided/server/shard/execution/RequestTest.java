package org.onesided.server.shard.execution;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.ExpiryLimits;
import org.onesided.protocol.rpc.codec.AppendRequestEncoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ConditionalDeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.DeleteRequestEncoder;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.GetRequestEncoder;
import org.onesided.protocol.rpc.codec.IncrementRequestEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutRequestEncoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestEncoder;
import org.onesided.protocol.rpc.codec.StatRequestEncoder;
import org.onesided.protocol.rpc.codec.TouchRequestEncoder;
import org.onesided.protocol.rpc.codec.TtlRequestEncoder;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.shard.RequestKind;

class RequestTest
{
    private static final byte[] KEY = "key".getBytes(US_ASCII);
    private static final byte[] VALUE = "value".getBytes(US_ASCII);

    /** Kinds of messages; those from 8 on have conditions. */
    private static final int CONDITIONAL = 10;
    private static final int MESSAGES = 13;

    private static final KeyHash HASH = new KeyHash(1);

    private final ByteBuffer memory = BufferUtil.allocateDirectAligned(1024, 64);
    private final UnsafeBuffer buffer = new UnsafeBuffer(memory);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final Request request = new Request(HASH);

    @Test
    void shouldReadAPut()
    {
        assertTrue(wrap(put()));
        assertEquals(PutRequestEncoder.TEMPLATE_ID, request.templateId());
        assertEquals(7, request.requestId());
        assertEquals("key", text(request.key(), request.keyLength()));
        assertEquals("value", text(request.value(), request.valueLength()));
    }

    @Test
    void shouldReadALargePut()
    {
        assertTrue(wrap(putLarge()));
        assertEquals(0x1234_5678_9ABCL, request.block().remoteAddress());
        assertEquals(0xFFFF_FFFFL, request.block().largeValueLength());
        assertEquals(-2, request.block().remoteKey());
        assertEquals("key", text(request.key(), request.keyLength()));
    }

    @Test
    void shouldReadAQualifiedPut()
    {
        assertTrue(wrap(qualifiedPut()));
        assertTrue(request.block().isConditional());
        assertFalse(request.isPull());
        assertEquals(7, request.requestId());
        assertEquals("key", text(request.key(), request.keyLength()));
        assertEquals("value", text(request.value(), request.valueLength()));
        assertHoldsForVersionNineOfTableEight();
    }

    @Test
    void shouldReadAConditionalLargePut()
    {
        assertTrue(wrap(qualifiedPutLarge()));
        assertTrue(request.block().isConditional());
        assertTrue(request.isPull());
        assertEquals(0x1234_5678_9ABCL, request.block().remoteAddress());
        assertEquals(0xFFFF_FFFFL, request.block().largeValueLength());
        assertEquals(-2, request.block().remoteKey());
        assertEquals("key", text(request.key(), request.keyLength()));
        assertHoldsForVersionNineOfTableEight();
    }

    @Test
    void shouldReadAConditionalDelete()
    {
        assertTrue(wrap(conditionalDelete()));
        assertTrue(request.block().isConditional());
        assertFalse(request.isPull());
        assertEquals("key", text(request.key(), request.keyLength()));
        assertHoldsForVersionNineOfTableEight();
    }

    @Test
    void shouldTakeNoUnconditionalRequestForAConditionalOne()
    {
        for (int i = 0; i < CONDITIONAL; i++)
        {
            assertTrue(wrap(encode(i)));
            assertFalse(request.block().isConditional(), "message=" + i);
            final Condition condition = new Condition();
            condition.set(ConditionKind.ABSENT.value(), 0, 0);
            request.block().condition(condition);
            assertFalse(condition.exists(), "message=" + i);
        }
    }

    @Test
    void shouldRefuseAConditionThatItDoesNotKnow()
    {
        for (int kind = 0; kind < 256; kind++)
        {
            final boolean isKnown = kind >= ConditionKind.NONE.value() && kind <= ConditionKind.VERSION.value();
            for (int message = CONDITIONAL; message < MESSAGES; message++)
            {
                final int length = encode(message);
                buffer.putByte(MessageHeaderEncoder.ENCODED_LENGTH + conditionOffset(message), (byte)kind);
                assertEquals(isKnown, wrap(length), "message=" + message + " kind=" + kind);
            }
        }
    }

    private static int conditionOffset(final int message)
    {
        return message == CONDITIONAL ? QualifiedPutRequestEncoder.conditionEncodingOffset() :
            message == CONDITIONAL + 1 ? QualifiedPutLargeRequestEncoder.conditionEncodingOffset() :
            ConditionalDeleteRequestEncoder.conditionEncodingOffset();
    }

    @Test
    void shouldReadWhatAWriteMakesOfItsKeysTime()
    {
        for (final ExpiryKind kind : List.of(ExpiryKind.DEFAULT, ExpiryKind.KEEP, ExpiryKind.NEVER))
        {
            assertTrue(wrap(put(kind, 0)));
            assertEquals(kind.value(), request.block().expiryKind());
            assertFalse(request.block().isConditional());
        }
        assertTrue(wrap(put(ExpiryKind.AFTER, 1500)));
        assertEquals(ExpiryKind.AFTER.value(), request.block().expiryKind());
        assertEquals(1500, request.block().expiry());
        assertTrue(wrap(touch(ExpiryKind.AT, 77)));
        assertEquals(RequestKind.TOUCH, request.kind());
        assertEquals(77, request.block().expiry());
        assertEquals("key", text(request.key(), request.keyLength()));
        assertTrue(wrap(ttl()));
        assertEquals(RequestKind.TTL, request.kind());
    }

    @Test
    void shouldRefuseTimesOutOfRange()
    {
        for (final long expiry : new long[]{0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            assertFalse(wrap(put(ExpiryKind.AFTER, expiry)));
            assertFalse(wrap(put(ExpiryKind.AT, expiry)));
            assertFalse(wrap(touch(ExpiryKind.AFTER, expiry)));
        }
        assertTrue(wrap(put(ExpiryKind.AFTER, ExpiryLimits.MAX_TTL_MS)));
        assertFalse(wrap(put(ExpiryKind.AFTER, ExpiryLimits.MAX_TTL_MS + 1)));
        assertTrue(wrap(put(ExpiryKind.AT, ExpiryLimits.MAX_TIME_MS)));
        assertFalse(wrap(touch(ExpiryKind.KEEP, 0)));
        assertFalse(wrap(touch(ExpiryKind.DEFAULT, 0)));
        final int length = put(ExpiryKind.AFTER, 1);
        for (int kind = 5; kind < 256; kind++)
        {
            buffer.putByte(MessageHeaderEncoder.ENCODED_LENGTH +
                QualifiedPutRequestEncoder.expiryKindEncodingOffset(), (byte)kind);
            assertFalse(wrap(length));
        }
    }

    private void assertHoldsForVersionNineOfTableEight()
    {
        final Condition condition = new Condition();
        request.block().condition(condition);
        assertTrue(condition.exists());
        assertTrue(condition.holds(8, 9));
        assertFalse(condition.holds(8, 10));
        assertFalse(condition.holds(7, 9));
        assertFalse(condition.holds(8, 0));
    }

    @Test
    void shouldReadAnIncrement()
    {
        assertTrue(wrap(increment()));
        assertEquals(RequestKind.INCREMENT, request.kind());
        assertTrue(request.isComputed());
        assertEquals(7, request.requestId());
        assertEquals(-5, request.block().delta());
        assertEquals(Long.MIN_VALUE, request.block().initial());
        assertEquals("key", text(request.key(), request.keyLength()));
    }

    @Test
    void shouldReadAnAppend()
    {
        assertTrue(wrap(append()));
        assertEquals(RequestKind.APPEND, request.kind());
        assertTrue(request.isComputed());
        assertEquals(7, request.requestId());
        assertEquals("key", text(request.key(), request.keyLength()));
        assertEquals("value", text(request.value(), request.valueLength()));
    }

    @Test
    void shouldTellTheKindOfEveryRequest()
    {
        final List<RequestKind> kinds = List.of(
            RequestKind.PUT, RequestKind.PUT_LARGE, RequestKind.GET, RequestKind.DELETE, RequestKind.STAT,
            RequestKind.RELEASE, RequestKind.INCREMENT, RequestKind.APPEND, RequestKind.TOUCH, RequestKind.TTL,
            RequestKind.PUT, RequestKind.PUT_LARGE, RequestKind.DELETE);
        for (int i = 0; i < MESSAGES; i++)
        {
            assertTrue(wrap(encode(i)));
            assertEquals(kinds.get(i), request.kind(), "message=" + i);
            assertEquals(kinds.get(i) == RequestKind.PUT_LARGE, request.isPull(), "message=" + i);
        }
    }

    @Test
    void shouldReadARelease()
    {
        assertTrue(wrap(release()));
        assertFalse(request.hasKey());
        assertEquals(4096, request.block().extent());
    }

    @Test
    void shouldRefuseEveryTruncationAndEveryExtension()
    {
        for (int i = 0; i < MESSAGES; i++)
        {
            final int length = encode(i);
            for (int cut = 0; cut < length; cut++)
            {
                assertFalse(wrap(cut), "message=" + i + " length=" + cut);
            }
            assertFalse(wrap(length + 1), "message=" + i);
            assertTrue(wrap(length), "message=" + i);
        }
    }

    @Test
    void shouldNeverPointBeyondTheMessageWhateverItSays()
    {
        final Random random = new Random(42);
        for (int round = 0; round < 100_000; round++)
        {
            final int length = encode(random.nextInt(MESSAGES));
            for (int i = random.nextInt(4); i >= 0; i--)
            {
                buffer.putByte(random.nextInt(length), (byte)random.nextInt());
            }
            if (wrap(length) && request.hasKey())
            {
                final long start = buffer.addressOffset();
                assertTrue(request.key() >= start && request.key() + request.keyLength() <= start + length);
                if (request.templateId() == PutRequestEncoder.TEMPLATE_ID ||
                    request.templateId() == QualifiedPutRequestEncoder.TEMPLATE_ID ||
                    request.templateId() == AppendRequestEncoder.TEMPLATE_ID)
                {
                    assertTrue(request.valueLength() >= 0);
                    assertTrue(request.value() >= start && request.value() + request.valueLength() <= start + length);
                }
            }
        }
    }

    @Test
    void shouldHashAValidKeyOnly()
    {
        final int keyAt = MessageHeaderEncoder.ENCODED_LENGTH + GetRequestEncoder.BLOCK_LENGTH;
        assertTrue(wrap(get()));
        assertEquals(HASH.hash(request.key(), KEY.length), request.keyHash());
        assertTrue(wrap(stat()));
        assertEquals(0, request.keyHash());
        final int whole = get();
        assertFalse(wrap(whole - 1));
        assertEquals(0, request.keyHash());
        get();
        buffer.putShort(keyAt, (short)0);
        assertTrue(wrap(keyAt + Short.BYTES));
        assertTrue(request.hasKey());
        assertFalse(request.hasValidKey());
        assertEquals(0, request.keyHash());
    }

    @Test
    void shouldKeepACopyAsItWasDecoded()
    {
        request.decode(3, buffer.addressOffset(), put(), 99);
        final long keyHash = request.keyHash();
        final Request copy = new Request();
        copy.copy(request);
        // Were the message read again, it would be none.
        buffer.setMemory(0, MessageHeaderEncoder.ENCODED_LENGTH, (byte)0);
        request.clear();
        assertFalse(request.isOf(3));
        assertTrue(copy.isOf(3));
        assertTrue(copy.isWhole());
        assertEquals(99, copy.arrivedNs());
        assertEquals(keyHash, copy.keyHash());
        assertEquals(7, copy.requestId());
        assertEquals(PutRequestEncoder.TEMPLATE_ID, copy.templateId());
        assertEquals("key", text(copy.key(), copy.keyLength()));
        assertEquals("value", text(copy.value(), copy.valueLength()));
    }

    private int encode(final int message)
    {
        return switch (message)
        {
            case 0 -> put();
            case 1 -> putLarge();
            case 2 -> get();
            case 3 -> delete();
            case 4 -> stat();
            case 5 -> release();
            case 6 -> increment();
            case 7 -> append();
            case 8 -> touch(ExpiryKind.NEVER, 0);
            case 9 -> ttl();
            case 10 -> qualifiedPut();
            case 11 -> qualifiedPutLarge();
            default -> conditionalDelete();
        };
    }

    private int put()
    {
        return length((encoder) -> new PutRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).putKey(KEY, 0, KEY.length).putValue(VALUE, 0, VALUE.length).limit());
    }

    private int putLarge()
    {
        return length((encoder) -> new PutLargeRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).valueAddress(0x1234_5678_9ABCL).valueLength(0xFFFF_FFFFL).valueKey(0xFFFF_FFFEL)
            .putKey(KEY, 0, KEY.length).limit());
    }

    private int get()
    {
        return length((encoder) -> new GetRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).putKey(KEY, 0, KEY.length).limit());
    }

    private int delete()
    {
        return length((encoder) -> new DeleteRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).putKey(KEY, 0, KEY.length).limit());
    }

    private int stat()
    {
        return length((encoder) -> new StatRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).limit());
    }

    private int release()
    {
        return length((encoder) -> new ReleaseRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).extent(4096).limit());
    }

    private int put(final ExpiryKind kind, final long expiry)
    {
        return length((encoder) -> new QualifiedPutRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).tableId(0).expectedVersion(0).condition(ConditionKind.NONE).expiry(expiry).expiryKind(kind)
            .putKey(KEY, 0, KEY.length).putValue(VALUE, 0, VALUE.length).limit());
    }

    private int touch(final ExpiryKind kind, final long expiry)
    {
        return length((encoder) -> new TouchRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).expiry(expiry).expiryKind(kind).putKey(KEY, 0, KEY.length).limit());
    }

    private int ttl()
    {
        return length((encoder) -> new TtlRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).putKey(KEY, 0, KEY.length).limit());
    }

    private int increment()
    {
        return length((encoder) -> new IncrementRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).delta(-5).initial(Long.MIN_VALUE).expiry(0).expiryKind(ExpiryKind.KEEP)
            .putKey(KEY, 0, KEY.length).limit());
    }

    private int append()
    {
        return length((encoder) -> new AppendRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).expiry(0).expiryKind(ExpiryKind.KEEP)
            .putKey(KEY, 0, KEY.length).putValue(VALUE, 0, VALUE.length).limit());
    }

    private int qualifiedPut()
    {
        return length((encoder) -> new QualifiedPutRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).tableId(8).expectedVersion(9).condition(ConditionKind.VERSION)
            .expiry(0).expiryKind(ExpiryKind.KEEP).putKey(KEY, 0, KEY.length).putValue(VALUE, 0, VALUE.length).limit());
    }

    private int qualifiedPutLarge()
    {
        return length((encoder) -> new QualifiedPutLargeRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).valueAddress(0x1234_5678_9ABCL).valueLength(0xFFFF_FFFFL).valueKey(0xFFFF_FFFEL)
            .tableId(8).expectedVersion(9).condition(ConditionKind.VERSION)
            .expiry(0).expiryKind(ExpiryKind.KEEP).putKey(KEY, 0, KEY.length).limit());
    }

    private int conditionalDelete()
    {
        return length((encoder) -> new ConditionalDeleteRequestEncoder().wrapAndApplyHeader(buffer, 0, encoder)
            .requestId(7).tableId(8).expectedVersion(9).condition(ConditionKind.VERSION)
            .putKey(KEY, 0, KEY.length).limit());
    }

    private int length(final ToIntFunction<MessageHeaderEncoder> encode)
    {
        return encode.applyAsInt(header);
    }

    private boolean wrap(final int length)
    {
        return request.wrap(buffer.addressOffset(), length);
    }

    private static String text(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return new String(bytes, US_ASCII);
    }
}

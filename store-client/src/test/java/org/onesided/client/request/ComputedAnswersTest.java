package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.TestMemory;
import org.onesided.protocol.rpc.codec.AppendRequestDecoder;
import org.onesided.protocol.rpc.codec.ComputedAnswerEncoder;
import org.onesided.protocol.rpc.codec.IncrementRequestDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.Status;

/**
 * Increments and appends, and which answers to them are taken.
 */
class ComputedAnswersTest
{
    private final WiredRpc parts = new WiredRpc(2, 8192);

    @AfterEach
    void free()
    {
        parts.close();
    }

    @Test
    void shouldSendAnIncrementAndTakeItsNumber()
    {
        answerBy(computed(Status.OK, -42));
        increment();
        parts.rpc.awaitWrite();
        assertEquals(List.of(-42L), parts.results);
        final IncrementRequestDecoder request = new IncrementRequestDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(parts.wire.sent.get(0)), 0, new MessageHeaderDecoder());
        assertEquals(-5, request.delta());
        assertEquals(Long.MAX_VALUE, request.initial());
        final byte[] key = new byte[3];
        request.getKey(key, 0, 3);
        assertArrayEquals(TestMemory.bytes("key"), key);
    }

    @Test
    void shouldSendAnAppendAndTakeTheLength()
    {
        answerBy(computed(Status.OK, 65_536));
        append();
        parts.rpc.awaitWrite();
        assertEquals(List.of(65_536L), parts.results);
        final AppendRequestDecoder request = new AppendRequestDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(parts.wire.sent.get(0)), 0, new MessageHeaderDecoder());
        request.skipKey();
        final byte[] value = new byte[4];
        assertEquals(4, request.getValue(value, 0, 4));
        assertArrayEquals(TestMemory.bytes("more"), value);
    }

    @ParameterizedTest
    @EnumSource(
        value = Status.class,
        names = {"NOT_A_NUMBER", "OUT_OF_BOUNDS", "VALUE_TOO_LONG", "STORE_FULL", "STORAGE_FAILED"})
    void shouldTakeARefusalWithoutAResult(final Status status)
    {
        answerBy(WriteAnswers.of(1, status, 0, 0, 0, 0));
        increment();
        parts.rpc.awaitWrite();
        assertEquals(List.of(0L), parts.results);
    }

    @Test
    void shouldNotTakeSuccessWithoutAResult()
    {
        assertNotTaken(WriteAnswers.of(1, Status.OK, 1, 2, 3, 4));
    }

    @Test
    void shouldNotTakeAResultWithoutSuccess()
    {
        assertNotTaken(computed(Status.NOT_A_NUMBER, 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 42, 49})
    void shouldNotTakeAnAnswerThatIsCutShort(final int length)
    {
        assertNotTaken(Arrays.copyOf(computed(Status.OK, 5), length));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 65_537, 1L << 32})
    void shouldNotTakeALengthThatNoAppendMakes(final long length)
    {
        answerBy(computed(Status.OK, length));
        append();
        assertThrows(AttachmentLostException.class, parts.rpc::awaitWrite);
        assertEquals(List.of(), parts.answered);
    }

    private void assertNotTaken(final byte[] answer)
    {
        answerBy(answer);
        increment();
        assertThrows(AttachmentLostException.class, parts.rpc::awaitWrite);
        assertTrue(parts.rpc.isOutstanding());
        assertEquals(List.of(), parts.answered);
    }

    @Test
    void shouldNotTakeAResultForAWriteThatHasNone()
    {
        answerBy(computed(Status.OK, 5));
        final int slot = parts.rpc.makeRoom(0);
        parts.rpc.stageDelete(slot, parts.key, 3);
        parts.rpc.postAwaited(slot);
        assertThrows(AttachmentLostException.class, parts.rpc::awaitWrite);
        assertEquals(List.of(), parts.answered);
    }

    private void answerBy(final byte[] answer)
    {
        parts.wire.onSend(() -> parts.wire.answer(answer));
    }

    private void increment()
    {
        final int slot = parts.rpc.makeRoom(0);
        parts.rpc.stage(
            slot, parts.rpc.codec().increment(slot, WriteTerms.KEEP, parts.key, 3, -5, Long.MAX_VALUE));
        parts.rpc.postAwaited(slot);
    }

    private void append()
    {
        final int slot = parts.rpc.makeRoom(0);
        parts.rpc.stage(slot, parts.rpc.codec().append(
            slot, WriteTerms.KEEP, parts.key, 3, TestMemory.bytes("more"), BufferUtil.ARRAY_BASE_OFFSET, 4));
        parts.rpc.postAwaited(slot);
    }

    private static byte[] computed(final Status status, final long result)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        final int length = new ComputedAnswerEncoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(1).slotWord(1).version(2).bucketOffset(3).slotIndex((short)4).status(status).result(result)
            .limit();
        return Arrays.copyOf(message.byteArray(), length);
    }
}

package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.Deadline;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.TestMemory;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.GetAnswerEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutRequestDecoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerEncoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;

class RpcTest
{
    private static final int CREDITS = 2;
    private static final int MESSAGE_LENGTH = 8192;
    private static final long EXTENT = 4096;

    private final WiredRpc parts = new WiredRpc(CREDITS, MESSAGE_LENGTH);
    private final FakeWire wire = parts.wire;
    private final Deadline deadline = parts.deadline;
    private final CompletionLoop loop = parts.loop;
    private final RequestSlots slots = parts.slots;
    private final List<Long> answered = parts.answered;
    private final Rpc rpc = parts.rpc;
    private final UnsafeBuffer key = parts.key;

    @AfterEach
    void free()
    {
        parts.close();
    }

    private void put(final String value)
    {
        final byte[] bytes = TestMemory.bytes(value);
        final int slot = rpc.makeRoom(0);
        rpc.stagePut(slot, key, 3, bytes, BufferUtil.ARRAY_BASE_OFFSET, bytes.length);
        rpc.postAwaited(slot);
    }

    /** Waits for the answer to the put, and tells its id. */
    private long awaitWrite()
    {
        rpc.awaitWrite();
        return answered.get(answered.size() - 1);
    }

    private static byte[] writeAnswer(final long requestId)
    {
        return WriteAnswers.of(requestId, Status.OK, 1, 2, 3, 4);
    }

    private static byte[] releaseAnswer(final long requestId)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        final int length = new ReleaseAnswerEncoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(requestId)
            .status(Status.OK)
            .limit();
        return Arrays.copyOf(message.byteArray(), length);
    }

    private static byte[] getAnswer(final long requestId, final int statedLength)
    {
        return getAnswer(requestId, statedLength, 0);
    }

    private static byte[] getAnswer(final long requestId, final int statedLength, final long extent)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        final GetAnswerEncoder encoder = new GetAnswerEncoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(requestId)
            .version(2)
            .extent(extent)
            .wholeLength(5)
            .status(Status.OK);
        final int lengthAt = encoder.limit();
        encoder.putValue(TestMemory.bytes("value"), 0, 5);
        message.putInt(lengthAt, statedLength);
        return Arrays.copyOf(message.byteArray(), encoder.limit());
    }

    @Test
    void shouldSendAPutAndTakeItsAnswer()
    {
        wire.onSend(() -> wire.answer(writeAnswer(1)));
        put("value");
        assertTrue(rpc.isOutstanding());
        assertEquals(1, awaitWrite());
        assertFalse(rpc.isOutstanding());

        final PutRequestDecoder request = new PutRequestDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(wire.sent.get(0)), 0, new MessageHeaderDecoder());
        assertEquals(1, request.requestId());
        final byte[] sentKey = new byte[3];
        request.getKey(sentKey, 0, 3);
        assertArrayEquals(TestMemory.bytes("key"), sentKey);
        assertEquals(5, request.valueLength());
    }

    @Test
    void shouldGiveTheReceiveBackOnceTheAnswerWasRead()
    {
        wire.onSend(() -> wire.answer(getAnswer(1, 5)));
        rpc.get(0, key, 3);
        rpc.awaitGet();
        assertEquals(CREDITS - 1, wire.postedReceives());
        rpc.releaseAnswer();
        assertEquals(CREDITS, wire.postedReceives());
        rpc.releaseAnswer();
        assertEquals(CREDITS, wire.postedReceives());
    }

    @Test
    void shouldFillAMessageToItsEndAndNotBeyond()
    {
        final int longest = RequestCodec.maxInlineValue(MESSAGE_LENGTH, 3);
        wire.onSend(() -> wire.answer(writeAnswer(1)));
        put("x".repeat(longest));
        rpc.awaitWrite();
        assertEquals(MESSAGE_LENGTH, wire.sent.get(0).length);

        assertThrows(IndexOutOfBoundsException.class, () -> put("x".repeat(longest + 1)));
    }

    @Test
    void shouldNotTakeTheAnswerToAnotherRequest()
    {
        wire.onSend(() -> wire.answer(writeAnswer(31)));
        put("value");
        final AttachmentLostException thrown = assertThrows(AttachmentLostException.class, rpc::awaitWrite);

        assertTrue(thrown.getMessage().contains("another request"), thrown.getMessage());
        assertTrue(rpc.isOutstanding());
    }

    @Test
    void shouldNotTakeASecondAnswer()
    {
        wire.onSend(() ->
        {
            wire.answer(writeAnswer(1));
            wire.answer(writeAnswer(1));
        });
        put("value");
        rpc.awaitWrite();

        assertNotNull(SessionParts.lostReason(loop));
    }

    @Test
    void shouldNotTakeAnAnswerOfAnotherKind()
    {
        wire.onSend(() -> wire.answer(getAnswer(1, 5)));
        put("value");

        assertThrows(AttachmentLostException.class, rpc::awaitWrite);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, 20})
    void shouldNotTakeAnAnswerThatIsCutShort(final int length)
    {
        wire.onSend(() -> wire.answer(Arrays.copyOf(writeAnswer(1), length)));
        put("value");

        assertThrows(AttachmentLostException.class, rpc::awaitWrite);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, Integer.MAX_VALUE, -1})
    void shouldNotTakeAValueLongerThanItsMessage(final int stated)
    {
        wire.onSend(() -> wire.answer(getAnswer(1, stated)));
        rpc.get(0, key, 3);

        assertThrows(AttachmentLostException.class, rpc::awaitGet);
    }

    @Test
    void shouldTakeAValueInItsMessage()
    {
        wire.onSend(() -> wire.answer(getAnswer(1, 5)));
        rpc.get(0, key, 3);
        final GetAnswerDecoder answer = rpc.awaitGet();

        assertEquals(5, answer.valueLength());
        final byte[] value = new byte[5];
        new UnsafeBuffer(rpc.valueAddress(), 5).getBytes(0, value);
        assertArrayEquals(TestMemory.bytes("value"), value);
    }

    @Test
    void shouldStopWaitingAtTheDeadline()
    {
        put("value");
        SessionParts.begin(deadline, 1_000_000);

        assertThrows(DeadlinePassedException.class, rpc::awaitWrite);
        assertTrue(rpc.isOutstanding());
    }

    @Test
    void shouldNotTouchARequestThatTheDeviceStillSends()
    {
        wire.holdSends();
        put("value");
        slots.abandonAwaited();
        SessionParts.begin(deadline, 1_000_000);

        assertThrows(DeadlinePassedException.class, () -> put("other"));
        assertEquals(1, wire.sent.size());
    }

    @Test
    void shouldSendNothingBeforeTheAnswerToAnAbandonedRequestCame()
    {
        put("value");
        slots.abandonAwaited();
        assertFalse(rpc.isOutstanding());

        SessionParts.begin(deadline, 1_000_000);
        assertThrows(DeadlinePassedException.class, () -> put("other"));
        assertFalse(rpc.isOutstanding());
        assertEquals(1, wire.sent.size());

        SessionParts.begin(deadline, TimeUnit.SECONDS.toNanos(20));
        wire.answer(writeAnswer(1));
        wire.onSend(() -> wire.answer(writeAnswer(2)));
        put("other");
        assertEquals(2, awaitWrite());
        rpc.releaseAnswer();
        assertEquals(CREDITS, wire.postedReceives());
        assertNull(SessionParts.lostReason(loop));
    }

    @Test
    void shouldGoOnWhenALookupIsAnsweredTooLate()
    {
        rpc.get(0, key, 3);
        slots.abandonAwaited();
        wire.answer(getAnswer(1, 5));
        wire.onSend(() -> wire.answer(writeAnswer(2)));
        put("value");

        assertEquals(2, awaitWrite());
        assertEquals(2, wire.sent.size());
    }

    @Test
    void shouldGiveBackTheExtentOfALookupThatIsAnsweredTooLate()
    {
        rpc.get(0, key, 3);
        slots.abandonAwaited();
        wire.answer(getAnswer(1, 5, EXTENT));
        wire.onSend(() -> wire.answer(wire.sent.size() == 2 ? releaseAnswer(2) : writeAnswer(3)));
        put("value");

        assertEquals(3, awaitWrite());
        assertEquals(EXTENT, new ReleaseRequestDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(wire.sent.get(1)), 0, new MessageHeaderDecoder())
            .extent());
        assertEquals(3, wire.sent.size());
        rpc.releaseAnswer();
        assertEquals(CREDITS, wire.postedReceives());
    }

    @Test
    void shouldGiveBackAnExtentThatWasNotRead()
    {
        wire.onSend(() -> wire.answer(getAnswer(1, 5, EXTENT)));
        rpc.get(0, key, 3);
        slots.owed().owe(0, rpc.awaitGet().extent());
        wire.onSend(() -> wire.answer(wire.sent.size() == 2 ? releaseAnswer(2) : writeAnswer(3)));
        put("value");

        assertEquals(3, awaitWrite());
        assertEquals(3, wire.sent.size());
        assertNull(SessionParts.lostReason(loop));
    }

    @Test
    void shouldNotForgetAnExtentThatCouldNotBeGivenBackInTime()
    {
        wire.holdSends();
        rpc.get(0, key, 3);
        slots.abandonAwaited();
        wire.answer(getAnswer(1, 5, EXTENT));
        loop.progress();
        stage("a");
        rpc.post();
        SessionParts.begin(deadline, 1_000_000);
        assertThrows(DeadlinePassedException.class, () -> put("other"));

        SessionParts.begin(deadline, TimeUnit.SECONDS.toNanos(20));
        assertTrue(slots.sends().complete(0, 1));
        wire.answer(writeAnswer(2));
        wire.onSend(() ->
        {
            slots.sends().complete(0, wire.sent.size() - 1);
            wire.answer(wire.sent.size() == 3 ? releaseAnswer(3) : writeAnswer(4));
        });
        put("other");
        assertEquals(4, awaitWrite());
        assertEquals(EXTENT, new ReleaseRequestDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(wire.sent.get(2)), 0, new MessageHeaderDecoder())
            .extent());
        assertEquals(0, slots.owed().of(0));
    }

    @Test
    void shouldTakeARequestWhoseAnswerMakesNoSenseForUnanswered()
    {
        wire.onSend(() -> wire.answer(getAnswer(1, 5)));
        put("value");

        assertThrows(AttachmentLostException.class, rpc::awaitWrite);
        assertTrue(rpc.isOutstanding());
    }

    @Test
    void shouldTellWhatFailed()
    {
        put("value");
        wire.failReceive(CompletionStatus.LOC_LEN_ERR);
        final AttachmentLostException thrown = assertThrows(AttachmentLostException.class, rpc::awaitWrite);
        assertTrue(thrown.getMessage().contains("LOC_LEN_ERR"), thrown.getMessage());
    }

    @Test
    void shouldNotCountARequestThatCouldNotBePosted()
    {
        wire.refuseSends(Errno.EINVAL);

        assertThrows(AttachmentLostException.class, () -> put("value"));
        assertFalse(rpc.isOutstanding());
    }

    @Test
    void shouldTellABrokenCompletionQueue()
    {
        put("value");
        wire.breakQueue();

        assertThrows(AttachmentLostException.class, rpc::awaitWrite);
        assertTrue(SessionParts.lostReason(loop).contains("EIO"), SessionParts.lostReason(loop));
    }

    @Test
    void shouldWakeForALostConnection()
    {
        put("value");
        loop.lose("connection ended");

        final AttachmentLostException thrown = assertThrows(AttachmentLostException.class, rpc::awaitWrite);
        assertEquals("connection ended", thrown.getMessage());
    }

    private int stage(final String value)
    {
        final byte[] bytes = TestMemory.bytes(value);
        final int slot = slots.next(0);
        if (slot != RequestSlots.NONE)
        {
            rpc.stagePut(slot, key, 3, bytes, BufferUtil.ARRAY_BASE_OFFSET, bytes.length);
        }
        return slot;
    }

    private static long sentId(final byte[] message)
    {
        return new PutRequestDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(message), 0, new MessageHeaderDecoder()).requestId();
    }

    @Test
    void shouldPostWhatIsStagedWithOneDoorbellAndMatchAnswersById()
    {
        assertEquals(0, stage("a"));
        assertEquals(1, stage("b"));
        assertEquals(RequestSlots.NONE, stage("no room"));
        assertEquals(0, wire.doorbells());
        assertTrue(slots.hasPendingWrites());

        rpc.post();
        assertEquals(1, wire.doorbells());
        assertEquals(List.of(1L, 2L), wire.sent.stream().map(RpcTest::sentId).toList());
        rpc.post();
        assertEquals(1, wire.doorbells());

        wire.answer(writeAnswer(2));
        loop.progress();
        assertEquals(List.of(2L), answered);
        assertEquals(RequestSlots.NONE, stage("the next slot is not free"));
        wire.answer(writeAnswer(1));
        loop.progress();
        assertEquals(List.of(2L, 1L), answered);
        assertFalse(slots.hasPendingWrites());
        assertEquals(CREDITS, wire.postedReceives());
        assertEquals(0, stage("c"));
    }

    @Test
    void shouldNotUseASlotAgainBeforeItsSendHasCompleted()
    {
        wire.holdSends();
        stage("a");
        rpc.post();
        wire.answer(writeAnswer(1));
        loop.progress();
        stage("b");
        rpc.post();
        wire.answer(writeAnswer(2));
        loop.progress();

        assertEquals(RequestSlots.NONE, stage("c"));
        assertTrue(slots.sends().complete(0, 0));
        assertEquals(0, stage("c"));
    }

    @Test
    void shouldWaitForOneWhileOthersAreUnderWay()
    {
        stage("a");
        wire.onSend(() ->
        {
            if (wire.sent.size() == 2)
            {
                wire.answer(writeAnswer(1));
                wire.answer(getAnswer(2, 5));
            }
        });
        rpc.get(0, key, 3);

        assertEquals(5, rpc.awaitGet().valueLength());
        assertEquals(List.of(1L), answered);
        assertEquals(1, wire.doorbells());
        rpc.releaseAnswer();
        assertEquals(CREDITS, wire.postedReceives());
    }

    @Test
    void shouldHoldWritesBackUntilAbandonedOnesAreAnswered()
    {
        final int abandoned = stage("a");
        rpc.post();
        slots.abandon(abandoned);
        assertFalse(slots.hasPendingWrites());
        stage("b");
        rpc.post();
        assertEquals(1, wire.sent.size());

        wire.answer(writeAnswer(1));
        loop.progress();
        assertEquals(List.of(), answered);
        rpc.post();
        assertEquals(List.of(1L, 2L), wire.sent.stream().map(RpcTest::sentId).toList());
    }

    @Test
    void shouldTakeBackWhatWasNotSent()
    {
        final int sent = stage("a");
        rpc.post();
        slots.abandon(sent);
        for (int i = 0; i < 100; i++)
        {
            final int staged = stage("b");
            rpc.post();
            assertFalse(slots.wasSent(staged));
            slots.abandon(staged);
        }
        stage("c");
        wire.answer(writeAnswer(1));
        loop.progress();
        rpc.post();

        // No gap, which would lead out of what the server remembers.
        assertEquals(List.of(1L, 2L), wire.sent.stream().map(RpcTest::sentId).toList());
    }

    @Test
    void shouldKnowWhichOfAChainWerePosted()
    {
        stage("a");
        stage("b");
        wire.refuseSends(Errno.ENOMEM, 1);

        assertThrows(AttachmentLostException.class, rpc::post);
        assertTrue(slots.wasSent(0));
        assertFalse(slots.wasSent(1));
    }

    @Test
    void shouldSendAgainWhatWasNotAnsweredOverTheNextAttachment()
    {
        stage("a");
        stage("b");
        rpc.post();
        wire.answer(writeAnswer(1));
        loop.progress();
        stage("c");
        final List<byte[]> first = List.copyOf(wire.sent);
        wire.sent.clear();

        slots.resumed(true);
        final Rpc next = parts.anotherRpc();
        assertTrue(slots.wasSent(1));
        assertFalse(slots.wasSent(0));
        next.post();

        assertEquals(List.of(2L, 3L), wire.sent.stream().map(RpcTest::sentId).toList());
        assertArrayEquals(first.get(1), wire.sent.get(0));
        wire.answer(writeAnswer(2));
        wire.answer(writeAnswer(3));
        loop.progress();
        assertEquals(List.of(1L, 2L, 3L), answered);
        assertFalse(slots.hasPendingWrites());
    }

    @Test
    void shouldNotTakeACompletionOfNoSend()
    {
        stage("a");
        rpc.post();
        loop.progress();
        wire.complete(CompletionLoop.sendId(0, 1));

        assertThrows(AttachmentLostException.class, loop::progress);
        assertTrue(SessionParts.lostReason(loop).contains("no SEND"), SessionParts.lostReason(loop));
    }
}

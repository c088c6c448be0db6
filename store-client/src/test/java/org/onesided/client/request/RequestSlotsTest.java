package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.FakeWire;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutRequestDecoder;
import org.onesided.protocol.rpc.codec.Status;

/**
 * A slot is used again once it was answered and a completion tells of its SEND: both must come to pass, whatever was
 * taken back.
 */
class RequestSlotsTest
{
    private static final int CREDITS = 16;
    private static final int MESSAGE_LENGTH = 256;
    private static final int STEPS = 2000;
    private static final ThreadMXBean ALLOCATED = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private final WiredRpc parts = new WiredRpc(CREDITS, MESSAGE_LENGTH);
    private final FakeWire wire = parts.wire;
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

    private int stage()
    {
        final int slot = slots.next(0);
        if (slot != RequestSlots.NONE)
        {
            rpc.stagePut(slot, key, 1, new byte[1], BufferUtil.ARRAY_BASE_OFFSET, 1);
        }
        return slot;
    }

    /** Stages a put that others may join. */
    private int open()
    {
        assertEquals(RequestSlots.NONE, slots.openBatch(0));
        final int slot = stage();
        slots.correlations().open(slot);
        return slot;
    }

    private static long sentId(final byte[] message)
    {
        return new PutRequestDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(message), 0, new MessageHeaderDecoder()).requestId();
    }

    private void answer(final long id)
    {
        wire.answer(WriteAnswers.of(id, Status.OK));
        loop.progress();
    }

    @Test
    void shouldUseASlotAgainWhoseFollowersWereTakenBack()
    {
        for (int i = 0; i < 8; i++)
        {
            stage();
        }
        rpc.post();
        for (int id = 1; id <= 8; id++)
        {
            answer(id);
        }
        final int stalled = stage();
        rpc.post();
        slots.abandon(stalled);
        final int[] heldBack = new int[CREDITS - 1];
        for (int i = 0; i < heldBack.length; i++)
        {
            heldBack[i] = stage();
            assertNotEquals(RequestSlots.NONE, heldBack[i]);
        }
        rpc.post();
        for (int i = 0; i < heldBack.length - 1; i++)
        {
            assertFalse(slots.wasSent(heldBack[i]));
            slots.abandon(heldBack[i]);
        }
        answer(9);
        rpc.post();
        assertEquals(24, sentId(wire.sent.get(wire.sent.size() - 1)));
        answer(24);

        assertEquals(stalled, stage());
    }

    @Test
    void shouldUseSlotsAgainAfterAllWereSentOverAnotherAttachment()
    {
        for (int i = 0; i < CREDITS; i++)
        {
            assertEquals(i, stage());
        }
        rpc.post();
        loop.progress();
        slots.resumed(true);
        rpc.post();
        for (int id = 1; id <= CREDITS; id++)
        {
            answer(id);
        }

        assertEquals(0, stage());
    }

    @Test
    void shouldTellOfWhatIsLostWithTheSession()
    {
        stage();
        rpc.post();
        stage();
        slots.correlations().set(0, 100, 0);
        slots.correlations().set(1, 101, 0);
        final List<String> lost = new ArrayList<>();
        slots.lose((of, slot) -> lost.add(of.correlations().of(slot) + " " + of.wasSent(slot)));

        assertEquals(List.of("100 true", "101 false"), lost);
    }

    @Test
    void shouldLetNoPutJoinAMessageThatWasSent()
    {
        final int slot = open();
        assertEquals(slot, slots.openBatch(0));
        rpc.post();
        assertEquals(RequestSlots.NONE, slots.openBatch(0));
        slots.resumed(true);

        assertEquals(RequestSlots.NONE, slots.openBatch(0));
    }

    /** Else a message that is half written could be sent. */
    @Test
    void shouldNeedNoMemoryOnceItHasToldOfABatch()
    {
        final byte[] value = {1};
        try (WiredRpc others = new WiredRpc(CREDITS, MESSAGE_LENGTH))
        {
            // What is loaded at the first use is not counted.
            joinOne(others.slots, others.rpc, value);
        }
        assertEquals(RequestSlots.NONE, slots.openBatch(0));

        assertTrue(joinOne(slots, rpc, value) < CREDITS * BatchLimits.MAX_PUTS * (long)Long.BYTES);
    }

    /** Bytes that this thread has allocated to open a batch and have a put join it. */
    private long joinOne(final RequestSlots of, final Rpc with, final byte[] value)
    {
        of.openBatch(0);
        final int slot = of.next(0);
        with.stagePut(slot, key, 1, value, BufferUtil.ARRAY_BASE_OFFSET, 1);
        final long before = ALLOCATED.getCurrentThreadAllocatedBytes();
        of.correlations().open(slot);
        of.join(slot, with.codec().join(slot, key, 1, value, BufferUtil.ARRAY_BASE_OFFSET, 1), 1);
        return ALLOCATED.getCurrentThreadAllocatedBytes() - before;
    }

    /** It goes over the next attachment for the first time. */
    @Test
    void shouldLetPutsJoinAMessageThatWasNotSentBeforeTheAttachmentWasLost()
    {
        stage();
        rpc.post();
        final int slot = open();
        slots.resumed(true);

        assertEquals(slot, slots.openBatch(0));
    }

    @Test
    void shouldLetNoPutJoinAMessageThatWasWithdrawn()
    {
        final int slot = open();
        slots.abandon(slot);
        assertEquals(RequestSlots.NONE, slots.openBatch(0));
        slots.resumed(true);

        assertEquals(RequestSlots.NONE, slots.openBatch(0));
        assertEquals(slot, stage());
        assertEquals(RequestSlots.NONE, slots.openBatch(0), "nobody opened the one that has its slot now");
    }

    /** The server would take the next request for the one that it has answered, and not execute it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotUseTheIdOfAnAnsweredRequestAgain(final boolean isSentAgain)
    {
        final int late = stage();
        stage();
        rpc.post();
        answer(2);
        slots.abandon(late);
        final int heldBack = stage();
        slots.resumed(true);
        if (isSentAgain)
        {
            rpc.post();
        }
        assertFalse(slots.wasSent(heldBack));
        slots.abandon(heldBack);

        assertEquals(3, slots.nextId(0));
        rpc.post();
        answer(1);
        stage();
        rpc.post();
        assertEquals(3, sentId(wire.sent.get(wire.sent.size() - 1)));
    }

    @Test
    void shouldHaveNothingToPostOnceAllIsSentAgain()
    {
        stage();
        stage();
        rpc.post();
        answer(2);
        slots.resumed(true);
        assertTrue(slots.canPost());
        rpc.post();

        assertFalse(slots.canPost());
    }

    @Test
    void shouldFindNoSlotForARequestThatWasNeverSent()
    {
        stage();
        rpc.post();
        for (final long id : new long[]{0, -1, -5, Long.MIN_VALUE, 2, Long.MAX_VALUE})
        {
            assertEquals(RequestSlots.NONE, slots.find(0, id));
        }
        assertEquals(0, slots.find(0, 1));
    }

    @Test
    void shouldSendWhatIsStagedBeforeItWaitsForASlot()
    {
        for (int i = 0; i < CREDITS; i++)
        {
            stage();
        }
        wire.onSend(() -> wire.answer(WriteAnswers.of(wire.sent.size(), Status.OK)));
        final int slot = rpc.makeRoom(0);
        rpc.stageDelete(slot, key, 1);
        rpc.postAwaited(slot);
        rpc.awaitWrite();

        assertEquals(CREDITS + 1L, answered.get(answered.size() - 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldAlwaysHaveASlotOnceAllIsAnswered(final long seed)
    {
        final Random random = new Random(seed);
        final Deque<byte[]> unanswered = new ArrayDeque<>();
        wire.onSend(() -> unanswered.add(wire.sent.get(wire.sent.size() - 1)));
        for (int i = 0; i < STEPS; i++)
        {
            switch (random.nextInt(5))
            {
                case 0 -> rpc.post();
                case 1 -> abandonSome(random);
                case 2 ->
                {
                    for (int count = random.nextInt(CREDITS); count > 0 && !unanswered.isEmpty(); count--)
                    {
                        answer(sentId(unanswered.remove()));
                    }
                }
                default ->
                {
                    for (int count = random.nextInt(CREDITS); count > 0; count--)
                    {
                        stage();
                    }
                }
            }
            if (i % 100 == 0)
            {
                finish(unanswered);
                assertNotEquals(RequestSlots.NONE, slots.next(0), "step=" + i);
            }
        }
    }

    private void abandonSome(final Random random)
    {
        for (int slot = 0; slot < slots.count(); slot++)
        {
            if (slots.isPendingWrite(slot) && random.nextInt(4) > 0)
            {
                slots.abandon(slot);
            }
        }
    }

    private void finish(final Deque<byte[]> unanswered)
    {
        do
        {
            rpc.post();
            while (!unanswered.isEmpty())
            {
                answer(sentId(unanswered.remove()));
            }
            loop.progress();
        }
        while (slots.canPost());
    }
}

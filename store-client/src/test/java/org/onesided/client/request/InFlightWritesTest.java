package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.session.Counters;
import org.onesided.client.session.FakeSession;
import org.onesided.protocol.rpc.codec.PutBatchAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;

/**
 * Writes that end once each, though something fails while their answer is taken.
 */
class InFlightWritesTest
{
    private static final int PUTS = 3;

    private final WiredRpc parts = new WiredRpc(4, 256);
    private final RequestSlots slots = parts.slots;
    private EngineParts engine;

    @BeforeEach
    void attach() throws AttachFailedException
    {
        engine = new EngineParts(new FakeSession(TimeUnit.SECONDS.toNanos(50)));
    }

    @AfterEach
    void free()
    {
        engine.close();
        parts.close();
    }

    private static BatchAnswer answer(final Status... statuses)
    {
        final BatchAnswer answer = new BatchAnswer();
        assertTrue(answer.tryWrap(
            new UnsafeBuffer(WriteAnswers.ofBatch(1, statuses)), PutBatchAnswerDecoder.BLOCK_LENGTH, PUTS));
        return answer;
    }

    private int stageBatch(final InFlightWrites writes)
    {
        final int slot = slots.next(0);
        final byte[] value = new byte[2];
        parts.rpc.stagePut(slot, parts.key, 3, value, BufferUtil.ARRAY_BASE_OFFSET, value.length);
        slots.correlations().open(slot);
        writes.add(0);
        for (int i = 1; i < PUTS; i++)
        {
            slots.join(slot, parts.rpc.codec().join(
                slot, parts.key, 3, value, BufferUtil.ARRAY_BASE_OFFSET, value.length), i);
            writes.add(0);
        }
        writes.outcomes().reserve(PUTS, PUTS);
        return slot;
    }

    @Test
    void shouldEndNoPutOfABatchIfAFailureCannotBeMade()
    {
        // Without an operation no failure can be made, as without memory.
        final InFlightWrites writes =
            new InFlightWrites(null, new DoneWrites(engine.reconnector, engine.session.counters()));
        final int slot = stageBatch(writes);
        assertThrows(NullPointerException.class, () ->
            writes.onAnswer(slots, slot, answer(Status.OK, Status.STORE_FULL, Status.OK)));
        assertEquals(PUTS, writes.count());
        assertEquals(0, writes.outcomes().count());
        assertEquals(0, engine.session.count(Counters.PUTS));

        writes.onAnswer(slots, slot, answer(Status.OK, Status.OK, Status.OK));
        assertEquals(0, writes.count());
        assertEquals(PUTS, writes.outcomes().count());
        assertEquals(PUTS, engine.session.count(Counters.PUTS));
    }
}

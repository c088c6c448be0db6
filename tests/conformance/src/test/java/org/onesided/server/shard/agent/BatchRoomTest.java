package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;

/**
 * Batches of puts some of which wait for room in a scattered heap.
 */
class BatchRoomTest extends ScatteredShard
{
    @Test
    void shouldGoOnWithABatchWhereItWaitedWhenItsQueuePairEnded()
    {
        scatter();
        final int[] lengths = {VALUE_LENGTH, 4096, 1};
        assertTrue(first.wire.send(RequestMessages.putBatch(1, lengths, key(1), "long", key(3))));
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        shard.queuePairs().end(first.connection);
        for (int i = 0; i < ROUNDS && ended == 0; i++)
        {
            shard.doWork();
        }
        second.put(1, key(1), 2);
        second.await(1, Status.OK);
        first.connect();
        assertTrue(first.wire.send(RequestMessages.putBatch(1, lengths, key(1), "long", key(3))));
        nextOf(first);
        assertFound(key(1), new byte[2]);
        assertTrue(find("long"));
        assertEquals(4096, found.valueLength());
        assertTrue(find(key(3)));
        assertEquals(1, found.valueLength());
    }

    private PutBatchAnswerDecoder batchAnswer(final long id)
    {
        final PutBatchAnswerDecoder answer = new PutBatchAnswerDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(nextOf(first)), 0, new MessageHeaderDecoder());
        assertEquals(id, answer.requestId());
        return answer;
    }

    private List<Status> statuses(final long id)
    {
        final List<Status> all = new ArrayList<>();
        batchAnswer(id).outcomes().forEach((outcome) -> all.add(outcome.status()));
        return all;
    }

    @Test
    void shouldRefuseOnlyThoseOfABatchThatFindNoRoom()
    {
        shard.close();
        start(TimeUnit.MILLISECONDS.toNanos(1));
        lendEveryTenth();
        final int[] lengths = {1, 3_900, 2, 3_900, 3};
        assertTrue(first.wire.send(
            RequestMessages.putBatch(1, lengths, key(1), "long", key(3), "longer", key(5))));
        assertEquals(
            List.of(Status.OK, Status.STORE_FULL, Status.OK, Status.STORE_FULL, Status.OK), statuses(1));
        assertEquals(1, shard.metrics().roomWaits());
        assertEquals(0, shard.metrics().waitingForRoom());
        assertEquals(2, shard.metrics().refusals().get(Status.STORE_FULL));
        assertFalse(find("long"));
        for (int i = 1; i <= 3; i++)
        {
            assertTrue(find(key(2 * i - 1)));
            assertEquals(i, found.valueLength());
        }
    }

    /** How many of a client's puts the next round answers, if eight have come. */
    private int answeredOfEight(final Peer peer, final long firstId)
    {
        // Completions of earlier sends.
        shard.doWork();
        for (int i = 0; i < CREDITS; i++)
        {
            peer.put(firstId + i, key(1), VALUE_LENGTH);
        }
        shard.doWork();
        int count = 0;
        while (peer.wire.sent() != null)
        {
            count++;
        }
        for (int i = count; i < CREDITS; i++)
        {
            assertNotNull(nextOf(peer));
        }
        return count;
    }

    @Test
    void shouldTakeFewMessagesInARoundWhileBatchesComeOverTheDevice()
    {
        assertEquals(CREDITS, answeredOfEight(first, 1));
        assertTrue(first.wire.send(RequestMessages.putBatch(9, new int[]{1, 2}, key(1), key(3))));
        assertEquals(List.of(Status.OK, Status.OK), statuses(9));
        // Neither another device nor completions of sends end that.
        assertEquals(CREDITS, answeredOfEight(second, 1));
        final int few = answeredOfEight(first, 10);
        assertTrue(few < CREDITS, "few=" + few);
        for (long id = 18; id < 18 + 16; id++)
        {
            first.put(id, key(1), VALUE_LENGTH);
            first.await(id, Status.OK);
        }
        assertEquals(CREDITS, answeredOfEight(first, 34));
    }

    @Test
    void shouldKeepWhatFollowsABatchBehindItWhileItWaits()
    {
        scatter();
        final int[] lengths = {4096, 5};
        assertTrue(first.wire.send(RequestMessages.putBatch(1, lengths, "long", key(1))));
        first.put(2, key(1), 6);
        first.get(3, key(1));
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom(), "the batch waits");
        assertNull(first.wire.sent(), "none overtakes it");
        second.put(1, key(1), 7);
        second.await(1, Status.OK);
        assertTrue(find(key(1)));
        assertEquals(7, found.valueLength());

        assertEquals(List.of(Status.OK, Status.OK), statuses(1));
        first.await(2, Status.OK);
        final GetAnswerDecoder got = new GetAnswerDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(nextOf(first)), 0, new MessageHeaderDecoder());
        assertEquals(3, got.requestId());
        assertEquals(6, got.wholeLength());
    }
}

package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;

/**
 * Puts that wait for room in a scattered heap.
 */
class RoomWaitTest extends ScatteredShard
{
    @Test
    void shouldServeOthersInEachRoundWhileAPutWaits()
    {
        scatter();
        first.putLong(1, "long");
        int rounds = 0;
        WriteAnswerDecoder done = null;
        for (long id = 1; done == null && rounds < ROUNDS; id++)
        {
            second.put(id, key(1), VALUE_LENGTH);
            final long before = table.statistics().bytesMoved();
            shard.doWork();
            assertTrue(table.statistics().bytesMoved() - before < 1 << 20);
            final WriteAnswerDecoder answer = second.answer();
            assertNotNull(answer, "put was not answered in its round");
            assertEquals(Status.OK, answer.status());
            done = first.answer();
            rounds++;
        }
        assertEquals(Status.OK, done.status());
        assertTrue(rounds > 10, "it did not wait: rounds=" + rounds);
        assertTrue(shard.metrics().roomWaits() >= 1);
        assertEquals(0, shard.metrics().waitingForRoom());
    }

    @Test
    void shouldLetOthersOfTheSameSessionOvertakeAPutThatWaitsButNotThoseOfItsKey()
    {
        scatter();
        first.putLong(1, "long");
        first.put(2, key(1), VALUE_LENGTH);
        assertEquals(1, first.await(2, Status.OK));
        assertEquals(1, shard.metrics().waitingForRoom());
        first.get(3, "long");
        first.put(4, key(1), VALUE_LENGTH);
        assertTrue(first.await(1, Status.OK) > 1);
        final byte[] got = nextOf(first);
        final GetAnswerDecoder answer =
            new GetAnswerDecoder().wrapAndApplyHeader(new UnsafeBuffer(got), 0, new MessageHeaderDecoder());
        assertEquals(3, answer.requestId());
        assertEquals(LONG, answer.wholeLength());
        first.await(4, Status.OK);
    }

    @Test
    void shouldAnswerAPutThatIsSentAgainWhileItWaitsAndExecuteItOnce()
    {
        scatter();
        final long before = table.statistics().puts();
        first.putLong(1, "long");
        shard.doWork();
        first.putLong(1, "long");
        first.await(1, Status.OK);
        first.await(1, Status.OK);
        assertEquals(before + 1, table.statistics().puts());
    }

    @Test
    void shouldExecuteAPutOnceThatWaitedWhenItsQueuePairEnded()
    {
        scatter();
        final long before = table.statistics().puts();
        first.putLong(1, "long");
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        shard.queuePairs().end(first.connection);
        for (int i = 0; i < ROUNDS && ended == 0; i++)
        {
            shard.doWork();
        }
        assertEquals(0, shard.metrics().waitingForRoom());
        first.connect();
        first.putLong(1, "long");
        first.await(1, Status.OK);
        assertEquals(before + 1, table.statistics().puts());
        assertTrue(find("long"));
    }

    @Test
    void shouldCompareTheConditionOfAPutThatWaitedWhenThereIsRoom()
    {
        scatter();
        first.putLongIfAbsent(1, "long");
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        second.put(1, "long", VALUE_LENGTH);
        second.await(1, Status.OK);
        first.await(1, Status.CONFLICT);
        assertEquals(0, shard.metrics().waitingForRoom());
        assertTrue(find("long"));
        assertEquals(VALUE_LENGTH, found.valueLength());
    }

    @Test
    void shouldAppendToWhatIsThereWhenThereIsRoom()
    {
        scatter();
        first.append(1, "long", 4096);
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        second.put(1, "long", VALUE_LENGTH);
        second.await(1, Status.OK);
        first.await(1, Status.OK);
        assertEquals(0, shard.metrics().waitingForRoom());
        assertFound("long", new byte[VALUE_LENGTH], added(4096));
    }

    @Test
    void shouldExecuteAnAppendOnceThatWaitedWhenItsQueuePairEnded()
    {
        scatter();
        first.append(1, "long", 4096);
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        shard.queuePairs().end(first.connection);
        for (int i = 0; i < ROUNDS && ended == 0; i++)
        {
            shard.doWork();
        }
        first.connect();
        first.append(1, "long", 4096);
        first.await(1, Status.OK);
        first.append(1, "long", 4096);
        first.await(1, Status.OK);
        assertFound("long", added(4096));
    }

    @Test
    void shouldRefuseAnAppendForWhichThereIsNoRoomAndChangeNothing()
    {
        first.append(1, key(1), 4096);
        assertEquals(1, first.await(1, Status.STORE_FULL));
        assertTrue(find(key(1)));
        assertEquals(VALUE_LENGTH, found.valueLength());
    }

    @Test
    void shouldCompareTheConditionOfALongValueWhenItIsPublished()
    {
        scatter();
        first.putLongIfAbsent(1, "long");
        for (int i = 0; i < ROUNDS && shard.metrics().pulls() == 0; i++)
        {
            shard.doWork();
        }
        assertEquals(1, shard.metrics().pulls());
        final long used = table.statistics().heapBytesUsed();
        second.put(1, "long", VALUE_LENGTH);
        shard.doWork();
        final long version = second.answer().version();
        assertEquals(1, shard.metrics().pulls(), "the value was published before the other one was put");
        WriteAnswerDecoder answer = first.answer();
        for (int i = 0; i < ROUNDS && answer == null; i++)
        {
            shard.doWork();
            answer = first.answer();
        }
        assertEquals(Status.CONFLICT, answer.status());
        assertEquals(version, answer.version());
        assertTrue(find("long"));
        assertEquals(VALUE_LENGTH, found.valueLength());
        for (int i = 0; i < ROUNDS && table.statistics().heapBytesUsed() > used - LONG + 4096; i++)
        {
            shard.doWork();
        }
        assertTrue(table.statistics().heapBytesUsed() <= used - LONG + 4096, "extent of the value is not free");
    }

    @Test
    void shouldRefuseAtOnceWhatHasNoRoomAtAll()
    {
        first.putLong(1, "long");
        assertEquals(1, first.await(1, Status.STORE_FULL));
        assertEquals(0, table.statistics().recordsMoved());
    }

    @Test
    void shouldRefuseAPutWhenItsWaitEnds()
    {
        shard.close();
        start(TimeUnit.MILLISECONDS.toNanos(1));
        lendEveryTenth();
        first.putLong(1, "long");
        first.await(1, Status.STORE_FULL);
        first.put(2, key(1), VALUE_LENGTH);
        first.await(2, Status.OK);
    }

    @Test
    void shouldWaitForWhatIsLent()
    {
        final List<Long> held = lendEveryTenth();
        first.putLong(1, "long");
        int quiet = 0;
        for (int i = 0; i < ROUNDS && quiet < 5; i++)
        {
            quiet = shard.doWork() > 0 ? 0 : quiet + 1;
        }
        assertEquals(5, quiet, "the shard finds no rest while nothing can be done");
        assertNull(first.answer());
        held.forEach(table.lentValues()::release);
        first.await(1, Status.OK);
    }

    /** Room for the first put is lent, room for the second is there, but scattered. */
    @Test
    void shouldMakeRoomForAPutThoughAnotherBeforeItWaitsForWhatIsLent()
    {
        final List<Long> held = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            if (i % 8 == 0)
            {
                assertTrue(find(key(i)));
                held.add(table.lentValues().lend(found));
                delete(key(i));
            }
        }
        held.subList(held.size() / 2, held.size()).forEach(table.lentValues()::release);
        first.putLong(1, "long");
        shard.doWork();
        second.put(1, "short", 6_000);
        assertTrue(second.await(1, Status.OK) > 1);
        assertNull(first.answer());
        held.subList(0, held.size() / 2).forEach(table.lentValues()::release);
        first.await(1, Status.OK);
    }
}

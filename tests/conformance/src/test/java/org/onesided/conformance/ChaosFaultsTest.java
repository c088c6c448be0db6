package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.chaos.ChaosDevice;
import org.onesided.chaos.Faults;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Devices;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

/**
 * That the device {@code chaos} does what its plan says. That it keeps the verbs' rules meanwhile is what the
 * conformance suite tests.
 */
@Timeout(180)
class ChaosFaultsTest
{
    private static final int WORDS = 64;
    private static final int LENGTH = WORDS * Long.BYTES;
    /** A word that is this times a number below 2^32 has equal halves. */
    private static final long EQUAL_HALVES = 0x1_0000_0001L;

    @Test
    void shouldReplayOneScheduleForOneSeed()
    {
        final List<String> first = schedule("chaos:5/lose=150:shm");
        assertEquals(first, schedule("chaos:5/lose=150:shm"));
        assertTrue(first.stream().anyMatch((line) -> line.contains("loss=A") || line.contains("lost=true")), "a loss");
        assertNotEquals(first, schedule("chaos:6/lose=150:shm"));
    }

    /** Messages and READs of all lengths over new queue pairs, until one is lost; and what was decided. */
    private static List<String> schedule(final String device)
    {
        final ConcurrentLinkedQueue<String> decisions = new ConcurrentLinkedQueue<>();
        ChaosDevice.faults(device).listener(decisions::add);
        try (Pair pair = new Pair(device, new Setup(), device, new Setup()).connect())
        {
            for (int i = 0; i < 100; i++)
            {
                pair.b.receive(i, 0, 64);
                pair.a.send(i, 0, 64);
                pair.a.read(i + 1000L, 4096, i * 37 % 5000, pair.b, i * 11L);
                if (pair.sent(pair.a).status() != CompletionStatus.SUCCESS ||
                    pair.sent(pair.a).status() != CompletionStatus.SUCCESS ||
                    pair.received(pair.b).status() != CompletionStatus.SUCCESS ||
                    pair.b.queuePair.state() == QueuePairState.ERR)
                {
                    break;
                }
            }
        }
        finally
        {
            ChaosDevice.faults(device).listener(null);
        }
        // Which side comes first is up to the moment.
        return decisions.stream().sorted().toList();
    }

    @Test
    void shouldBringLinesOfDifferentMomentsAndWholeWords() throws Exception
    {
        final String device = "chaos:1/calm/split=1/replay=2/stall=3:shm";
        final AtomicBoolean isDone = new AtomicBoolean();
        try (Pair pair = new Pair(device, new Setup(), device, new Setup()).connect())
        {
            final Thread writer = new Thread(() ->
            {
                for (long i = 0; !isDone.get(); i = i + 1 & Integer.MAX_VALUE)
                {
                    for (int word = 0; word < WORDS; word++)
                    {
                        pair.b.word((long)word * Long.BYTES, i * EQUAL_HALVES);
                    }
                }
            }, "writer");
            writer.start();
            try
            {
                int mixed = 0;
                for (int i = 0; i < 60; i++)
                {
                    pair.a.read(i, 8192, LENGTH, pair.b, 0);
                    pair.sent(pair.a, i);
                    final long first = pair.a.word(8192);
                    boolean isMixed = false;
                    for (int word = 0; word < WORDS; word++)
                    {
                        final long value = pair.a.word(8192 + (long)word * Long.BYTES);
                        assertEquals(0, value % EQUAL_HALVES, "a word that is not whole");
                        isMixed |= Math.abs(value - first) / EQUAL_HALVES > 1;
                    }
                    mixed += isMixed ? 1 : 0;
                }
                assertTrue(mixed > 0, "READs that saw more than two states: " + mixed);
                assertTrue(ChaosDevice.faults(device).count(Faults.Kind.MIXED) > 0);
            }
            finally
            {
                isDone.set(true);
                writer.join();
            }
        }
    }

    @Test
    void shouldLoseTheQueuePairAndFlushWhatFollows()
    {
        final String device = "chaos:1/calm/lose=1:shm";
        try (Pair pair = new Pair(device, new Setup(), device, new Setup()).connect())
        {
            pair.a.receive(1, 0, 64);
            pair.a.read(2, 64, 64, pair.b, 0);
            pair.a.read(3, 64, 64, pair.b, 0);
            pair.sent(pair.a, 2, CompletionStatus.RETRY_EXC_ERR);
            pair.sent(pair.a, 3, CompletionStatus.WR_FLUSH_ERR);
            pair.received(pair.a, 1, CompletionStatus.WR_FLUSH_ERR);
            assertEquals(QueuePairState.ERR, pair.a.queuePair.state());
            pair.a.read(4, 64, 64, pair.b, 0);
            pair.sent(pair.a, 4, CompletionStatus.WR_FLUSH_ERR);
            pair.expectQuiet();
        }
    }

    @Test
    void shouldGoOnWhileSomebodySleeps()
    {
        final String device = "chaos:1/calm/split=1/stall=1/late=1/stallUs=5000:shm";
        try (Pair pair = new Pair(device, new Setup(), device, new Setup()).connect())
        {
            pair.b.fill(0, 256, 7);
            pair.a.sendQueue.requestNotify(false);
            pair.a.read(1, 1024, 256, pair.b, 0);
            assertEquals(
                pair.a.sendQueue, pair.a.channel.awaitEvent(TimeUnit.SECONDS.toNanos(HangGuard.seconds(60))));
            pair.a.sendQueue.acknowledgeEvents(1);
            pair.sent(pair.a, 1);
            pair.a.expect(1024, 256, 7);
        }
    }

    @Test
    void shouldFindNoReceiveForAWhile()
    {
        final String device = "chaos:1/calm/rnr=1/stallUs=20000:shm";
        try (Pair pair = new Pair(device, new Setup().rnr(7, 1), device, new Setup().rnr(7, 1)).connect())
        {
            for (int i = 0; i < 5; i++)
            {
                pair.b.receive(i, 0, 64);
                pair.a.send(i, 0, 64);
                pair.sent(pair.a, i);
                pair.received(pair.b, i);
            }
            assertEquals(5, ChaosDevice.faults(device).count(Faults.Kind.RNR));
        }
    }

    @Test
    void shouldDeliverMessagesLate()
    {
        final String device = "chaos:1/calm/slow=1/slowUs=20000:shm";
        try (Pair pair = new Pair(device, new Setup(), device, new Setup()).connect())
        {
            pair.b.receiveQueue.requestNotify(true);
            for (int i = 0; i < 5; i++)
            {
                pair.b.receive(i, i * 64L, 64);
                pair.a.send(i, 0, 64);
            }
            assertNotNull(pair.b.channel.awaitEvent(TimeUnit.SECONDS.toNanos(HangGuard.seconds(60))));
            pair.b.receiveQueue.acknowledgeEvents(1);
            for (int i = 0; i < 5; i++)
            {
                pair.sent(pair.a, i);
                pair.received(pair.b, i);
            }
            assertEquals(5, ChaosDevice.faults(device).count(Faults.Kind.SLOW));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "chaos:x:shm, not a number",
        "chaos:1, write chaos:SEED",
        "chaos:1/storm:shm, no such fault",
        "chaos:1/rain=3:shm, no such fault",
        "chaos:1/lose=-1:shm, not a number",
        "chaos:1:none, no such device"})
    void shouldRefuseANameThatIsNoPlan(final String name, final String why)
    {
        final String message = assertThrows(VerbsException.class, () -> Devices.find(name)).getMessage();
        assertTrue(message.contains(why), message);
    }
}

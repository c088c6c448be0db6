package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.onesided.server.memory.LocalKeys;
import org.onesided.testing.NoLostWakeUps;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.waiting.LostWakeUps;

class ShardChannelsTest
{
    private static final long LONG_NS = Long.MAX_VALUE;

    private final List<String> calls = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final long before = LostWakeUps.total();
    private final Channel memory = new Channel("shm", false, true);
    private final Channel card = new Channel("ibv", true, false);
    private final Channel wire = new Channel("tcp", true, false);

    @Test
    void shouldSleepWhereAllOthersCanWakeIt()
    {
        final ShardChannels channels = channels(card, memory, wire);
        assertEquals(List.of("shm", "shm"), List.of(card.woken, wire.woken));
        assertFalse(channels.sleep(LONG_NS));
        assertEquals(List.of("sleep shm", "look tcp", "look ibv"), calls);
        channels.wakeUp();
        assertEquals("wakeUp shm", calls.get(3));
    }

    @Test
    void shouldTakeTheEventsOfAllAndArmAll()
    {
        final ShardChannels channels = channels(memory, wire);
        channels.arm();
        assertEquals(List.of("requestNotify shm", "requestNotify tcp"), calls);
        calls.clear();
        wire.hasEvent = true;
        assertTrue(channels.sleep(LONG_NS));
        assertEquals(List.of("sleep shm", "look tcp", "acknowledgeEvents tcp"), calls);
        assertFalse(channels.sleep(LONG_NS));
        memory.hasEvent = true;
        assertTrue(channels.sleep(LONG_NS));
    }

    @Test
    void shouldSleepNoLongerThanItMay()
    {
        final ShardChannels channels = channels(wire);
        channels.sleep(5_000_000L);
        assertEquals(5_000_000L, wire.longestNs);
        channels.sleep(LONG_NS);
        assertEquals(1_000_000_000L, wire.longestNs);
    }

    @Test
    void shouldNotLookElsewhereWithOneDevice()
    {
        final ShardChannels channels = channels(wire);
        assertFalse(channels.sleep(LONG_NS));
        assertEquals(List.of("sleep tcp"), calls);
        assertEquals(null, wire.woken);
    }

    @Test
    void shouldSleepElsewhereWhenItsChannelBreaks()
    {
        final ShardChannels channels = channels(memory, wire);
        memory.isBroken = true;
        assertFalse(channels.sleep(LONG_NS));
        assertEquals(List.of("shm: completion channel is broken: get_cq_event: EIO: gone"), broken);
        calls.clear();
        assertFalse(channels.sleep(LONG_NS));
        channels.wakeUp();
        assertEquals(List.of("sleep tcp", "wakeUp tcp"), calls);
        wire.isBroken = true;
        assertFalse(channels.sleep(LONG_NS));
        assertEquals(2, broken.size());
        calls.clear();
        assertFalse(channels.sleep(LONG_NS));
        channels.wakeUp();
        channels.arm();
        assertEquals(List.of(), calls);
    }

    @Test
    void shouldRefuseDevicesThatNobodyCanWaitForTogether()
    {
        final VerbsException refused = assertThrows(VerbsException.class, () -> channels(card, new Channel("other",
            false, false)));
        assertEquals(Errno.EOPNOTSUPP, refused.errno());
        assertTrue(refused.getMessage().endsWith("devices=[ibv, other]"), refused.getMessage());
    }

    @Test
    void shouldCountAWakeUpThatDoesNotComeForCompletions()
    {
        NoLostWakeUps.pardon(1);
        final ShardChannels channels = channels(wire);
        wire.sleepsReally = true;
        assertFalse(channels.sleep(LONG_NS));
        assertEquals(before, LostWakeUps.total(), "before any was polled");
        channels.onFound();
        assertEquals(before + 1, LostWakeUps.total());
        assertEquals(0, LostWakeUps.takeUnreported(), "it was logged");
        channels.onFound();
        assertEquals(before + 1, LostWakeUps.total(), "once for each sleep");
    }

    @Test
    void shouldCountAWakeUpThatAnotherDeviceDoesNotBring()
    {
        NoLostWakeUps.pardon(1);
        final ShardChannels channels = channels(memory, wire);
        memory.sleepsReally = true;
        wire.hasEvent = true;
        assertFalse(channels.sleep(LONG_NS));
        channels.onFound();
        assertEquals(before + 1, LostWakeUps.total());
        assertTrue(channels.sleep(0), "the event is still there");
    }

    @Test
    void shouldNotCountAWakeUpThatComesALittleLater()
    {
        final ShardChannels channels = channels(wire);
        wire.sleepsReally = true;
        assertFalse(channels.sleep(LONG_NS));
        wire.hasEvent = true;
        channels.onFound();
        assertEquals(before, LostWakeUps.total());
    }

    @Test
    void shouldNotLookBackAtAShortSleep()
    {
        final ShardChannels channels = channels(wire);
        wire.sleepsReally = true;
        assertFalse(channels.sleep(1_000_000L));
        channels.onFound();
        assertEquals(List.of("sleep tcp"), calls);
        assertEquals(before, LostWakeUps.total());
    }

    @Test
    void shouldLookBackAtALongSleepThatADeadlineBounds()
    {
        NoLostWakeUps.pardon(1);
        final ShardChannels channels = channels(wire);
        wire.sleepsReally = true;
        assertFalse(channels.sleep(600_000_000L));
        channels.onFound();
        assertEquals(before + 1, LostWakeUps.total());
    }

    private ShardChannels channels(final Channel... all)
    {
        return new ShardChannels(
            Stream.of(all)
                .map((channel) -> new ShardDevice(channel.name, channel, queue(channel.name), LocalKeys.of(0)))
                .toList(),
            (device, reason) -> broken.add(device.name() + ": " + reason));
    }

    private CompletionQueue queue(final String name)
    {
        return (CompletionQueue)Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[]{CompletionQueue.class}, (proxy, method, arguments) ->
            {
                calls.add(method.getName() + " " + name);
                return method.getReturnType() == int.class ? 0 : null;
            });
    }

    private final class Channel implements CompletionChannel
    {
        private final String name;
        private final boolean wakesOthers;
        private final boolean isWokenByOthers;
        private String woken;
        private boolean hasEvent;
        private boolean isBroken;
        private boolean sleepsReally;
        private long longestNs;

        Channel(final String name, final boolean wakesOthers, final boolean isWokenByOthers)
        {
            this.name = name;
            this.wakesOthers = wakesOthers;
            this.isWokenByOthers = isWokenByOthers;
        }

        @Override
        public CompletionQueue awaitEvent(final long timeoutNs)
        {
            longestNs = Math.max(longestNs, timeoutNs);
            calls.add((timeoutNs > 0 ? "sleep " : "look ") + name);
            if (isBroken)
            {
                throw new VerbsException("get_cq_event", Errno.EIO, "gone");
            }
            final long endNs = System.nanoTime() + timeoutNs;
            while (sleepsReally && !hasEvent && System.nanoTime() - endNs < 0)
            {
                LockSupport.parkNanos(endNs - System.nanoTime());
            }
            final boolean hadEvent = hasEvent;
            hasEvent = false;
            return hadEvent ? queue(name) : null;
        }

        @Override
        public void wakeUp()
        {
            calls.add("wakeUp " + name);
        }

        @Override
        public boolean wake(final CompletionChannel other)
        {
            if (!wakesOthers || !((Channel)other).isWokenByOthers)
            {
                return false;
            }
            woken = ((Channel)other).name;
            return true;
        }

        @Override
        public void close()
        {
            throw new UnsupportedOperationException();
        }
    }
}

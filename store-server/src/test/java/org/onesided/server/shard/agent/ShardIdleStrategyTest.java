package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.onesided.server.memory.LocalKeys;
import org.onesided.testing.NoLostWakeUps;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.waiting.LostWakeUps;

class ShardIdleStrategyTest
{
    private final List<String> calls = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private long completions;
    private final CompletionQueue queue = fake(CompletionQueue.class, (proxy, method, arguments) ->
    {
        calls.add(method.getName());
        return "requestNotify".equals(method.getName()) ? 0 : null;
    });

    @Test
    void shouldArmThenSleepAndAcknowledge()
    {
        final ShardIdleStrategy strategy = strategy(queue);
        strategy.idle(0);
        strategy.idle(0);
        strategy.idle(0);
        assertEquals(List.of("requestNotify", "awaitEvent", "acknowledgeEvents", "requestNotify"), calls);
        assertEquals(List.of(), reasons);
    }

    @Test
    void shouldTellOnceThatItsChannelIsBrokenAndLeaveItAlone()
    {
        final ShardIdleStrategy strategy = strategy(new VerbsException("get_cq_event", Errno.EIO, "gone"));
        for (int i = 0; i < 4; i++)
        {
            strategy.idle(0);
        }
        strategy.idle(1);
        strategy.idle(0);
        strategy.idle(0);
        assertEquals(1, calls.stream().filter("awaitEvent"::equals).count());
        assertEquals(1, reasons.size());
        assertTrue(reasons.get(0).contains("gone"), reasons.get(0));
    }

    @Test
    void shouldLookForTheWakeUpOfCompletionsThatAPollFindsAfterASleep()
    {
        final long before = LostWakeUps.total();
        NoLostWakeUps.pardon(1);
        final ShardIdleStrategy strategy = strategy(null);
        strategy.idle(0);
        strategy.idle(0);
        strategy.idle(3);
        assertEquals(List.of("requestNotify", "awaitEvent"), calls, "what was done had not to do with completions");
        assertEquals(before, LostWakeUps.total());

        strategy.idle(0);
        strategy.idle(0);
        completions++;
        strategy.idle(1);
        assertEquals(List.of("requestNotify", "awaitEvent", "requestNotify", "awaitEvent", "awaitEvent"), calls);
        assertEquals(before + 1, LostWakeUps.total());
    }

    /** The event is a queue, or what waiting for one throws, or null if none comes. */
    private ShardIdleStrategy strategy(final Object event)
    {
        final CompletionChannel channel = fake(CompletionChannel.class, (proxy, method, arguments) ->
        {
            calls.add(method.getName());
            if (event == null)
            {
                final long endNs = System.nanoTime() + (long)arguments[0];
                while (System.nanoTime() - endNs < 0)
                {
                    LockSupport.parkNanos(endNs - System.nanoTime());
                }
            }
            if (event instanceof VerbsException)
            {
                throw (VerbsException)event;
            }
            return event;
        });
        return new ShardIdleStrategy(
            new ShardChannels(
                List.of(new ShardDevice("shm", channel, queue, LocalKeys.of(0))),
                (device, reason) -> reasons.add(reason)),
            0,
            () -> Long.MAX_VALUE,
            () -> completions);
    }

    private static <T> T fake(final Class<T> type, final InvocationHandler handler)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}

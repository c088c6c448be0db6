package org.onesided.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LendingGateTest
{
    private static LendingGate gate(final int most)
    {
        return new LendingGate(new LendingBound(1, most), (timeNs) -> 0);
    }

    private static long in(final long seconds)
    {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void shouldLetInAsManyAsThereArePlaces()
    {
        final LendingGate gate = gate(1);
        assertTrue(gate.tryEnter());
        assertFalse(gate.tryEnter());
        gate.leave();
        assertTrue(gate.tryEnter());
        assertEquals(1, gate.lent());
    }

    @Test
    void shouldEndTheWaitAtTheDeadline() throws InterruptedException
    {
        final LendingGate gate = gate(1);
        gate.tryEnter();
        assertFalse(gate.enter(System.nanoTime() + 5_000_000));
        assertEquals(0, gate.waiting());
        gate.leave();
        assertEquals(0, gate.lent());
    }

    @Test
    void shouldEndTheWaitOfAnInterruptedThread()
    {
        final LendingGate gate = gate(1);
        gate.tryEnter();
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> gate.enter(in(60)));
        assertEquals(0, gate.waiting());
        assertEquals(1, gate.lent());
    }

    @Test
    void shouldSendAwayWhoWaitsWhenItIsClosed() throws InterruptedException
    {
        final LendingGate gate = gate(1);
        gate.tryEnter();
        final AtomicInteger sentAway = new AtomicInteger();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            threads.add(start(() -> sentAway.addAndGet(gate.enter(in(100)) ? 0 : 1)));
        }
        while (gate.waiting() < 3)
        {
            Thread.onSpinWait();
        }
        gate.close();
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(3, sentAway.get());
        assertFalse(gate.enter(in(60)));
    }

    @Test
    void shouldLetThoseInWhoWaitForOneThatStays() throws InterruptedException
    {
        final LendingGate gate = gate(3);
        assertTrue(gate.tryEnter());
        // The first stays for ever: so there is a second place, and a third.
        assertTrue(gate.enter(in(60)));
        assertTrue(gate.enter(in(60)));
        assertFalse(gate.enter(System.nanoTime() + 20_000_000));
    }

    @Test
    void shouldServeThoseWhoWaitInTheirOrderThoughAnotherComesBackAtOnce() throws InterruptedException
    {
        final LendingGate gate = gate(1);
        gate.tryEnter();
        final List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            final int number = i;
            threads.add(start(() ->
            {
                if (gate.enter(in(100)))
                {
                    order.add(number);
                    gate.leave();
                }
            }));
            while (gate.waiting() < i + 1)
            {
                Thread.onSpinWait();
            }
        }
        while (order.size() < 4)
        {
            gate.leave();
            if (!gate.tryEnter() && !gate.enter(in(100)))
            {
                throw new AssertionError("no place");
            }
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(List.of(0, 1, 2, 3), order);
        gate.leave();
        assertEquals(0, gate.lent());
    }

    /** Each does its part, none more than one is in, and places are not handed on at each operation. */
    @Test
    void shouldLetAllDoTheirPart() throws InterruptedException
    {
        final int count = 8;
        final LendingGate gate = gate(1);
        final AtomicBoolean isOver = new AtomicBoolean();
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger wrong = new AtomicInteger();
        final AtomicLongArray done = new AtomicLongArray(count);
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final int number = i;
            threads.add(start(() ->
            {
                while (!isOver.get())
                {
                    if (!gate.tryEnter() && !gate.enter(in(100)))
                    {
                        wrong.incrementAndGet();
                    }
                    wrong.addAndGet(inside.incrementAndGet() == 1 ? 0 : 1);
                    inside.decrementAndGet();
                    done.incrementAndGet(number);
                    gate.leave();
                }
            }));
        }
        for (int i = 0; i < count; i++)
        {
            while (done.get(i) < 100)
            {
                Thread.onSpinWait();
            }
        }
        isOver.set(true);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(0, wrong.get());
        assertEquals(0, gate.lent());
        assertEquals(0, gate.waiting());
    }

    private interface Task
    {
        void run() throws InterruptedException;
    }

    private static Thread start(final Task task)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                task.run();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }, "gate");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}

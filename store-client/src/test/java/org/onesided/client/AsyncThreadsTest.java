package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsyncThreadsTest
{
    private static final String NAME = "shared-by-test ";
    private static final int USUAL = 2;

    private final AsyncThreads threads = new AsyncThreads(NAME, USUAL);
    private final Set<Thread> seen = ConcurrentHashMap.newKeySet();
    /** Ends all that block. */
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean isOver;

    /** Works for a number of turns, and goes to the end of the queue after each. */
    private final class Turns implements AsyncThreads.Office
    {
        private final CountDownLatch left;
        private int count;

        Turns(final int count, final CountDownLatch left)
        {
            this.count = count;
            this.left = left;
        }

        @Override
        public boolean run()
        {
            seen.add(Thread.currentThread());
            count--;
            return false;
        }

        @Override
        public void left()
        {
            if (count > 0 && !isOver)
            {
                threads.execute(this, false);
            }
            else
            {
                left.countDown();
            }
        }

        @Override
        public void wakeUp()
        {
            // It does not sleep.
        }
    }

    /** Sleeps until another waits for its thread. */
    private final class Sleeper implements AsyncThreads.Office
    {
        private volatile Thread thread;

        @Override
        public boolean run()
        {
            thread = Thread.currentThread();
            while (!threads.areWanted() && end.getCount() > 0)
            {
                LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
            }
            return true;
        }

        @Override
        public void left()
        {
            thread = null;
        }

        @Override
        public void wakeUp()
        {
            LockSupport.unpark(thread);
        }
    }

    /** Keeps its thread. */
    private final class Blocker implements AsyncThreads.Office
    {
        private final CountDownLatch begun;

        Blocker(final CountDownLatch begun)
        {
            this.begun = begun;
        }

        @Override
        public boolean run()
        {
            begun.countDown();
            try
            {
                end.await();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
            return true;
        }

        @Override
        public void left()
        {
            // It is not run again.
        }

        @Override
        public void wakeUp()
        {
            // It keeps its thread.
        }
    }

    @AfterEach
    void stop() throws InterruptedException
    {
        end.countDown();
        threads.close();
        // The close waits for no thread that is with a client.
        while (!alive().isEmpty())
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static List<Thread> alive()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> thread.getName().startsWith(NAME)).toList();
    }

    @Test
    void shouldLetManyTakeTurnsOnFewThreads() throws Exception
    {
        final int count = 200;
        final CountDownLatch left = new CountDownLatch(count);
        for (int i = 0; i < count; i++)
        {
            threads.execute(new Turns(50, left), false);
        }
        left.await();
        assertTrue(seen.size() <= USUAL, seen.toString());
        assertFalse(threads.areWanted());
    }

    @Test
    void shouldWakeOneThatSleepsWhenAnotherWaits() throws Exception
    {
        final List<Sleeper> sleepers = new ArrayList<>();
        for (int i = 0; i < USUAL; i++)
        {
            final Sleeper sleeper = new Sleeper();
            sleepers.add(sleeper);
            assertFalse(threads.execute(sleeper, false));
            while (sleeper.thread == null)
            {
                Thread.onSpinWait();
            }
        }
        final CountDownLatch left = new CountDownLatch(1);
        threads.execute(new Turns(1, left), false);
        left.await();
        assertEquals(USUAL, alive().size());
        end.countDown();
        sleepers.forEach(Sleeper::wakeUp);
    }

    @Test
    void shouldGiveOthersThreadsWhereAllAreKept() throws Exception
    {
        final CountDownLatch begun = new CountDownLatch(USUAL);
        for (int i = 0; i < USUAL; i++)
        {
            threads.execute(new Blocker(begun), false);
        }
        begun.await();
        final CountDownLatch left = new CountDownLatch(3);
        for (int i = 0; i < 3; i++)
        {
            assertTrue(threads.execute(new Turns(1, left), false));
        }
        final long nowNs = System.nanoTime();
        assertTrue(threads.look(nowNs));
        assertTrue(threads.look(nowNs + TimeUnit.MILLISECONDS.toNanos(200)));
        assertEquals(USUAL, alive().size());
        threads.look(nowNs + TimeUnit.MILLISECONDS.toNanos(250));
        left.await();
        assertFalse(threads.look(nowNs));
        // What was started for them ends.
        while (alive().size() > USUAL)
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Test
    void shouldEndFurtherThreadsAlsoWhileOthersWait() throws Exception
    {
        final CountDownLatch begun = new CountDownLatch(USUAL);
        for (int i = 0; i < USUAL; i++)
        {
            threads.execute(new Blocker(begun), false);
        }
        begun.await();
        final int count = 20;
        final CountDownLatch left = new CountDownLatch(count);
        for (int i = 0; i < count; i++)
        {
            threads.execute(new Turns(Integer.MAX_VALUE, left), false);
        }
        final long nowNs = System.nanoTime();
        threads.look(nowNs);
        threads.look(nowNs + TimeUnit.MILLISECONDS.toNanos(250));
        end.countDown();
        // All take turns for ever, but on as many threads as usual.
        while (alive().size() > USUAL)
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        isOver = true;
        left.await();
    }

    @Test
    void shouldHaveNoThreadAfterTheClose() throws Exception
    {
        final CountDownLatch left = new CountDownLatch(USUAL);
        for (int i = 0; i < USUAL; i++)
        {
            threads.execute(new Turns(1, left), false);
        }
        left.await();
        threads.close();
        for (final Thread thread : alive())
        {
            // The close does not wait for one that has ended but for its last steps: it sleeps no more.
            final Thread.State state = thread.getState();
            assertTrue(state == Thread.State.RUNNABLE || state == Thread.State.TERMINATED, thread + " " + state);
            thread.join();
        }
    }

    @Test
    void shouldStartAnotherThreadWhereThatIsUrgent() throws Exception
    {
        final CountDownLatch begun = new CountDownLatch(USUAL + 1);
        for (int i = 0; i < USUAL; i++)
        {
            threads.execute(new Blocker(begun), false);
        }
        assertFalse(threads.execute(new Blocker(begun), true));
        begun.await();
    }

    @Test
    void shouldGoOnAfterAFailure() throws Exception
    {
        final AtomicInteger left = new AtomicInteger();
        final AsyncThreads.Office bad = new AsyncThreads.Office()
        {
            @Override
            public boolean run()
            {
                throw new IllegalStateException("bad");
            }

            @Override
            public void left()
            {
                left.incrementAndGet();
            }

            @Override
            public void wakeUp()
            {
                // It does not sleep.
            }
        };
        for (int i = 0; i < 10; i++)
        {
            threads.execute(bad, false);
        }
        while (left.get() < 10)
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertTrue(alive().size() <= USUAL);
    }
}

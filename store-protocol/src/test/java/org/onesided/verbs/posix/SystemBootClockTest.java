package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.BootClock;

class SystemBootClockTest
{
    /** What /proc/uptime counts in hundredths of a second. */
    private static final long GRAIN_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int THREADS = 4;
    private static final int READINGS = 4_000_000;

    private static long uptimeNs() throws Exception
    {
        final String seconds = Files.readString(Path.of("/proc/uptime")).split(" ")[0];
        return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(seconds.replace(".", "")) * 10);
    }

    @Test
    void shouldCountFromTheStartOfTheMachine() throws Exception
    {
        final BootClock clock = BootClock.system();
        final long beforeNs = uptimeNs();
        final long nowNs = clock.nanoTime();
        final long afterNs = uptimeNs();
        assertTrue(nowNs >= beforeNs - GRAIN_NS && nowNs <= afterNs + GRAIN_NS,
            () -> "before=" + beforeNs + " now=" + nowNs + " after=" + afterNs);
    }

    @Test
    void shouldNeverGoBack()
    {
        final BootClock clock = BootClock.system();
        long last = clock.nanoTime();
        for (int i = 0; i < 100_000; i++)
        {
            final long next = clock.nanoTime();
            assertTrue(next >= last);
            last = next;
        }
    }

    /** The threads of a client share its clock. */
    @Test
    void shouldNeverGoBackForThreadsThatShareIt() throws Exception
    {
        final BootClock clock = BootClock.system();
        final AtomicLong mostNs = new AtomicLong();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++)
        {
            threads.add(new Thread(() -> mostNs.accumulateAndGet(longestStepBackNs(clock), Math::max), "clock-" + i));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(0, mostNs.get());
    }

    private static long longestStepBackNs(final BootClock clock)
    {
        long longest = 0;
        long last = clock.nanoTime();
        for (int i = 0; i < READINGS; i++)
        {
            final long next = clock.nanoTime();
            longest = Math.max(longest, last - next);
            last = next;
        }
        return longest;
    }
}

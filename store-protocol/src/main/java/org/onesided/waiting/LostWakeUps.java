package org.onesided.waiting;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the lost wake-ups of this process: a thread slept until the cap of its sleep, although its event had come.
 * Several indicate a fault of this project, of a device or of the kernel; the cap turns each into a delay. A single one
 * may be due to a process that was stopped just before it woke the other. Thread-safe.
 */
public final class LostWakeUps
{
    /**
     * A wake-up may come so many nanoseconds later than its event: the thread that brings it may have been taken from
     * its core just before.
     */
    public static final long GRACE_NS = 200_000_000;

    private static final AtomicLong TOTAL = new AtomicLong();
    private static final AtomicLong REPORTED = new AtomicLong();

    private LostWakeUps()
    {
    }

    /** Counts a sleep that reached its cap although the thread's event had come. */
    public static void add()
    {
        TOTAL.incrementAndGet();
    }

    /**
     * @return how many there were since the process began.
     */
    public static long total()
    {
        return TOTAL.get();
    }

    /**
     * @return number of lost wake-ups since the last call, so that each is logged once.
     */
    public static long takeUnreported()
    {
        final long total = TOTAL.get();
        final long reported = REPORTED.get();
        return total > reported && REPORTED.compareAndSet(reported, total) ? total - reported : 0;
    }
}

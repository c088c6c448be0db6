package org.onesided.iwarp;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Fuzzes the device {@code tcp}; what {@code tests/run fuzz} runs.
 */
public final class FuzzMain
{
    private static final int ACTIVE = 4;
    private static final int WARM_UP = 2000;
    /** Conversations until all classes are there, and what they open for good. */
    private static final int FIRST = 20;
    private static final long MAX_DIRECT_BYTES = 64L << 20;
    private static final long MAX_GROWTH_BYTES = 256L << 20;

    private FuzzMain()
    {
    }

    /**
     * @param arguments {@code --frames N}, {@code --seconds N}, {@code --seed N}, {@code --from N}: how many frames, at
     *                  most how long, of which seed, from which conversation on.
     * @throws Exception if the device does what it should not.
     */
    public static void main(final String[] arguments) throws Exception
    {
        long frames = 10_000_000;
        long seconds = TimeUnit.DAYS.toSeconds(1);
        long seed = System.nanoTime();
        long from = 0;
        for (int i = 0; i + 1 < arguments.length; i += 2)
        {
            final long value = Long.parseLong(arguments[i + 1]);
            switch (arguments[i])
            {
                case "--frames" -> frames = value;
                case "--seconds" -> seconds = value;
                case "--seed" -> seed = value;
                case "--from" -> from = value;
                default -> throw new IllegalArgumentException("no such option: option=" + arguments[i]);
            }
        }
        System.out.println(run(frames, seconds, seed, from, true));
    }

    /**
     * Fuzzes, and looks that nothing is left behind.
     *
     * @return what was done.
     */
    static String run(
        final long frames, final long seconds, final long seed, final long from, final boolean isTold)
        throws Exception
    {
        final AtomicReference<Throwable> escaped = new AtomicReference<>();
        final Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> escaped.compareAndSet(null, e));
        final long descriptors;
        final long threads;
        try (FuzzRun passive = new FuzzRun(seed, false); FuzzRun active = new FuzzRun(~seed, true))
        {
            for (int i = 0; i < FIRST; i++)
            {
                passive.converse(i);
                active.converse(i);
            }
        }
        descriptors = descriptors();
        threads = Thread.activeCount();
        final long beginNs = System.nanoTime();
        final String done;
        long resident = 0;
        try (FuzzRun passive = new FuzzRun(seed, false); FuzzRun active = new FuzzRun(~seed, true))
        {
            long nextNs = beginNs;
            for (long i = from; passive.frames() + active.frames() < frames &&
                System.nanoTime() - beginNs < TimeUnit.SECONDS.toNanos(seconds); i++)
            {
                (i % ACTIVE == 0 ? active : passive).converse(i);
                if (escaped.get() != null)
                {
                    throw new AssertionError("seed=" + seed + " conversation=" + i, escaped.get());
                }
                resident = i == from + WARM_UP ? resident() : resident;
                if (isTold && System.nanoTime() - nextNs >= 0)
                {
                    nextNs += TimeUnit.SECONDS.toNanos(10);
                    System.out.println(tell(seed, passive, active));
                }
            }
            done = tell(seed, passive, active) + " ms=" +
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs) + " processor-ms=" + processorMs();
        }
        finally
        {
            Thread.setDefaultUncaughtExceptionHandler(handler);
        }
        final long growth = resident == 0 ? 0 : resident() - resident;
        check("resident bytes more", growth, MAX_GROWTH_BYTES);
        check("direct bytes", direct(), MAX_DIRECT_BYTES);
        check("threads", Thread.activeCount(), threads);
        // What is left of connections is closed with the context.
        check("file descriptors", descriptors(), descriptors);
        return done + " growth=" + growth;
    }

    private static String tell(final long seed, final FuzzRun passive, final FuzzRun active)
    {
        return "seed=" + seed + " frames=" + (passive.frames() + active.frames()) + " passive: " + passive +
            " active: " + active;
    }

    private static void check(final String what, final long value, final long most)
    {
        if (value > most)
        {
            throw new AssertionError("left behind: " + what + ": " + value + ", before " + most);
        }
    }

    private static long descriptors() throws IOException
    {
        try (var files = Files.list(Path.of("/proc/self/fd")))
        {
            return files.count();
        }
    }

    private static long resident() throws IOException
    {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
    }

    private static long processorMs()
    {
        return ProcessHandle.current().info().totalCpuDuration().map(Duration::toMillis).orElse(-1L);
    }

    private static long direct()
    {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter((pool) -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }
}

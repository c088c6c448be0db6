package org.onesided.verbs.posix;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.BootClock;
import org.onesided.verbs.VerbsException;

/**
 * CLOCK_BOOTTIME, which Linux has since 2.6.39. It is read without a system call. Thread-safe.
 */
public final class SystemBootClock implements BootClock
{
    /** Makes them. */
    public static final class Provider implements BootClock.Provider
    {
        /**
         * Called by the service loader.
         */
        public Provider()
        {
        }

        @Override
        public BootClock create()
        {
            return new SystemBootClock();
        }
    }

    private static final int CLOCK_BOOTTIME = 7;

    /**
     * A {@code struct timespec} of each thread, seconds and nanoseconds. With one for all, a thread that stands still
     * while the clock is written would let another one read a time that is long past, and believe a lease that is over.
     */
    private final ThreadLocal<ByteBuffer> times =
        ThreadLocal.withInitial(() -> BufferUtil.allocateDirectAligned(2 * Long.BYTES, Long.BYTES));

    private SystemBootClock()
    {
    }

    @Override
    public long nanoTime()
    {
        final long address = BufferUtil.address(times.get());
        if (PosixCalls.clock_gettime(CLOCK_BOOTTIME, address) != 0)
        {
            throw new VerbsException("clock_gettime", CLibrary.errno(), "the clock cannot be read: clock=boottime");
        }
        return TimeUnit.SECONDS.toNanos(UnsafeApi.getLong(address)) + UnsafeApi.getLong(address + Long.BYTES);
    }
}

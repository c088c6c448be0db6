package org.onesided.verbs.posix;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.BootClock;
import org.onesided.verbs.VerbsException;

/**
 * CLOCK_BOOTTIME, which Linux has since 2.6.39. It is read without a system call. Belongs to one thread.
 */
public final class SystemBootClock implements BootClock
{
    /** Makes one for each thread. */
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

    /** A {@code struct timespec}: seconds and nanoseconds. Freed with this object. */
    private final ByteBuffer time = BufferUtil.allocateDirectAligned(2 * Long.BYTES, Long.BYTES);
    private final long address = BufferUtil.address(time);

    private SystemBootClock()
    {
    }

    @Override
    public long nanoTime()
    {
        if (PosixCalls.clock_gettime(CLOCK_BOOTTIME, address) != 0)
        {
            throw new VerbsException("clock_gettime", CLibrary.errno(), "the clock cannot be read: clock=boottime");
        }
        return TimeUnit.SECONDS.toNanos(UnsafeApi.getLong(address)) + UnsafeApi.getLong(address + Long.BYTES);
    }
}

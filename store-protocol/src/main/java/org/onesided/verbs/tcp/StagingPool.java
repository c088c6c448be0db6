package org.onesided.verbs.tcp;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.agrona.BufferUtil;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.SpinLock;

/**
 * The unused staging buffers of a context. A connection holds one only while it has bytes in transit, so that thousands
 * of idle connections need none. Thread-safe.
 */
final class StagingPool
{
    /** Above this total, returned buffers are freed. */
    private static final int CAPACITY = 64;
    /** Usable part of Java's direct memory; the rest of the process also needs some. */
    private static final double SHARE = 0.75;
    /** Part of the heap that connections may use instead of direct memory. */
    private static final int HEAP_FRACTION = 8;

    private final SpinLock lock = new SpinLock();
    private final StagingBuffer[] free = new StagingBuffer[CAPACITY];
    private final int most;
    private final long mostAside;
    private int count;
    private int existing;
    private long aside;

    StagingPool()
    {
        this((long)(SHARE * maxDirectMemory()), Runtime.getRuntime().maxMemory() / HEAP_FRACTION);
    }

    /**
     * @param length      of all buffers together, in bytes: near the end of its memory Java would try for half a second
     *                    to find more, and all connections would wait for that.
     * @param asideLength of all that may be set aside, in bytes.
     */
    StagingPool(final long length, final long asideLength)
    {
        mostAside = asideLength;
        most = (int)Math.max(1, Math.min(Integer.MAX_VALUE, length / StagingBuffer.CAPACITY));
    }

    /**
     * @throws VerbsException with {@code ENOMEM} if there is no memory for another.
     */
    StagingBuffer take()
    {
        lock.acquire();
        final StagingBuffer buffer = count == 0 ? null : free[--count];
        final boolean mayAllocate = buffer == null && existing < most;
        existing += mayAllocate ? 1 : 0;
        lock.release();
        if (buffer != null)
        {
            return buffer;
        }
        if (!mayAllocate)
        {
            throw none(null);
        }
        try
        {
            return StagingBuffer.allocate();
        }
        catch (final OutOfMemoryError ex)
        {
            freed();
            throw none(ex);
        }
    }

    void giveBack(final StagingBuffer buffer)
    {
        lock.acquire();
        final boolean keeps = count < CAPACITY;
        if (keeps)
        {
            free[count++] = buffer;
        }
        lock.release();
        if (!keeps)
        {
            BufferUtil.free(buffer.bytes());
            freed();
        }
    }

    /**
     * Once half of the buffers are in use, those whose bytes only wait for a peer are to hold none: they have their
     * bytes set aside, so that a few slow peers, or hostile ones, do not take from all others what they send and
     * receive with.
     *
     * @param length in bytes.
     * @return memory to set bytes aside in, or null if they may stay in their buffer, or there is no room.
     */
    byte[] setAside(final int length)
    {
        lock.acquire();
        final boolean mayAllocate = existing - count > most / 2 && aside + length <= mostAside;
        aside += mayAllocate ? length : 0;
        lock.release();
        if (!mayAllocate)
        {
            return null;
        }
        try
        {
            return new byte[length];
        }
        catch (final OutOfMemoryError ex)
        {
            forget(length);
            return null;
        }
    }

    /**
     * Memory that bytes were set aside in is not needed any more.
     *
     * @param length of it in bytes.
     */
    void forget(final int length)
    {
        lock.acquire();
        aside -= length;
        lock.release();
    }

    private void freed()
    {
        lock.acquire();
        existing--;
        lock.release();
    }

    private VerbsException none(final Throwable cause)
    {
        return new VerbsException("post_send", Errno.ENOMEM,
            "no memory to send or receive with, raise -XX:MaxDirectMemorySize or connect fewer: buffers=" + most +
                " length=" + StagingBuffer.CAPACITY, cause);
    }

    private static long maxDirectMemory()
    {
        final HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        final long asked = options == null ? 0 : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        // Without the option, the limit of direct memory is that of the heap.
        return asked > 0 ? asked : Runtime.getRuntime().maxMemory();
    }
}

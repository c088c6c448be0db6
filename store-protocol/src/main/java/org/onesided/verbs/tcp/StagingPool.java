package org.onesided.verbs.tcp;

import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.SpinLock;

/**
 * The staging buffers of a context that are not in use: a connection holds one only while bytes are on their way, so
 * that thousands of idle ones need none. Thread-safe.
 */
final class StagingPool
{
    /** Beyond it, buffers that come back are left to the garbage collector. */
    private static final int CAPACITY = 64;

    private final SpinLock lock = new SpinLock();
    private final StagingBuffer[] free = new StagingBuffer[CAPACITY];
    private int count;

    /**
     * @throws VerbsException with {@code ENOMEM} if there is no memory for another.
     */
    StagingBuffer take()
    {
        lock.acquire();
        final StagingBuffer buffer = count == 0 ? null : free[--count];
        lock.release();
        if (buffer != null)
        {
            return buffer;
        }
        try
        {
            return StagingBuffer.allocate();
        }
        catch (final OutOfMemoryError ex)
        {
            throw new VerbsException("post_send", Errno.ENOMEM,
                "no memory to send or receive with, raise -XX:MaxDirectMemorySize: length=" + StagingBuffer.CAPACITY,
                ex);
        }
    }

    void giveBack(final StagingBuffer buffer)
    {
        lock.acquire();
        if (count < CAPACITY)
        {
            free[count++] = buffer;
        }
        lock.release();
    }
}

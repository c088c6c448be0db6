package org.onesided.verbs.shm;

import org.agrona.UnsafeApi;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.posix.PollDescriptor;
import org.onesided.verbs.posix.Posix;

/**
 * A FIFO, open at both ends, on which threads sleep until a byte is written to it. Thread-safe.
 */
final class Bell implements AutoCloseable
{
    private static final int DRAIN_LENGTH = 4096;
    private static final int DRAIN_OFFSET = 64;
    private static final int RING_OFFSET = PollDescriptor.LENGTH;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final int fd;
    private final NativeArray memory = new NativeArray(DRAIN_OFFSET + DRAIN_LENGTH);
    private final long base = memory.range().address();
    private boolean open = true;
    private int sleepers;

    Bell(final int fd)
    {
        this.fd = fd;
        UnsafeApi.putInt(base + PollDescriptor.FD_OFFSET, fd);
        UnsafeApi.putShort(base + PollDescriptor.EVENTS_OFFSET, (short)Posix.POLLIN);
        UnsafeApi.putByte(base + RING_OFFSET, (byte)1);
    }

    /**
     * Rings; if it is closed, nobody is there to hear it.
     */
    synchronized void ring()
    {
        if (open)
        {
            // If the FIFO is full, whoever sleeps is woken anyhow.
            Posix.write(fd, base + RING_OFFSET, 1);
        }
    }

    /**
     * Forgets what was rung before. What is left of more than a FIFO holds wakes a sleeper once more.
     */
    synchronized void clear()
    {
        if (open)
        {
            Posix.read(fd, base + DRAIN_OFFSET, DRAIN_LENGTH);
        }
    }

    /**
     * @param timeoutNs rounded up to milliseconds.
     */
    void await(final long timeoutNs)
    {
        synchronized (this)
        {
            if (!open)
            {
                return;
            }
            sleepers++;
        }
        try
        {
            final long timeoutMs = Math.min((timeoutNs - 1) / NANOS_PER_MILLI + 1, Integer.MAX_VALUE);
            Posix.poll(base, 1, (int)timeoutMs);
        }
        finally
        {
            leave();
        }
    }

    /**
     * Wakes all sleepers; the last of them releases what the kernel writes to while they sleep.
     */

    @Override
    public synchronized void close()
    {
        if (open)
        {
            ring();
            open = false;
            if (sleepers == 0)
            {
                release();
            }
        }
    }

    private synchronized void leave()
    {
        sleepers--;
        if (!open && sleepers == 0)
        {
            release();
        }
    }

    private void release()
    {
        Posix.close(fd);
        memory.close();
    }
}

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
    private static final int MAX_DESCRIPTORS = 4;
    private static final int RING_OFFSET = MAX_DESCRIPTORS * PollDescriptor.LENGTH;
    private static final int BROKEN = Posix.POLLERR | Posix.POLLHUP | Posix.POLLNVAL;
    /** File descriptor that poll(2) ignores. */
    private static final int NO_DESCRIPTOR = -1;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final int fd;
    private final NativeArray memory = new NativeArray(DRAIN_OFFSET + DRAIN_LENGTH);
    private final long base = memory.range().address();
    private boolean open = true;
    private int sleepers;
    private int descriptors = 1;

    Bell(final int fd)
    {
        this.fd = fd;
        describe(0, fd);
        UnsafeApi.putByte(base + RING_OFFSET, (byte)1);
    }

    /**
     * Rings the bell. Does nothing after it was closed.
     */
    synchronized void ring()
    {
        if (open)
        {
            // A full FIFO wakes its reader in any case.
            Posix.write(fd, base + RING_OFFSET, 1);
        }
    }

    /**
     * Clears earlier rings. If more rings are pending than the FIFO holds, the rest wakes a sleeper once more.
     *
     * @return whether it was rung.
     */
    synchronized boolean clear()
    {
        return open && Posix.read(fd, base + DRAIN_OFFSET, DRAIN_LENGTH) > 0;
    }

    /**
     * Lets sleepers, from the next on, wake while there is something to read from another file descriptor, too.
     *
     * @return whether there is room for it.
     */
    synchronized boolean alsoAwait(final int descriptor)
    {
        for (int i = 1; i < descriptors; i++)
        {
            if (UnsafeApi.getInt(at(i) + PollDescriptor.FD_OFFSET) == descriptor)
            {
                return true;
            }
        }
        if (!open || descriptors == MAX_DESCRIPTORS)
        {
            return false;
        }
        describe(descriptors++, descriptor);
        return true;
    }

    /**
     * @param timeoutNs rounded up to milliseconds.
     * @return whether another file descriptor has something to read, or has failed and is left alone from now on.
     */
    boolean await(final long timeoutNs)
    {
        final int count;
        synchronized (this)
        {
            if (!open)
            {
                return false;
            }
            sleepers++;
            count = descriptors;
        }
        try
        {
            final long timeoutMs = Math.min((timeoutNs - 1) / NANOS_PER_MILLI + 1, Integer.MAX_VALUE);
            return Posix.poll(base, count, (int)timeoutMs) > 0 && checkOthers(count);
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

    /** Removes broken descriptors; whether one other than the FIFO is ready. */
    private synchronized boolean checkOthers(final int count)
    {
        boolean isReady = false;
        for (int i = 1; i < count; i++)
        {
            final int events = UnsafeApi.getShort(at(i) + PollDescriptor.RETURNED_EVENTS_OFFSET);
            isReady |= events != 0;
            if ((events & BROKEN) != 0)
            {
                describe(i, NO_DESCRIPTOR);
            }
        }
        return isReady;
    }

    private void describe(final int index, final int descriptor)
    {
        UnsafeApi.putInt(at(index) + PollDescriptor.FD_OFFSET, descriptor);
        UnsafeApi.putShort(at(index) + PollDescriptor.EVENTS_OFFSET, (short)Posix.POLLIN);
        UnsafeApi.putShort(at(index) + PollDescriptor.RETURNED_EVENTS_OFFSET, (short)0);
    }

    private long at(final int index)
    {
        return base + (long)index * PollDescriptor.LENGTH;
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

package org.onesided.verbs.ibv;

import org.agrona.UnsafeApi;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.posix.PollDescriptor;
import org.onesided.verbs.posix.Posix;

/**
 * Sleeps in poll(2) until a file descriptor is readable or another thread wakes the sleepers. Thread-safe.
 */
final class EventWait implements AutoCloseable
{
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int DESCRIPTORS = 2;
    private static final int BROKEN = Posix.POLLERR | Posix.POLLHUP | Posix.POLLNVAL;
    private static final int PIPE_OFFSET = DESCRIPTORS * PollDescriptor.LENGTH;
    private static final int BYTE_OFFSET = PIPE_OFFSET + 2 * Integer.BYTES;
    private static final int LENGTH = BYTE_OFFSET + Long.BYTES;

    /**
     * Shared by sleepers. A result of the kernel for one is valid for all: an error of the file descriptor is
     * permanent, and an overwritten one is reported again at once.
     */
    private final NativeArray memory = new NativeArray(LENGTH);
    private final long base = memory.range().address();
    private final int readEnd;
    private final int writeEnd;
    private boolean woken;
    private boolean open = true;
    private int sleepers;

    /**
     * @param fd to wait for; stays open while this is.
     */
    EventWait(final int fd)
    {
        boolean success = false;
        try
        {
            Posix.pipe(base + PIPE_OFFSET);
            success = true;
        }
        finally
        {
            if (!success)
            {
                memory.close();
            }
        }
        readEnd = UnsafeApi.getInt(base + PIPE_OFFSET);
        writeEnd = UnsafeApi.getInt(base + PIPE_OFFSET + Integer.BYTES);
        describe(base, fd);
        describe(base + PollDescriptor.LENGTH, readEnd);
    }

    /**
     * Sleeps until there is something to read, somebody calls {@link #wakeUp} or {@link #close}, or time is up. It may
     * also return for no reason.
     *
     * @param timeoutNs for how long at most, in nanoseconds from 1; rounded up to milliseconds.
     * @return false if there is nothing to read and never will be, since the device is gone; true once this is closed.
     */
    boolean await(final long timeoutNs)
    {
        synchronized (this)
        {
            if (!open)
            {
                return true;
            }
            sleepers++;
        }
        boolean isBroken = false;
        try
        {
            final long timeoutMs = Math.min((timeoutNs - 1) / NANOS_PER_MILLI + 1, Integer.MAX_VALUE);
            if (Posix.poll(base, DESCRIPTORS, (int)timeoutMs) > 0)
            {
                final int events = UnsafeApi.getShort(base + PollDescriptor.RETURNED_EVENTS_OFFSET);
                isBroken = (events & BROKEN) != 0 && (events & Posix.POLLIN) == 0;
            }
        }
        finally
        {
            isBroken &= leave();
        }
        return !isBroken;
    }

    /**
     * Wakes the sleepers, or lets the next one not sleep, until one of them calls {@link #takeWakeUp}.
     */
    synchronized void wakeUp()
    {
        if (open && !woken)
        {
            woken = true;
            Posix.write(writeEnd, base + BYTE_OFFSET, 1);
        }
    }

    /**
     * @return whether a thread woke the sleepers; this call resets that.
     */
    synchronized boolean takeWakeUp()
    {
        if (!open || !woken)
        {
            return false;
        }
        woken = false;
        Posix.read(readEnd, base + BYTE_OFFSET, 1);
        return true;
    }

    /**
     * Wakes all sleepers for good. The last of them frees the memory that the kernel uses while they sleep.
     */
    @Override
    public synchronized void close()
    {
        if (open)
        {
            wakeUp();
            open = false;
            if (sleepers == 0)
            {
                release();
            }
        }
    }

    /** Whether this is open; when it is not, the file descriptor may be another one already. */
    private synchronized boolean leave()
    {
        sleepers--;
        if (!open && sleepers == 0)
        {
            release();
        }
        return open;
    }

    private void release()
    {
        Posix.close(readEnd);
        Posix.close(writeEnd);
        memory.close();
    }

    private static void describe(final long address, final int fd)
    {
        UnsafeApi.putInt(address + PollDescriptor.FD_OFFSET, fd);
        UnsafeApi.putShort(address + PollDescriptor.EVENTS_OFFSET, (short)Posix.POLLIN);
    }
}

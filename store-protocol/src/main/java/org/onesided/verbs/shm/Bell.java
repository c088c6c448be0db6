package org.onesided.verbs.shm;

import org.agrona.UnsafeApi;
import org.onesided.verbs.NativeArray;

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

    Bell(final int fd)
    {
        this.fd = fd;
        UnsafeApi.putInt(base + PollDescriptor.FD_OFFSET, fd);
        UnsafeApi.putShort(base + PollDescriptor.EVENTS_OFFSET, (short)Posix.POLLIN);
        UnsafeApi.putByte(base + RING_OFFSET, (byte)1);
    }

    void ring()
    {
        // If it is full, whoever sleeps is woken anyhow.
        Posix.write(fd, base + RING_OFFSET, 1);
    }

    void clear()
    {
        long count;
        do
        {
            count = Posix.read(fd, base + DRAIN_OFFSET, DRAIN_LENGTH);
        }
        while (count == DRAIN_LENGTH);
    }

    /**
     * @param timeoutNs rounded up to milliseconds.
     */
    void await(final long timeoutNs)
    {
        final long timeoutMs = Math.min((timeoutNs - 1) / NANOS_PER_MILLI + 1, Integer.MAX_VALUE);
        Posix.poll(base, 1, (int)timeoutMs);
    }

    @Override
    public void close()
    {
        Posix.close(fd);
        memory.close();
    }
}

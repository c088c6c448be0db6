package org.onesided.server.shard;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Number of sessions that are connected to a shard over one device. Written by the shard's thread, read by any thread.
 */
final class DeviceSessions
{
    private final String device;
    private final AtomicLong count = new AtomicLong();

    /**
     * @param device name of the device's kind.
     */
    DeviceSessions(final String device)
    {
        this.device = device;
    }

    /** Name of the device's kind. */
    String device()
    {
        return device;
    }

    void count(final long sessions)
    {
        count.setOpaque(sessions);
    }

    long count()
    {
        return count.getOpaque();
    }
}

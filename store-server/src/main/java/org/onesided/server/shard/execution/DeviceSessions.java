package org.onesided.server.shard.execution;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Number of sessions that are connected to a shard over one device. Written by the shard's thread, read by any thread.
 */
public final class DeviceSessions
{
    private final String device;
    private final AtomicLong count = new AtomicLong();

    /**
     * @param device name of the device's kind.
     */
    public DeviceSessions(final String device)
    {
        this.device = device;
    }

    /**
     * @return name of the device's kind.
     */
    public String device()
    {
        return device;
    }

    /**
     * Tells how many there are.
     *
     * @param sessions that are connected now.
     */
    public void count(final long sessions)
    {
        count.setOpaque(sessions);
    }

    /**
     * @return how many sessions are connected. Safe to ask from any thread.
     */
    public long count()
    {
        return count.getOpaque();
    }
}

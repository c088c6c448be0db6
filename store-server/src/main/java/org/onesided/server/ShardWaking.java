package org.onesided.server;

import java.util.function.IntConsumer;

/**
 * Wakes shards whose logs have something for them, from when the shards are there until it is closed. Thread-safe.
 */
final class ShardWaking implements AutoCloseable
{
    private static final IntConsumer NOBODY = (shard) -> {};

    /** Shards are woken under this lock, so that none is after it is closed. */
    private final Object lock = new Object();
    private IntConsumer wake = NOBODY;

    /** The shards are there. */
    ShardWaking begin(final IntConsumer wakeUp)
    {
        synchronized (lock)
        {
            wake = wakeUp;
        }
        return this;
    }

    void wakeUp(final int shard)
    {
        synchronized (lock)
        {
            wake.accept(shard);
        }
    }

    @Override
    public void close()
    {
        synchronized (lock)
        {
            wake = NOBODY;
        }
    }
}

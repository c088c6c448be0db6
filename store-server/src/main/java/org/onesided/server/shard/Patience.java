package org.onesided.server.shard;

import java.util.concurrent.TimeUnit;

/**
 * Waits, for a bounded time, for memory that an index or a heap is about to give back: what is read back comes faster
 * than it was written, and an index that wants more gets what heaps can do without only when all clients have confirmed
 * it. Belongs to the shard's thread.
 */
final class Patience
{
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(60);

    private boolean isWaiting;
    private long sinceNs;

    /** There was room. */
    void reset()
    {
        isWaiting = false;
    }

    /** There is no room; whether there has been none for too long. */
    boolean isOver()
    {
        final long nowNs = System.nanoTime();
        sinceNs = isWaiting ? sinceNs : nowNs;
        isWaiting = true;
        return nowNs - sinceNs > WAIT_NS;
    }
}

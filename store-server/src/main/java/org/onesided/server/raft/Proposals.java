package org.onesided.server.raft;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what was proposed and is neither handed over nor failed. The shard's thread adds, Ratis' threads remove.
 */
final class Proposals
{
    private final AtomicInteger entries = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    boolean tryAdd(final int length)
    {
        if (entries.get() >= RaftSettings.MOST_PROPOSED ||
            bytes.get() + length > RaftSettings.MOST_PROPOSED_BYTES)
        {
            return false;
        }
        entries.getAndIncrement();
        bytes.getAndAdd(length);
        return true;
    }

    void remove(final int length)
    {
        entries.getAndDecrement();
        bytes.getAndAdd(-length);
    }

    boolean isEmpty()
    {
        return entries.get() == 0;
    }
}

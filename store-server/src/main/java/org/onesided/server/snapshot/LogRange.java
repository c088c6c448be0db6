package org.onesided.server.snapshot;

/**
 * Says which entries a shard's log holds.
 */
@FunctionalInterface
public interface LogRange
{
    /**
     * @param index of an entry.
     * @return whether the log is good, and holds all entries from its very first one up to this.
     */
    boolean isWholeUpTo(long index);
}

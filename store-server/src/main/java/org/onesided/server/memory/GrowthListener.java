package org.onesided.server.memory;

/**
 * Hears from the thread that makes a table's memory grow.
 */
public interface GrowthListener
{
    /**
     * A shard is to look again: it has more memory, or is refused more.
     *
     * @param shard number of the shard.
     */
    void onGrown(int shard);

    /**
     * Called once a second.
     */
    void onLook();

    /**
     * The thread ends, and no memory will come any more.
     *
     * @param cause what ended it.
     */
    void onFailed(Throwable cause);
}

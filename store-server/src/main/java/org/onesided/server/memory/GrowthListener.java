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
     * Memory is to be given back: has all clients confirm that they do not READ it any more. The next such call comes
     * after that.
     *
     * @param retired what is to be confirmed.
     * @param then    to be run, by any thread, when all have confirmed it.
     */
    void retire(RetiredMemory retired, Runnable then);

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

package org.onesided.verbs.shm;

/**
 * A peer's registered memory, as one queue pair reaches it. Not thread-safe; the queue pair's lock guards it.
 */
abstract class PeerMemory implements AutoCloseable
{
    /**
     * Finds a range; {@link #read} and {@link #write} then refer to it.
     *
     * @param key     of the region.
     * @param address in the peer's process.
     * @param length  in bytes.
     * @param access  that is needed.
     * @param domain  the protection domain of the peer's queue pair.
     * @return whether the peer grants it.
     */
    abstract boolean find(int key, long address, long length, int access, int domain);

    /**
     * Finds a range that will be read, as {@link #find} does.
     *
     * @return where it can be loaded from, or 0.
     */
    long localAddress(final int key, final long address, final long length, final int domain)
    {
        return 0;
    }

    /**
     * @param offset in the range that was found.
     * @param target address of local memory.
     * @param length in bytes.
     * @return whether it was read.
     */
    abstract boolean read(long offset, long target, long length);

    /**
     * @param offset in the range that was found.
     * @param source address of local memory.
     * @param length in bytes.
     * @return whether it was written.
     */
    abstract boolean write(long offset, long source, long length);

    /**
     * @return whether the region that was found is still registered.
     */
    abstract boolean isStillThere();

    /**
     * @return whether the peer's context is marked dead.
     */
    abstract boolean isMarkedDead();

    /**
     * @param compare with the old value.
     * @param swap    new value if equal.
     * @return the old value of the word at the start of the range that was found.
     */
    abstract long compareAndSwap(long compare, long swap);

    /**
     * @param delta to add.
     * @return the old value of the word at the start of the range that was found.
     */
    abstract long fetchAndAdd(long delta);

    @Override
    public abstract void close();
}

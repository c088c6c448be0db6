package org.onesided.verbs.shm;

/**
 * The memory of a peer that had gone when the connection was made: every access fails.
 */
final class LostPeerMemory extends PeerMemory
{
    @Override
    boolean find(final int key, final long address, final long length, final int access, final int domain)
    {
        return false;
    }

    @Override
    boolean read(final long offset, final long target, final long length)
    {
        return false;
    }

    @Override
    boolean write(final long offset, final long source, final long length)
    {
        return false;
    }

    @Override
    boolean isStillThere()
    {
        return false;
    }

    @Override
    boolean isMarkedDead()
    {
        return true;
    }

    @Override
    long compareAndSwap(final long compare, final long swap)
    {
        throw new UnsupportedOperationException("nothing can be found in the memory of a lost peer");
    }

    @Override
    long fetchAndAdd(final long delta)
    {
        throw new UnsupportedOperationException("nothing can be found in the memory of a lost peer");
    }

    @Override
    public void close()
    {
        // There is nothing to free.
    }
}

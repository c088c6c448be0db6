package org.onesided.server.eviction;

/**
 * Says of which keys clients are to report all lookups that find them: those of which so many low bits of the
 * fingerprint are zero. Written by a shard's thread, read by the acceptor's.
 */
public final class SampledKeys
{
    /** Of no key. */
    public static final int NONE = -1;

    private volatile int bits = NONE;

    void bits(final int wanted)
    {
        if (bits != wanted)
        {
            bits = wanted;
        }
    }

    /**
     * @return how many bits must be zero, from 0 to 16, or {@link #NONE}.
     */
    public int bits()
    {
        return bits;
    }
}

package org.onesided.client.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Sampled lookups on their way from a session's thread, which puts them in, to the life line's, which takes them out. A
 * full ring drops what is put in. The life line may pass over the oldest: a cache that has dropped a record meanwhile
 * learns little from its lookups.
 */
final class SampleRing
{
    /** Samples that the ring holds; a power of two. */
    static final int CAPACITY = 2048;

    private static final VarHandle WRITTEN;
    private static final VarHandle TAKEN;
    private static final VarHandle REFUSED;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            WRITTEN = lookup.findVarHandle(SampleRing.class, "written", long.class);
            TAKEN = lookup.findVarHandle(SampleRing.class, "taken", long.class);
            REFUSED = lookup.findVarHandle(SampleRing.class, "refused", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] hashes;
    private final boolean[] found;
    /** Samples so far that were put in, that found the ring full, that left it, and that left it unreported. */
    private long written;
    private long refused;
    private long taken;
    private long passedOver;

    /**
     * @param isUsed whether it takes samples; otherwise it has no memory.
     */
    SampleRing(final boolean isUsed)
    {
        hashes = new long[isUsed ? CAPACITY : 0];
        found = new boolean[hashes.length];
    }

    /** Puts a lookup in. For the session's thread. */
    void put(final long hash, final boolean isFound)
    {
        if (waiting() >= hashes.length)
        {
            REFUSED.setOpaque(this, refused + 1);
            return;
        }
        final int index = (int)written & CAPACITY - 1;
        hashes[index] = hash;
        found[index] = isFound;
        WRITTEN.setRelease(this, written + 1);
    }

    /** Samples that wait, as the session's thread sees it. */
    int waiting()
    {
        return (int)(written - (long)TAKEN.getAcquire(this));
    }

    /** Samples that wait. For the life line's thread, as all that follow. */
    int size()
    {
        return (int)(written() - taken);
    }

    /** Samples so far. */
    long written()
    {
        return (long)WRITTEN.getAcquire(this);
    }

    /** Hash of a sample's key; 0 is the oldest sample. */
    long hash(final int i)
    {
        return hashes[(int)(taken + i) & CAPACITY - 1];
    }

    /** Whether a sample's key was found. */
    boolean isFound(final int i)
    {
        return found[(int)(taken + i) & CAPACITY - 1];
    }

    /** Passes over the oldest, so that at most so many are left. */
    void keepNewest(final int count)
    {
        final int tooMany = size() - count;
        if (tooMany > 0)
        {
            passedOver += tooMany;
            remove(tooMany);
        }
    }

    /** Takes the oldest out. */
    void remove(final int count)
    {
        TAKEN.setRelease(this, taken + count);
    }

    /** Samples so far that will not be reported. */
    long dropped()
    {
        return (long)REFUSED.getOpaque(this) + passedOver;
    }
}

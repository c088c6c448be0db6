package org.onesided.client.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Takes a sample of a session's lookups over one attachment, for a server that evicts records and does not see READs: a
 * random one of all lookups, and all that find one of certain keys, of which the server says which. The session's
 * thread puts samples into two rings, from which the life line's takes them. The distance between two random samples is
 * random, so that lookups in a fixed order are sampled evenly.
 */
public final class AccessSampler
{
    /** One lookup in so many is sampled until the first report. */
    static final int FIRST_SAMPLING = 16;

    /** With so many samples in the rings, the next ones call for an early report. */
    static final int MANY = 64;

    private static final int FINGERPRINT_BITS = 16;
    private static final int FINGERPRINT_SHIFT = Long.SIZE - FINGERPRINT_BITS;

    private static final VarHandle KEY_MASK;
    private static final VarHandle KEY_MATCH;
    private static final VarHandle SAMPLING;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            KEY_MASK = lookup.findVarHandle(AccessSampler.class, "keyMask", long.class);
            KEY_MATCH = lookup.findVarHandle(AccessSampler.class, "keyMatch", long.class);
            SAMPLING = lookup.findVarHandle(AccessSampler.class, "sampling", int.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable onSample;
    private final Runnable onMany;
    private final boolean isActive;
    /** The random sample, and lookups that are reported because of their keys only. */
    private final SampleRing drawn;
    private final SampleRing keyed;
    /** Lookups until the next sample. */
    private long left;
    /** Hashes of keys of which all hits are sampled have these bits zero; no hash has bits that match -1. */
    private long keyMask;
    private long keyMatch = -1;
    private long random = ThreadLocalRandom.current().nextLong() | 1;
    private int sampling = FIRST_SAMPLING;

    /**
     * @param isActive whether the server asks for samples; otherwise no lookup is sampled.
     * @param onSample called by the session's thread at each sample; must not wait.
     * @param onMany   called instead while many samples are in the rings; must not wait.
     */
    AccessSampler(final boolean isActive, final Runnable onSample, final Runnable onMany)
    {
        this.onSample = onSample;
        this.onMany = onMany;
        this.isActive = isActive;
        drawn = new SampleRing(isActive);
        keyed = new SampleRing(isActive);
        left = isActive ? 0 : Long.MAX_VALUE;
    }

    /**
     * The session has looked up a key. For the session's thread.
     *
     * @param hash    of the key.
     * @param isFound whether it was found.
     */
    public void looked(final long hash, final boolean isFound)
    {
        if (--left < 0 || (hash & keyMask) == keyMatch)
        {
            choose(hash, isFound);
        }
    }

    private void choose(final long hash, final boolean wasFound)
    {
        if (left < 0)
        {
            left = distance((int)SAMPLING.getOpaque(this));
            drawn.put(hash, wasFound);
            onSampled();
        }
        else if (wasFound)
        {
            keyed.put(hash, true);
            onSampled();
        }
    }

    private void onSampled()
    {
        // A wake-up that gets lost delays the report until the next sample.
        (drawn.waiting() + keyed.waiting() <= MANY ? onSample : onMany).run();
    }

    /** Lookups to leave out: {@code interval} - 1 on average. */
    private long distance(final int interval)
    {
        // Xorshift (Marsaglia, "Xorshift RNGs", 2003).
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (random >>> 32) * (2L * interval - 1) >>> 32;
    }

    /** Whether lookups are sampled. */
    boolean isActive()
    {
        return isActive;
    }

    /** The random sample. */
    SampleRing drawn()
    {
        return drawn;
    }

    /** Lookups that are no part of the random sample, and are reported because of their keys. */
    SampleRing keyed()
    {
        return keyed;
    }

    /** One lookup in so many is sampled, on average. */
    int sampling()
    {
        return (int)SAMPLING.getOpaque(this);
    }

    /**
     * Samples all lookups that find a key of which so many low bits of the fingerprint are zero; of no key if they are
     * more than a fingerprint has. The session's thread may see one half of the change first, which does no harm.
     */
    void keys(final int bits)
    {
        final boolean isAny = isActive && bits <= FINGERPRINT_BITS;
        KEY_MASK.setOpaque(this, isAny ? (1L << bits) - 1 << FINGERPRINT_SHIFT : 0);
        KEY_MATCH.setOpaque(this, isAny ? 0 : -1);
    }

    /** Changes how many are sampled. */
    void sampling(final int interval)
    {
        SAMPLING.setOpaque(this, interval);
    }
}

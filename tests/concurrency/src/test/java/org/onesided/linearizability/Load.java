package org.onesided.linearizability;

/**
 * How hard sessions work on a store.
 */
enum Load
{
    /** Many operations, mostly of short values. */
    USUAL(300_000, 5000, 1, 8, 30, true),
    /**
     * For runs that kill the server. Some values take several entries of its log. Much is counted, since counts show at
     * once what is done twice. Keys do not expire: requests that change nothing do not tell when the log's time has
     * gone on.
     */
    KILLS(8 << 20, 8_300_000, 20, 3, 5, false);

    private final int longest;
    private final int spread;
    private final int longOnes;
    private final int burstOfAKey;
    private final int countOdds;
    private final boolean expires;

    Load(
        final int longest, final int spread, final int longOnes, final int burstOfAKey, final int countOdds,
        final boolean expires)
    {
        this.longest = longest;
        this.spread = spread;
        this.longOnes = longOnes;
        this.burstOfAKey = burstOfAKey;
        this.countOdds = countOdds;
        this.expires = expires;
    }

    /** Bytes of the longest values: always enough for a record whose slot does not say its length. */
    int longest()
    {
        return longest;
    }

    /** The long ones are shorter than that by less than so many bytes. */
    int spread()
    {
        return spread;
    }

    /** So many of 1000 values are long ones. */
    int longOnes()
    {
        return longOnes;
    }

    /** Most operations on one key in a burst: the checker follows {@link Long#SIZE} at a time of all sessions. */
    int burstOfAKey()
    {
        return burstOfAKey;
    }

    /** One thing of so many is an increment, an append, or a look at what these make. */
    int countOdds()
    {
        return countOdds;
    }

    /** Whether keys expire. */
    boolean expires()
    {
        return expires;
    }
}

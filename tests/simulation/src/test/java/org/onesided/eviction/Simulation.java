package org.onesided.eviction;

/** Looks up the keys of a trace in a cache, and reports one found record in so many, late and in batches. */
final class Simulation
{
    /** Instead of a number: the server chooses it, so that a report comes for each put or so. */
    static final int BY_RULE = 0;

    private static final int HIGHEST = 64;
    private static final double HORIZON = 1000;

    private final int batch;
    private final boolean isByRule;
    private final Randomness random = new Randomness(1);
    private final int[] reports;
    private int oneIn;
    private int reported;
    private int waited;
    private double recentHits;
    private double recentPuts;

    /**
     * @param oneIn of which number of hits one is reported, at random, or {@link #BY_RULE}.
     * @param batch after how many lookups reports arrive.
     */
    Simulation(final int oneIn, final int batch)
    {
        this.batch = batch;
        this.oneIn = Math.max(1, oneIn);
        isByRule = oneIn == BY_RULE;
        reports = new int[batch];
    }

    /** The share of lookups that found their record. */
    double hitRatio(final Trace trace, final Policy policy)
    {
        long hits = 0;
        for (final int key : trace.keys)
        {
            if (policy.contains(key))
            {
                hits++;
                recentHits++;
                if (random.below(oneIn) == 0)
                {
                    reports[reported++] = key;
                }
            }
            else
            {
                recentPuts++;
                policy.put(key);
            }
            if (++waited == batch)
            {
                deliver(policy);
            }
        }
        return (double)hits / trace.keys.length;
    }

    private void deliver(final Policy policy)
    {
        for (int i = 0; i < reported; i++)
        {
            policy.report(reports[i]);
        }
        reported = 0;
        waited = 0;
        if (isByRule)
        {
            oneIn = Integer.highestOneBit((int)Math.max(1, Math.min(HIGHEST, recentHits / (recentPuts + 1))));
            final double kept = Math.max(0, 1 - batch / HORIZON);
            recentHits *= kept;
            recentPuts *= kept;
        }
    }
}

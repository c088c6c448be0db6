package org.onesided.eviction;

/**
 * Learns how many lookups a record may expect for the time that it stays, by its cell: its class (how often its key
 * came, and whether it was looked up since it was put) and its age in ticks, in powers of two.
 */
final class Densities
{
    /** Classes of records. */
    static final int CLASSES = 16;
    /** Added to the frequency class of records that were looked up since they were put. */
    static final int LOOKED_UP = 8;

    private static final int AGES = 13;
    private static final double KEEP = 0.97;
    private static final double PRIOR = 0.1;
    private static final double[] FREQUENCIES = {1, 2, 3, 4.5, 6.5, 9, 12.5, 15};
    private static final int[] FREQUENCY_CLASSES = {0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7};

    private final double[] hits = new double[CLASSES * AGES];
    private final double[] seen = new double[CLASSES * AGES];
    private final double[] values = new double[CLASSES * AGES];
    private final double[] rates = new double[AGES];
    private double allHits;
    private double allSeen;

    static int frequencyClass(final int count)
    {
        return FREQUENCY_CLASSES[count];
    }

    static int cell(final int recordClass, final int age)
    {
        return recordClass * AGES + Integer.SIZE - 1 - Integer.numberOfLeadingZeros(age + 1);
    }

    void hit(final int cell)
    {
        hits[cell]++;
        allHits++;
    }

    void saw(final int cell)
    {
        seen[cell]++;
        allSeen++;
    }

    double value(final int cell)
    {
        return values[cell];
    }

    /**
     * Values the cells of one class anew.
     *
     * @param turnover ticks in which as many records are put as there are.
     * @param drawn    records drawn for each eviction.
     */
    void learn(final int recordClass, final double turnover, final int drawn)
    {
        final int first = recordClass * AGES;
        final double mean = (allHits + 1) / (allSeen + 100);
        final double scale = drawn / turnover;
        for (int i = 0; i < AGES; i++)
        {
            forget(first + i);
            final double guess = mean * FREQUENCIES[recordClass & LOOKED_UP - 1] *
                Math.sqrt(turnover / ((1 << i) - 1 + turnover / 4));
            rates[i] = (hits[first + i] + PRIOR) / (seen[first + i] + PRIOR / guess) * scale;
        }
        for (int i = 0; i < AGES; i++)
        {
            values[first + i] = bestRate(i);
        }
    }

    /** The mean rate from an age on, over the time for which it is highest: Gittins' index. */
    private double bestRate(final int age)
    {
        double expectedHits = 0;
        double expectedTime = 0;
        double best = 0;
        double isUntouched = 1;
        for (int i = age; i < AGES; i++)
        {
            final int ticks = 1 << i;
            final double remains = isUntouched / (1 + rates[i] * ticks);
            expectedHits += rates[i] * ticks * remains;
            expectedTime += ticks * remains;
            isUntouched = remains;
            best = Math.max(best, expectedHits / expectedTime);
        }
        return best;
    }

    private void forget(final int cell)
    {
        allHits -= (1 - KEEP) * hits[cell];
        allSeen -= (1 - KEEP) * seen[cell];
        hits[cell] *= KEEP;
        seen[cell] *= KEEP;
    }
}

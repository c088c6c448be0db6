package org.onesided.server.eviction;

import static org.onesided.server.eviction.RecordState.AGES;
import static org.onesided.server.eviction.RecordState.CLASSES;
import static org.onesided.server.eviction.RecordState.FREQUENCIES;

/**
 * Learns how often records of a class and an age are looked up, and what a record is worth: the best mean rate of
 * lookups that it has over any time from now on (a Gittins index). Rates are lookups for each time that such a record
 * was drawn as a candidate, so it does not matter how many of all lookups are reported. The idea is that of LHD
 * (Beckmann, Chen and Cidon, NSDI 2018).
 *
 * <p>Only sums, products, quotients and square roots are computed, which are the same on all machines. Not thread-safe.
 */
final class Densities
{
    private static final double KEPT = 0.97;
    /** What is expected before anything was learned counts as so many lookups. */
    private static final double PRIOR = 0.1;
    /** Lookups of a record whose key came so often, before anything was learned. */
    private static final double[] EXPECTED = {1, 2, 3, 4.5, 6.5, 9, 12.5, 15};

    private final double[] hits = new double[CLASSES * AGES];
    private final double[] seen = new double[CLASSES * AGES];
    private final double[] values = new double[CLASSES * AGES];
    private final double[] rates = new double[AGES];
    private final double drawn;

    /**
     * @param drawn candidates for each record that leaves.
     */
    Densities(final int drawn)
    {
        this.drawn = drawn;
    }

    /** A record of a cell was looked up. */
    void onHit(final int cell, final double weight)
    {
        hits[cell] += weight;
    }

    /** A record of a cell was a candidate. */
    void onSeen(final int cell)
    {
        seen[cell]++;
    }

    /** What a record of a cell is worth, in lookups a tick. */
    double value(final int cell)
    {
        return values[cell];
    }

    /**
     * Computes the values of a class anew, and forgets some of what it was computed of.
     *
     * @param recordClass the class.
     * @param records     of the shard.
     * @param tick        insertions of a tick.
     */
    void learn(final int recordClass, final long records, final long tick)
    {
        final int first = recordClass * AGES;
        for (int i = first; i < first + AGES; i++)
        {
            hits[i] *= KEPT;
            seen[i] *= KEPT;
        }
        final double mean = (sum(hits) + 1) / (sum(seen) + 100);
        final double count = Math.max(1, records);
        final double turn = count / tick;
        final double scale = drawn * tick / count;
        for (int age = 0; age < AGES; age++)
        {
            final double guess = mean * EXPECTED[recordClass % FREQUENCIES] *
                Math.sqrt(turn / ((1 << age) - 1 + turn / 4));
            rates[age] = (hits[first + age] + PRIOR) / (seen[first + age] + PRIOR / guess) * scale;
        }
        for (int age = 0; age < AGES; age++)
        {
            values[first + age] = bestMean(age);
        }
    }

    /** The best mean rate from an age on, over any number of age classes. */
    private double bestMean(final int from)
    {
        double expected = 0;
        double time = 0;
        double best = 0;
        double alive = 1;
        for (int age = from; age < AGES; age++)
        {
            final double length = 1 << age;
            final double survives = 1 / (1 + rates[age] * length);
            expected += alive * rates[age] * length * survives;
            time += alive * length * survives;
            alive *= survives;
            best = Math.max(best, expected / time);
        }
        return best;
    }

    private static double sum(final double[] of)
    {
        double sum = 0;
        for (final double each : of)
        {
            sum += each;
        }
        return sum;
    }
}

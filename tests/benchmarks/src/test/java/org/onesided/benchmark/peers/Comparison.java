package org.onesided.benchmark.peers;

/**
 * One figure of onesided beside another's, and what the ratio should be.
 *
 * @param name   of what is compared.
 * @param ours   figure of onesided, the rounds' median.
 * @param theirs the other figure, the rounds' median.
 * @param unit   of both.
 * @param ratio  of ours to theirs, computed in each round.
 * @param target the ratio should be at most this; {@link Double#NaN} if it is only reported.
 */
record Comparison(String name, double ours, double theirs, String unit, Spread ratio, double target)
{
    static Comparison of(final String name, final Series ours, final Series theirs, final double target)
    {
        return new Comparison(
            name, ours.spread().median(), theirs.spread().median(), ours.unit(), ours.over(theirs), target);
    }

    boolean hasTarget()
    {
        return !Double.isNaN(target);
    }

    boolean isMet()
    {
        return ratio.median() <= target;
    }
}

package org.onesided.benchmark.peers;

/**
 * One number of a run that is no ratio of times.
 *
 * @param name      of what was counted or measured.
 * @param value     of it.
 * @param unit      of the value.
 * @param target    that the value should keep to; {@link Double#NaN} if it is only reported.
 * @param isAtLeast whether the target is a lower bound rather than an upper one.
 */
record Figure(String name, double value, String unit, double target, boolean isAtLeast)
{
    static Figure reported(final String name, final double value, final String unit)
    {
        return new Figure(name, value, unit, Double.NaN, false);
    }

    static Figure atMost(final String name, final double value, final String unit, final double target)
    {
        return new Figure(name, value, unit, target, false);
    }

    static Figure atLeast(final String name, final double value, final String unit, final double target)
    {
        return new Figure(name, value, unit, target, true);
    }

    boolean hasTarget()
    {
        return !Double.isNaN(target);
    }

    boolean isMet()
    {
        return isAtLeast ? value >= target : value <= target;
    }
}

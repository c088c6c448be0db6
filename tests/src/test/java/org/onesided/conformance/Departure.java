package org.onesided.conformance;

/**
 * A rule that a device does not keep.
 *
 * @param device what the device's name begins with.
 * @param rule   the test, as {@code Class.method}.
 * @param reason why the device departs from it.
 * @param always whether the test of the rule always fails, not only at times.
 */
record Departure(String device, String rule, String reason, boolean always)
{
    Departure(final String device, final String rule, final String reason)
    {
        this(device, rule, reason, true);
    }
}

package org.onesided.conformance;

/**
 * A rule that a device does not keep.
 *
 * @param device what the device's name begins with.
 * @param rule   the test, as {@code Class.method}.
 * @param reason why the device departs from it.
 * @param fails  when the test of the rule fails.
 */
record Departure(String device, String rule, String reason, Fails fails)
{
    /** When the test of a rule fails that a device does not keep. */
    enum Fails
    {
        /** Always, or the entry is out of date. */
        ALWAYS,
        /** At times. */
        AT_TIMES,
        /** Always, but only after waiting in vain for long; so it is not run. */
        SLOWLY
    }

    Departure(final String device, final String rule, final String reason)
    {
        this(device, rule, reason, Fails.ALWAYS);
    }
}

package org.onesided.conformance;

/**
 * A rule that a device does not keep.
 *
 * @param device what the device's name begins with.
 * @param rule   the test, as {@code Class.method}.
 * @param reason why the device departs from it.
 */
record Departure(String device, String rule, String reason)
{
}

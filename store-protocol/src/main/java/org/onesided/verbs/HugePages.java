package org.onesided.verbs;

/**
 * Whether memory is in huge pages, which save address translations of the CPU and the device.
 */
public enum HugePages
{
    /** Never. */
    OFF,
    /** Where the machine has some free, and the memory fills at least one. */
    AUTO,
    /** Always: memory that cannot be had in huge pages is an error. */
    ON;

    /**
     * @param text name of a constant, in letters of either case.
     * @return the constant.
     * @throws IllegalArgumentException if there is no such.
     */
    public static HugePages of(final String text)
    {
        for (final HugePages each : values())
        {
            if (each.name().equalsIgnoreCase(text))
            {
                return each;
            }
        }
        throw new IllegalArgumentException("huge pages are off, auto or on: hugePages=" + text);
    }
}

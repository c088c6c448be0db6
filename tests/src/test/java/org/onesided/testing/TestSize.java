package org.onesided.testing;

/**
 * How much the long tests do: all that they are made for ({@code ./check --full}), or as much as shows that they work.
 */
public final class TestSize
{
    private static final boolean IS_FULL = Boolean.getBoolean("onesided.full");

    private TestSize()
    {
    }

    /**
     * @param full  for a full check.
     * @param quick for any other.
     * @return the one that goes.
     */
    public static int of(final int full, final int quick)
    {
        return IS_FULL ? full : quick;
    }
}

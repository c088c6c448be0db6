package org.onesided.server;

/**
 * How much long tests do: everything with {@code ./check --full}, a smaller part otherwise. Modules that are tested
 * with {@code tests/support} have another one there.
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
     * @return the size to use.
     */
    public static int of(final int full, final int quick)
    {
        return IS_FULL ? full : quick;
    }

    /**
     * @param quick step of a quick check from one place of a file to the next that it damages. An odd one comes to each
     *              bit of a byte, and to each byte of a field.
     * @return 1 for a full check, which goes through all places.
     */
    public static int step(final int quick)
    {
        return of(1, quick);
    }
}

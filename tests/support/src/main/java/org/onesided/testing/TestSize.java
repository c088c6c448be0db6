package org.onesided.testing;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How much the longest tests do: everything with {@code ./check --full}, a smaller part otherwise.
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
     * @param all of which one is enough for a quick check.
     * @return all for a full check, the first for any other.
     */
    public static Stream<String> devices(final String... all)
    {
        return Stream.of(all).limit(of(all.length, 1));
    }

    /**
     * @param full  how many a full check takes.
     * @param quick how many any other takes.
     * @return seeds of random numbers, from 1 on.
     */
    public static LongStream seeds(final int full, final int quick)
    {
        return LongStream.rangeClosed(1, of(full, quick));
    }
}

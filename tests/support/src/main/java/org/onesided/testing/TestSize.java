package org.onesided.testing;

import java.util.List;
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
     * @param quick how many are enough for a quick check.
     * @param all   for a full check.
     * @param <T>   what they are.
     * @return all for a full check, the first of them for any other.
     */
    public static <T> Stream<T> first(final int quick, final List<T> all)
    {
        return all.stream().limit(of(all.size(), quick));
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

package org.onesided.benchmark.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Keys in the order of their lookups, and the length of each one's value.
 *
 * @param keys    numbers from 0.
 * @param lengths of values in bytes, by key.
 */
record ReplayedTrace(int[] keys, int[] lengths)
{
    private static final int KEYS = 100_000;
    private static final int SCAN = 5_000;
    private static final int SCAN_EVERY = 25_000;
    /** Of a mixed trace: from 64 bytes up to 1024 times as much. */
    private static final int SHORTEST = 64;
    private static final double RANGE = 1024;

    /**
     * @param name   {@code zipf-EXPONENT}, with a scan over keys that come never again between; {@code mixed}, with
     *               values of many lengths; or a file with a key in each line.
     * @param most   lookups.
     * @param length of values.
     */
    static ReplayedTrace of(final String name, final int most, final int length) throws IOException
    {
        if (name.startsWith("zipf-"))
        {
            return zipf(Double.parseDouble(name.substring("zipf-".length())), most, length, true);
        }
        return name.equals("mixed") ? mixed(most) : read(Path.of(name), most, length);
    }

    private static ReplayedTrace mixed(final int most)
    {
        final ReplayedTrace equal = zipf(0.9, most, SHORTEST, false);
        final SplittableRandom random = new SplittableRandom(3);
        Arrays.setAll(equal.lengths, (i) -> (int)(SHORTEST * Math.pow(RANGE, random.nextDouble())));
        return equal;
    }

    private static ReplayedTrace zipf(
        final double exponent, final int most, final int length, final boolean hasScans)
    {
        final double[] sums = new double[KEYS];
        double sum = 0;
        for (int i = 0; i < KEYS; i++)
        {
            sum += Math.pow(i + 1, -exponent);
            sums[i] = sum;
        }
        final SplittableRandom random = new SplittableRandom(1);
        final int[] keys = new int[most];
        int fresh = KEYS;
        for (int i = 0; i < most; i++)
        {
            final int place = Arrays.binarySearch(sums, random.nextDouble() * sum);
            final int rank = Math.min(KEYS - 1, place < 0 ? -place - 1 : place);
            keys[i] = hasScans && i % (SCAN_EVERY + SCAN) < SCAN ? fresh++ : rank;
        }
        return new ReplayedTrace(keys, filled(fresh, length));
    }

    private static ReplayedTrace read(final Path file, final int most, final int length) throws IOException
    {
        final Map<String, Integer> numbers = new HashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(file))
        {
            final int[] keys = lines.lines().filter((line) -> !line.isBlank()).limit(most)
                .mapToInt((line) -> numbers.computeIfAbsent(line, (key) -> numbers.size())).toArray();
            return new ReplayedTrace(keys, filled(numbers.size(), length));
        }
    }

    private static int[] filled(final int count, final int length)
    {
        final int[] lengths = new int[count];
        Arrays.fill(lengths, length);
        return lengths;
    }

    /** Bytes of all values that are looked up, with so many bytes more for each. */
    long bytes(final int overhead)
    {
        return Arrays.stream(keys).distinct().mapToLong((key) -> lengths[key] + overhead).sum();
    }

    int longest()
    {
        return Arrays.stream(lengths).max().orElse(0);
    }
}

package org.onesided.protocol.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Prints the table of docs/record-check.md: candidates of {@link RecordCheckBenchmark} take turns in short slices, and
 * the least of each counts, so that little depends on what else the machine does.
 */
public final class RecordCheckTable
{
    private static final int[] LENGTHS = {100, 1024, 4096, 65_536};
    private static final String[] CODES = {
        "copy", "check", "copy-and-check", "xxh3", "xxh64", "komihash", "farmhash", "metrohash", "polymurhash",
        "wyhash", "rapidhash", "xxh3-openhft", "crc32c", "crc32", "crc32c-and-crc32"};
    private static final int ROUNDS = 100;
    private static final int BYTES_PER_SLICE = 400_000;

    private RecordCheckTable()
    {
    }

    /**
     * @param arguments none.
     */
    public static void main(final String[] arguments)
    {
        final List<RecordCheckBenchmark> all = new ArrayList<>();
        for (final String code : CODES)
        {
            for (final int length : LENGTHS)
            {
                final RecordCheckBenchmark one = new RecordCheckBenchmark(code, length);
                one.begin();
                all.add(one);
            }
        }
        final double[] least = new double[all.size()];
        Arrays.fill(least, Double.MAX_VALUE);
        long sum = 0;
        for (int round = 0; round < ROUNDS; round++)
        {
            for (int i = 0; i < least.length; i++)
            {
                final int count = Math.max(20, BYTES_PER_SLICE / (LENGTHS[i % LENGTHS.length] + 256));
                final RecordCheckBenchmark one = all.get(i);
                final long beginNs = System.nanoTime();
                for (int j = 0; j < count; j++)
                {
                    sum += one.code();
                }
                least[i] = Math.min(least[i], (System.nanoTime() - beginNs) / (double)count);
            }
        }
        all.forEach(RecordCheckBenchmark::end);
        print(least, sum);
    }

    private static void print(final double[] least, final long sum)
    {
        System.out.printf("JDK %s (%x)%n%n", System.getProperty("java.version"), sum);
        System.out.println("| value | 100 B | 1 KiB | 4 KiB | 64 KiB |\n|---|---|---|---|---|");
        for (int i = 0; i < CODES.length; i++)
        {
            final StringBuilder line = new StringBuilder("| ").append(CODES[i]);
            for (int j = 0; j < LENGTHS.length; j++)
            {
                final double ns = least[i * LENGTHS.length + j];
                line.append(String.format(Locale.ROOT, " | %.0f (%.1f)", ns, ns / least[j]));
            }
            System.out.println(line.append(" |"));
        }
    }
}

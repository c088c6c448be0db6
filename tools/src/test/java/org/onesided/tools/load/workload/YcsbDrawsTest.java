package org.onesided.tools.load.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import site.ycsb.Utils;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.ZipfianGenerator;

/**
 * What YCSB's own classes drew and named, drawn and named again.
 */
class YcsbDrawsTest
{
    @Test
    void shouldDrawTheItemsOfYcsbsZipfian() throws Exception
    {
        final GrayZipfian zipfian = new GrayZipfian(Distribution.YCSB_ITEMS, Distribution.YCSB_ZETA);
        for (final String[] words : lines("zipfian"))
        {
            final long drawn = zipfian.item(Double.parseDouble(words[2]), Distribution.YCSB_ITEMS);
            assertEquals(
                Long.parseLong(words[3]), FnvHash.of(drawn) % Long.parseLong(words[1]), String.join(" ", words));
        }
    }

    @Test
    void shouldDrawTheItemsOfYcsbsLatestWhileTheyBecomeMore() throws Exception
    {
        final GrayZipfian zipfian = new GrayZipfian(999, GrayZipfian.zeta(0, 999, 0));
        for (final String[] words : lines("latest"))
        {
            assertEquals(
                Long.parseLong(words[3]),
                Distribution.latest(zipfian, Double.parseDouble(words[2]), Long.parseLong(words[1])),
                String.join(" ", words));
        }
    }

    @Test
    void shouldHashAsYcsbsClassesDo()
    {
        assertEquals(ScrambledZipfianGenerator.ZETAN, Distribution.YCSB_ZETA);
        assertEquals(ScrambledZipfianGenerator.ITEM_COUNT + 1, Distribution.YCSB_ITEMS);
        assertEquals(ZipfianGenerator.ZIPFIAN_CONSTANT, GrayZipfian.THETA);
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++)
        {
            final long number = i % 2 == 0 ? i : random.nextLong() >>> random.nextInt(Long.SIZE);
            assertEquals(Utils.fnvhash64(number), FnvHash.of(number), "number " + number);
        }
    }

    @Test
    void shouldScaleAsTheSlowPowerDoes()
    {
        final double alpha = 1 / (1 - GrayZipfian.THETA);
        assertEquals(100, alpha, 1e-13);
        final SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 300_000; i++)
        {
            final long count = i % 3 == 0 ? 1 + random.nextLong(1_000_000) : Distribution.YCSB_ITEMS;
            // At random, or where the result is all but a whole number.
            double number = i % 2 == 0 ? 1 - random.nextDouble() :
                Math.pow((double)random.nextLong(count) / count, 1 / alpha);
            for (int near = random.nextInt(4); near > 0; near--)
            {
                number = Math.nextUp(number);
            }
            assertEquals((long)(count * Math.pow(number, alpha)), GrayZipfian.scaled(count, number),
                count + " times the power of " + number);
        }
    }

    @Test
    void shouldNameKeysWithAllNumbers()
    {
        final SplittableRandom random = new SplittableRandom(3);
        final KeyNames names = new KeyNames(false, 1);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[names.maxLength()]);
        for (int i = 0; i < 100_000; i++)
        {
            final long power = (long)Math.pow(10, i % 19);
            final long number = i % 3 == 0 ? power - 1 + i % 2 : i % 3 == 1 ? random.nextLong(power) :
                random.nextLong() >>> 1;
            assertEquals("user" + number, key.getStringWithoutLengthAscii(0, names.write(number, key)));
        }
        assertEquals("user" + Long.MAX_VALUE,
            key.getStringWithoutLengthAscii(0, names.write(Long.MAX_VALUE, key)));
        assertEquals("user" + Long.MIN_VALUE,
            key.getStringWithoutLengthAscii(0, names.write(Long.MIN_VALUE, key)));
    }

    @Test
    void shouldNameKeysAsYcsbDoes() throws Exception
    {
        for (final boolean isHashed : new boolean[]{true, false})
        {
            for (final String[] words : lines(isHashed ? "hashed" : "ordered"))
            {
                final KeyNames names = new KeyNames(isHashed, Integer.parseInt(words[1]));
                final UnsafeBuffer key = new UnsafeBuffer(new byte[names.maxLength()]);
                final int length = names.write(Long.parseLong(words[2]), key);
                assertEquals(words[3], key.getStringWithoutLengthAscii(0, length));
                assertEquals(words[3], names.name(Long.parseLong(words[2])));
            }
        }
    }

    private static List<String[]> lines(final String kind) throws Exception
    {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
            YcsbDrawsTest.class.getResourceAsStream("/org/onesided/tools/load/ycsb-draws.txt"), UTF_8)))
        {
            final List<String[]> lines =
                reader.lines().map(line -> line.split(" ")).filter(words -> words[0].equals(kind)).toList();
            assertTrue(lines.size() >= 20, kind);
            return lines;
        }
    }
}

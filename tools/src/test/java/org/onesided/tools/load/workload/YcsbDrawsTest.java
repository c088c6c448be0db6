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
            final long number = i % 2 == 0 ? i : random.nextLong();
            assertEquals(Utils.fnvhash64(number), FnvHash.of(number), "number " + number);
        }
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

package org.onesided.tools.load.report;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes pictures of pages small.
 */
final class Pictures
{
    private static final int COLOURS = 256;

    private Pictures()
    {
    }

    /** The same picture in the colours that it has most of; each other pixel gets the nearest of them. */
    static BufferedImage with256Colours(final BufferedImage picture)
    {
        final Map<Integer, Integer> counts = new HashMap<>();
        for (int y = 0; y < picture.getHeight(); y++)
        {
            for (int x = 0; x < picture.getWidth(); x++)
            {
                counts.merge(picture.getRGB(x, y) & 0xffffff, 1, Integer::sum);
            }
        }
        final List<Integer> most = counts.entrySet().stream()
            .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed().thenComparing(Map.Entry::getKey))
            .limit(COLOURS).map(Map.Entry::getKey).toList();
        final int[] palette = most.stream().mapToInt(Integer::intValue).toArray();
        final Map<Integer, Integer> nearest = new HashMap<>();
        final BufferedImage result = new BufferedImage(
            picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_BYTE_INDEXED,
            new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE));
        for (int y = 0; y < picture.getHeight(); y++)
        {
            for (int x = 0; x < picture.getWidth(); x++)
            {
                final int index = nearest.computeIfAbsent(
                    picture.getRGB(x, y) & 0xffffff, colour -> nearest(palette, colour));
                result.getRaster().setSample(x, y, 0, index);
            }
        }
        return result;
    }

    private static int nearest(final int[] palette, final int colour)
    {
        int best = 0;
        for (int i = 1; i < palette.length; i++)
        {
            if (distance(palette[i], colour) < distance(palette[best], colour))
            {
                best = i;
            }
        }
        return best;
    }

    private static int distance(final int one, final int other)
    {
        int sum = 0;
        for (int shift = 0; shift <= 16; shift += 8)
        {
            final int difference = (one >> shift & 0xff) - (other >> shift & 0xff);
            sum += difference * difference;
        }
        return sum;
    }
}

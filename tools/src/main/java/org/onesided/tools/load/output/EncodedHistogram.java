package org.onesided.tools.load.output;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Histograms as text: HdrHistogram's compressed form (version 2) in base64, as in its logs. The encoding is lossless.
 */
public final class EncodedHistogram
{
    private EncodedHistogram()
    {
    }

    /**
     * @param histogram not written to meanwhile.
     * @return the text.
     */
    public static String encode(final Histogram histogram)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /**
     * @param text of {@link #encode}.
     * @return the histogram.
     * @throws IllegalArgumentException if the text does not encode a histogram.
     */
    public static Histogram decode(final String text)
    {
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        }
        catch (final DataFormatException e)
        {
            throw new IllegalArgumentException("not a histogram: length=" + text.length(), e);
        }
    }
}

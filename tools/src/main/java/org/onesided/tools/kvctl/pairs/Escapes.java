package org.onesided.tools.kvctl.pairs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Bytes as printable text: {@code \t}, {@code \n}, {@code \\}, and {@code \xHH} for each byte of what is not printable
 * UTF-8 (control characters and bytes that are not well-formed).
 */
public final class Escapes
{
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private Escapes()
    {
    }

    /**
     * @param bytes     any bytes.
     * @param maxLength bytes to show at most, followed by three dots.
     * @return text for a message.
     */
    public static String text(final byte[] bytes, final int maxLength)
    {
        final ByteArrayOutputStream text = new ByteArrayOutputStream();
        try
        {
            int i = 0;
            while (i < bytes.length && i < maxLength)
            {
                i += write(bytes, i, text);
            }
            return text.toString(StandardCharsets.UTF_8) + (i < bytes.length ? "..." : "");
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("an array takes all bytes", e);
        }
    }

    static void write(final byte[] bytes, final OutputStream output) throws IOException
    {
        int i = 0;
        while (i < bytes.length)
        {
            i += write(bytes, i, output);
        }
    }

    private static int write(final byte[] bytes, final int index, final OutputStream output) throws IOException
    {
        final byte first = bytes[index];
        if (first == '\t' || first == '\n' || first == '\\')
        {
            output.write('\\');
            output.write(first == '\t' ? 't' : first == '\n' ? 'n' : '\\');
            return 1;
        }
        final int printable = Utf8.printableLength(bytes, index);
        if (printable > 0)
        {
            output.write(bytes, index, printable);
            return printable;
        }
        output.write('\\');
        output.write('x');
        output.write(HEX[first >> 4 & 0xF]);
        output.write(HEX[first & 0xF]);
        return 1;
    }
}

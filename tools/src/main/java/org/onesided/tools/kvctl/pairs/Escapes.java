package org.onesided.tools.kvctl.pairs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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

    /** Undoes {@link #text}; throws an IllegalArgumentException at an escape that does not exist. */
    static byte[] bytes(final String text)
    {
        final byte[] escaped = text.getBytes(StandardCharsets.UTF_8);
        final byte[] bytes = new byte[escaped.length];
        int length = 0;
        int i = 0;
        while (i < escaped.length)
        {
            if (escaped[i] != '\\')
            {
                bytes[length++] = escaped[i++];
                continue;
            }
            final byte kind = i + 1 < escaped.length ? escaped[i + 1] : 0;
            final boolean isHex = kind == 'x' && i + 3 < escaped.length;
            final int high = isHex ? Character.digit(escaped[i + 2], 16) : -1;
            final int low = isHex ? Character.digit(escaped[i + 3], 16) : -1;
            if (high >= 0 && low >= 0)
            {
                bytes[length++] = (byte)(high << 4 | low);
                i += 4;
                continue;
            }
            bytes[length++] = switch (kind)
            {
                case 't' -> '\t';
                case 'n' -> '\n';
                case '\\' -> '\\';
                default -> throw new IllegalArgumentException("unknown escape");
            };
            i += 2;
        }
        return Arrays.copyOf(bytes, length);
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

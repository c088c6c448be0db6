package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/**
 * How keys or values of any bytes are written as text.
 */
public enum ByteEncoding
{
    /** Text as it is. Other bytes are shown as the form of the output can: as they are, escaped or in base64. */
    UTF8("", "text in UTF-8")
    {
        @Override
        byte[] parse(final String text)
        {
            return text.getBytes(UTF_8);
        }

        @Override
        public String text(final byte[] bytes)
        {
            return Escapes.text(bytes, bytes.length);
        }
    },
    /** Base64 of RFC 4648, section 4. The padding at the end may be missing. */
    BASE64("64", "base64, with + and /")
    {
        @Override
        byte[] parse(final String text)
        {
            return Base64.getDecoder().decode(text);
        }

        @Override
        public String text(final byte[] bytes)
        {
            return Base64.getEncoder().encodeToString(bytes);
        }
    },
    /** Two hexadecimal digits per byte. */
    HEX("_hex", "two hexadecimal digits per byte")
    {
        @Override
        byte[] parse(final String text)
        {
            return HexFormat.of().parseHex(text);
        }

        @Override
        public String text(final byte[] bytes)
        {
            return HexFormat.of().formatHex(bytes);
        }
    },
    /** Text with {@link Escapes}. */
    ESCAPED("_escaped", "text with the escapes \\t \\n \\\\ \\xHH")
    {
        @Override
        byte[] parse(final String text)
        {
            return Escapes.bytes(text);
        }

        @Override
        public String text(final byte[] bytes)
        {
            return Escapes.text(bytes, bytes.length);
        }
    };

    private static final int MAX_SHOWN = 40;

    private final String jsonSuffix;
    private final String words;

    ByteEncoding(final String jsonSuffix, final String words)
    {
        this.jsonSuffix = jsonSuffix;
        this.words = words;
    }

    abstract byte[] parse(String text);

    /**
     * Writes bytes as text.
     *
     * @param bytes any bytes.
     * @return their text. That of {@link #UTF8} is for people only: it is escaped.
     */
    public abstract String text(byte[] bytes);

    /**
     * Reads bytes that were written as text.
     *
     * @param text in this encoding.
     * @return the bytes.
     * @throws IllegalArgumentException if the text is not in this encoding; its message says so, and can follow a
     *                                  subject, such as "the key".
     */
    public final byte[] bytes(final String text)
    {
        try
        {
            return parse(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(
                "is not " + words + ": " + Escapes.text(text.getBytes(UTF_8), MAX_SHOWN), e);
        }
    }

    /**
     * As {@link #bytes}, for text that another program wrote: base64 and digits may be broken into lines, and a line
     * end behind the text does not belong to it.
     *
     * @param text in this encoding.
     * @return the bytes.
     * @throws IllegalArgumentException as of {@link #bytes}.
     */
    public final byte[] bytesOfLines(final String text)
    {
        return switch (this)
        {
            case UTF8 -> bytes(text);
            case ESCAPED -> bytes(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
            case BASE64, HEX -> bytes(text.replaceAll("\\s", ""));
        };
    }

    /**
     * Writes the beginning of bytes for people.
     *
     * @param bytes     any bytes.
     * @param maxLength bytes to show at most, followed by three dots.
     * @return the text.
     */
    public final String shown(final byte[] bytes, final int maxLength)
    {
        return this == UTF8 || this == ESCAPED ? Escapes.text(bytes, maxLength) :
            bytes.length <= maxLength ? text(bytes) : text(Arrays.copyOf(bytes, maxLength)) + "...";
    }

    /**
     * Bounds the text of bytes.
     *
     * @param length of the bytes.
     * @return length of their longest text in this encoding, in bytes.
     */
    public final int longestText(final int length)
    {
        // An escape has four characters; base64 and digits stay below that, with a line end behind every few.
        return this == UTF8 ? length : (int)Math.min(Integer.MAX_VALUE - 64, 64 + 4L * length);
    }

    /** Whether lines of keys and pairs have text with escapes. */
    final boolean isEscapedInLines()
    {
        return this == UTF8 || this == ESCAPED;
    }

    /** What the name of a JSON field with such text ends in. */
    final String jsonSuffix()
    {
        return jsonSuffix;
    }

    /** The name on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}

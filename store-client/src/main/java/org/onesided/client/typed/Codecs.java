package org.onesided.client.typed;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Codecs of the common types. All are thread-safe. {@link JsonCodec} is for everything else, records among them.
 */
public final class Codecs
{
    private static final Codec<byte[]> BYTES = of(Function.identity(), Function.identity());
    private static final Codec<String> UTF8 = of(Codecs::encodeText, Codecs::decodeText);
    private static final Codec<Long> DECIMAL = of(
        (value) -> Long.toString(value).getBytes(StandardCharsets.US_ASCII),
        Codecs::decodeNumber);

    private Codecs()
    {
    }

    /**
     * Makes a codec of two functions.
     *
     * @param encode as {@link Codec#encode}.
     * @param decode as {@link Codec#decode}.
     * @param <T>    type of the objects.
     * @return the codec.
     */
    public static <T> Codec<T> of(final Function<T, byte[]> encode, final Function<byte[], T> decode)
    {
        return new Codec<>()
        {
            @Override
            public byte[] encode(final T value)
            {
                return encode.apply(value);
            }

            @Override
            public T decode(final byte[] bytes)
            {
                return decode.apply(bytes);
            }
        };
    }

    /**
     * The bytes themselves. Arrays are not equal to each other, so they make bad keys of a map.
     *
     * @return the codec.
     */
    public static Codec<byte[]> bytes()
    {
        return BYTES;
    }

    /**
     * Text as UTF-8. Text with half a surrogate pair, and bytes that are no UTF-8, are an
     * {@link IllegalArgumentException}.
     *
     * @return the codec.
     */
    public static Codec<String> utf8()
    {
        return UTF8;
    }

    /**
     * Numbers as decimal text, so that {@code increment} and {@code kvctl} understand them. Other bytes are a
     * {@link NumberFormatException}, also those that {@code increment} refuses: a plus sign or a leading zero.
     *
     * @return the codec.
     */
    public static Codec<Long> decimal()
    {
        return DECIMAL;
    }

    private static byte[] encodeText(final String text)
    {
        try
        {
            // String.getBytes would put a question mark in place of half a surrogate pair.
            final ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            final byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        }
        catch (final CharacterCodingException e)
        {
            throw new IllegalArgumentException("text has half a surrogate pair, which UTF-8 cannot encode", e);
        }
    }

    private static Long decodeNumber(final byte[] bytes)
    {
        final String text = decodeText(bytes);
        final Long number = Long.valueOf(text);
        if (!number.toString().equals(text))
        {
            throw new NumberFormatException("not a number as increment writes it: \"" + text + '"');
        }
        return number;
    }

    private static String decodeText(final byte[] bytes)
    {
        try
        {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
        catch (final CharacterCodingException e)
        {
            throw new IllegalArgumentException("not UTF-8: length=" + bytes.length, e);
        }
    }
}

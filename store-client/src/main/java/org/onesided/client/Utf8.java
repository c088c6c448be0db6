package org.onesided.client;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Strict UTF-8: what cannot be told apart afterwards is refused, not replaced.
 */
final class Utf8
{
    private Utf8()
    {
    }

    /** The text's bytes, or null if it has half a surrogate pair. */
    static byte[] encode(final String text)
    {
        try
        {
            final ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return Arrays.copyOf(bytes.array(), bytes.limit());
        }
        catch (final CharacterCodingException e)
        {
            return null;
        }
    }

    /**
     * The text's bytes.
     *
     * @param what    the text is, for the message.
     * @param context of the failure if it has half a surrogate pair.
     */
    static byte[] encoded(final String text, final String what, final FailureContext context)
    {
        final byte[] bytes = encode(Objects.requireNonNull(text, what));
        if (bytes == null)
        {
            throw new StoreLimitException(
                what + " is no valid Unicode text, pass bytes: length=" + text.length(), context);
        }
        return bytes;
    }

    /** The text, or null if the bytes are not UTF-8. */
    static String decode(final byte[] bytes)
    {
        try
        {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
        catch (final CharacterCodingException e)
        {
            return null;
        }
    }
}

package org.onesided.client;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreLimitException;

/**
 * Strict UTF-8: malformed input is refused, not replaced.
 */
final class Utf8
{
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8()
    {
    }

    /** The text's bytes, or null if it has half a surrogate pair. */
    static byte @Nullable [] encode(final String text)
    {
        return hasSurrogates(text) ? encodeStrictly(text) : text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The text's bytes, for an operation that has not begun.
     *
     * @param what      the text is, for the message.
     * @param operation that has it.
     * @param server    host and port.
     * @throws StoreLimitException if it has half a surrogate pair.
     */
    static byte[] encoded(final String text, final String what, final String operation, final String server)
    {
        final byte[] bytes = encode(Objects.requireNonNull(text, what));
        if (bytes == null)
        {
            throw new StoreLimitException(
                what + " is not valid Unicode text, pass bytes: length=" + text.length(),
                FailureContext.unsent(operation, server));
        }
        return bytes;
    }

    /** The text, or null if the bytes are not UTF-8. */
    static @Nullable String decode(final byte[] bytes)
    {
        final String text = new String(bytes, StandardCharsets.UTF_8);
        // The decoder replaces malformed bytes by this character, which may also be in the text itself.
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeStrictly(bytes);
    }

    private static boolean hasSurrogates(final String text)
    {
        for (int i = 0; i < text.length(); i++)
        {
            if (Character.isSurrogate(text.charAt(i)))
            {
                return true;
            }
        }
        return false;
    }

    private static byte @Nullable [] encodeStrictly(final String text)
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

    private static @Nullable String decodeStrictly(final byte[] bytes)
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

package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A secret that server and clients share. Immutable. Its text never appears in {@link #toString}.
 */
public final class Token
{
    private final byte[] bytes;
    private final byte[] hash;

    private Token(final byte[] bytes)
    {
        if (bytes.length == 0 || bytes.length > Bootstrap.MAX_TOKEN_LENGTH)
        {
            throw new IllegalArgumentException("token must have 1 to " + Bootstrap.MAX_TOKEN_LENGTH +
                " bytes: length=" + bytes.length);
        }
        this.bytes = bytes;
        this.hash = sha256(bytes);
    }

    /**
     * @param bytes of the secret, 1 to {@link Bootstrap#MAX_TOKEN_LENGTH}.
     * @return the token.
     * @throws IllegalArgumentException if it is empty or too long.
     */
    public static Token of(final byte[] bytes)
    {
        return new Token(bytes.clone());
    }

    /**
     * @param text of the secret; its UTF-8 bytes count.
     * @return the token.
     * @throws IllegalArgumentException if it is empty or too long.
     */
    public static Token of(final String text)
    {
        return new Token(text.getBytes(UTF_8));
    }

    /**
     * Reads a token from a file. One line end at the end of the file does not belong to it.
     *
     * @param file to read.
     * @return the token.
     * @throws IOException              if the file cannot be read.
     * @throws IllegalArgumentException if it is empty or too long.
     */
    public static Token load(final Path file) throws IOException
    {
        final byte[] content;
        try (InputStream input = Files.newInputStream(file))
        {
            content = input.readNBytes(Bootstrap.MAX_TOKEN_LENGTH + 3);
        }
        return parse(file, content);
    }

    /** As {@link #load}, for the first bytes that the file holds. */
    static Token parse(final Path file, final byte[] content)
    {
        int length = content.length;
        if (length > 0 && content[length - 1] == '\n')
        {
            length--;
            if (length > 0 && content[length - 1] == '\r')
            {
                length--;
            }
        }
        if (length == 0 || length > Bootstrap.MAX_TOKEN_LENGTH)
        {
            throw new IllegalArgumentException("token file must hold 1 to " + Bootstrap.MAX_TOKEN_LENGTH +
                " bytes: file=" + file + (length == 0 ? " is empty" : " is longer"));
        }
        return new Token(Arrays.copyOf(content, length));
    }

    /**
     * @return a copy of the secret, to be sent.
     */
    public byte[] bytes()
    {
        return bytes.clone();
    }

    /**
     * Compares in a time that depends neither on where the two differ nor on how long this token is.
     *
     * @param offered by a peer.
     * @return whether it is the same secret.
     */
    public boolean matches(final byte[] offered)
    {
        return hasHash(sha256(offered));
    }

    /** Whether the token has this hash, compared in constant time as in {@link #matches}. */
    boolean hasHash(final byte[] offered)
    {
        return MessageDigest.isEqual(hash, offered);
    }

    /** Whether two tokens are the same secret, compared in constant time. */
    boolean isSame(final Token other)
    {
        return hasHash(other.hash);
    }

    /**
     * @return a text without the secret.
     */
    @Override
    public String toString()
    {
        return "Token";
    }

    static byte[] sha256(final byte[] bytes)
    {
        try
        {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

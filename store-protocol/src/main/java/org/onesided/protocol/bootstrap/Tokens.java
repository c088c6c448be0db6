package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The secrets that a server accepts, each with the name of its owner. Immutable. {@link #toString} contains none of
 * them.
 */
public final class Tokens
{
    /** Maximum number of tokens, because an offered token is compared with all. */
    public static final int MAX_COUNT = 1024;
    /** Name of a token that was given without a name. */
    public static final String UNNAMED = "token";
    /** Name of a client without a secret. */
    public static final String ANONYMOUS = "anonymous";

    private static final int MAX_FILE_LENGTH = 2 << 20;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

    private final Map<String, Token> byName;

    private Tokens(final Map<String, Token> byName)
    {
        this.byName = byName;
    }

    /**
     * @param token of everybody.
     * @return just this one.
     */
    public static Tokens of(final Token token)
    {
        return new Tokens(Map.of(UNNAMED, token));
    }

    /**
     * Reads lines of {@code name:token}. Lines that are blank or begin with {@code #} are passed over.
     *
     * @param file to read.
     * @return its tokens.
     * @throws IOException              if the file cannot be read.
     * @throws IllegalArgumentException if it holds something else; the message names file and line, not the secret.
     */
    public static Tokens load(final Path file) throws IOException
    {
        final byte[] content;
        try (InputStream input = Files.newInputStream(file))
        {
            content = input.readNBytes(MAX_FILE_LENGTH + 1);
        }
        if (content.length > MAX_FILE_LENGTH)
        {
            throw new IllegalArgumentException(
                "tokens file is too long: file=" + file + " longest=" + MAX_FILE_LENGTH);
        }
        final Map<String, Token> byName = new LinkedHashMap<>();
        final Set<String> secrets = new HashSet<>();
        final String[] lines = new String(content, UTF_8).split("\r?\n");
        for (int i = 0; i < lines.length; i++)
        {
            if (!lines[i].isBlank() && !lines[i].startsWith("#"))
            {
                final String place = file + ":" + (i + 1) + ": ";
                final int colon = lines[i].indexOf(':');
                if (colon < 0 || !NAME.matcher(lines[i].substring(0, colon)).matches())
                {
                    throw new IllegalArgumentException(place + "not NAME:TOKEN, with a name of up to 64 letters, " +
                        "digits, '.', '_', '@' or '-'");
                }
                final String name = lines[i].substring(0, colon);
                if (name.equals(UNNAMED) || name.equals(ANONYMOUS))
                {
                    throw new IllegalArgumentException(
                        place + "name stands for those without one, choose another: name=" + name);
                }
                final String secret = lines[i].substring(colon + 1);
                if (byName.containsKey(name) || !secrets.add(secret))
                {
                    throw new IllegalArgumentException(
                        place + "name or token was there before, each must be of its own: name=" + name);
                }
                try
                {
                    byName.put(name, Token.of(secret));
                }
                catch (final IllegalArgumentException e)
                {
                    throw new IllegalArgumentException(place + e.getMessage() + " name=" + name, e);
                }
            }
        }
        if (byName.isEmpty() || byName.size() > MAX_COUNT)
        {
            throw new IllegalArgumentException(
                "tokens file must hold 1 to " + MAX_COUNT + " tokens: file=" + file + " tokens=" + byName.size());
        }
        return new Tokens(byName);
    }

    /**
     * Finds the owner of a secret, in a time that depends neither on the owner nor on the position of the first
     * difference.
     *
     * @param offered by a peer.
     * @return the name, or null if no one owns the secret.
     */
    public String nameOf(final byte[] offered)
    {
        final byte[] hash = Token.sha256(offered);
        String found = null;
        for (final Map.Entry<String, Token> each : byName.entrySet())
        {
            final boolean matches = each.getValue().hasHash(hash);
            found = matches ? each.getKey() : found;
        }
        return found;
    }

    /**
     * @return how many there are.
     */
    public int count()
    {
        return byName.size();
    }

    /**
     * @return the names, without the secrets.
     */
    @Override
    public String toString()
    {
        return "Tokens" + byName.keySet();
    }
}

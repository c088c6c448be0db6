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
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The secrets that a server accepts, each with the name of its owner, who may write or only look up. Immutable.
 * {@link #toString} contains none of them.
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
    private final Set<String> readers;
    /** That these were read from and that may change, or null. */
    private final TokenFiles files;

    /**
     * Who owns a secret.
     *
     * @param name     of the owner.
     * @param isReader whether the owner may look up only.
     * @param token    the secret.
     */
    public record Owner(String name, boolean isReader, Token token)
    {
    }

    private Tokens(final Map<String, Token> byName, final Set<String> readers, final TokenFiles files)
    {
        this.byName = byName;
        this.readers = readers;
        this.files = files;
    }

    /**
     * @param token of everybody.
     * @return just this one.
     */
    public static Tokens of(final Token token)
    {
        return new Tokens(Map.of(UNNAMED, token), Set.of(), null);
    }

    /**
     * Puts together who may write and who may look up.
     *
     * @param writers of whom some or all may write.
     * @param lookers who may all look up only.
     * @param files   that they were read from and that may change, or null.
     * @return all of them.
     * @throws IllegalArgumentException if a name or secret is among both, or there are too many.
     */
    static Tokens of(final Tokens writers, final Tokens lookers, final TokenFiles files)
    {
        final Map<String, Token> all = new LinkedHashMap<>(writers.byName);
        for (final Map.Entry<String, Token> each : lookers.byName.entrySet())
        {
            // A secret of both would give rights by chance.
            if (all.put(each.getKey(), each.getValue()) != null ||
                writers.byName.values().stream().anyMatch(each.getValue()::isSame))
            {
                throw new IllegalArgumentException("name or token is among those that may write, too, each must be " +
                    "of its own: name=" + each.getKey());
            }
        }
        if (all.size() > MAX_COUNT)
        {
            throw new IllegalArgumentException(
                "there are too many tokens: tokens=" + all.size() + " most=" + MAX_COUNT);
        }
        return new Tokens(all, Set.copyOf(lookers.byName.keySet()), files);
    }

    /** None, to be put together with others. */
    static Tokens none()
    {
        return new Tokens(Map.of(), Set.of(), null);
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
        return parse(file, content);
    }

    /** As {@link #load}, for what the file holds. */
    static Tokens parse(final Path file, final byte[] content)
    {
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
        return new Tokens(byName, Set.of(), null);
    }

    /**
     * Finds the owner of a secret, in a time that depends neither on the owner nor on the position of the first
     * difference.
     *
     * @param offered by a peer.
     * @return the owner, or null if no one owns the secret.
     */
    public Owner ownerOf(final byte[] offered)
    {
        final byte[] hash = Token.sha256(offered);
        Map.Entry<String, Token> found = null;
        for (final Map.Entry<String, Token> each : byName.entrySet())
        {
            final boolean matches = each.getValue().hasHash(hash);
            found = matches ? each : found;
        }
        return found == null ? null :
            new Owner(found.getKey(), readers.contains(found.getKey()), found.getValue());
    }

    /**
     * As {@link #ownerOf}.
     *
     * @param offered by a peer.
     * @return the name, or null if no one owns the secret.
     */
    public String nameOf(final byte[] offered)
    {
        final Owner owner = ownerOf(offered);
        return owner == null ? null : owner.name();
    }

    /**
     * @param owner of these tokens or of former ones.
     * @return whether the same name has the same secret and the same rights here.
     */
    public boolean contains(final Owner owner)
    {
        final Token token = byName.get(owner.name());
        return token != null && token.isSame(owner.token()) && readers.contains(owner.name()) == owner.isReader();
    }

    /**
     * @return the files that these were read from, which tell of changes; null if they do not change.
     */
    public TokenFiles files()
    {
        return files;
    }

    /**
     * @return the tokens that their files held last; these themselves if they have no files.
     */
    public Tokens newest()
    {
        return files == null ? this : files.tokens();
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
        return "Tokens" + byName.keySet() + (readers.isEmpty() ? "" : " readers" + new TreeSet<>(readers));
    }
}

package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The files with a server's tokens, which may be replaced while it runs. Files that are no good are passed over: the
 * tokens that were read before stay in use.
 *
 * <p>{@link #tokens} is safe to call from any thread, {@link #tryReload} from one at a time.
 */
public final class TokenFiles
{
    private final Token secret;
    private final Path tokenFile;
    private final Path tokensFile;
    private final Path readersFile;
    private final WatchedFiles files;
    private volatile Tokens tokens;
    private Consumer<String> onKept = line -> { };
    private String trouble = "";
    private boolean isUnread;

    private TokenFiles(final Token secret, final Path tokenFile, final Path tokensFile, final Path readersFile)
    {
        this.secret = secret;
        this.tokenFile = tokenFile;
        this.tokensFile = tokensFile;
        this.readersFile = readersFile;
        final List<Path> named = new ArrayList<>();
        for (final Path file : new Path[]{tokenFile, tokensFile, readersFile})
        {
            if (file != null)
            {
                named.add(file);
            }
        }
        files = new WatchedFiles(named);
    }

    /**
     * Reads the tokens. At most one of the first three is given, and with the last one of them: nobody could write
     * otherwise.
     *
     * @param secret      of everybody who may write, or null.
     * @param tokenFile   with the secret of everybody who may write, or null.
     * @param tokensFile  with lines of {@code name:token} of those who may write, or null.
     * @param readersFile with such lines of those who may look up only, or null.
     * @return the tokens, which know these files.
     * @throws IOException              if a file cannot be read; the message names it.
     * @throws IllegalArgumentException if they hold something else, with a message that names the file, or these are
     *                                  not the ones to give together.
     */
    public static Tokens load(
        final Token secret, final Path tokenFile, final Path tokensFile, final Path readersFile) throws IOException
    {
        final int writers = (secret == null ? 0 : 1) + (tokenFile == null ? 0 : 1) + (tokensFile == null ? 0 : 1);
        if (writers != 1)
        {
            throw new IllegalArgumentException(writers == 0 ?
                "nobody could write: name a token of those who may, too" :
                "there is more than one secret of all, or one and a file with several");
        }
        final TokenFiles all = new TokenFiles(secret, tokenFile, tokensFile, readersFile);
        try
        {
            all.files.look();
        }
        catch (final IOException e)
        {
            throw new IOException(WatchedFiles.reason(e), e);
        }
        all.tokens = all.parse();
        return all.tokens;
    }

    /**
     * @return the tokens as of the last reading that was good.
     */
    public Tokens tokens()
    {
        return tokens;
    }

    /**
     * @param listener is told once, in a line, why changed files are no good.
     */
    public void onKept(final Consumer<String> listener)
    {
        onKept = listener;
    }

    /**
     * Reads the files again if they have changed.
     *
     * @return whether there are other tokens now.
     */
    public boolean tryReload()
    {
        try
        {
            if (files.look() || isUnread)
            {
                isUnread = false;
                tokens = parse();
                trouble = "";
                return true;
            }
        }
        catch (final IOException e)
        {
            isUnread = true;
            keep(WatchedFiles.reason(e));
        }
        catch (final IllegalArgumentException e)
        {
            keep(e.getMessage());
        }
        return false;
    }

    private void keep(final String reason)
    {
        if (!reason.equals(trouble))
        {
            trouble = reason;
            onKept.accept(reason);
        }
    }

    private Tokens parse()
    {
        int next = 0;
        final Tokens writers;
        if (tokensFile != null)
        {
            writers = Tokens.parse(tokensFile, files.content(next++));
        }
        else
        {
            writers = Tokens.of(tokenFile == null ? secret : Token.parse(tokenFile, files.content(next++)));
        }
        final Tokens readers =
            readersFile == null ? Tokens.none() : Tokens.parse(readersFile, files.content(next));
        try
        {
            return Tokens.of(writers, readers, files.isEmpty() ? null : this);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(readersFile + ": " + e.getMessage(), e);
        }
    }

    /**
     * @return the names of the files.
     */
    @Override
    public String toString()
    {
        return files.toString();
    }
}

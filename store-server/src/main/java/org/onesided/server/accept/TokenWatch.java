package org.onesided.server.accept;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onesided.protocol.bootstrap.TokenFiles;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.session.WorkerThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the files with tokens looked at once a second, by another thread: a file may be on a network that hangs. Belongs
 * to the acceptor's thread.
 */
final class TokenWatch implements AutoCloseable
{
    /** Longest time between two looks, if nothing else wakes the acceptor. */
    static final long INTERVAL_MS = 1_000;

    private static final Logger LOGGER = LoggerFactory.getLogger(TokenWatch.class);
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(INTERVAL_MS);

    private final TokenFiles files;
    private final WorkerThreads worker;
    private final Consumer<Runnable> acceptor;
    private final Consumer<Tokens> onChanged;
    private boolean isLooking;
    private long lastNs;

    /**
     * @param files     to look at.
     * @param nowNs     the time; they were read just before.
     * @param acceptor  runs a task in the acceptor's thread.
     * @param onChanged takes other tokens, in the acceptor's thread.
     * @param onError   hears, on any thread, of what ends the server.
     */
    TokenWatch(
        final TokenFiles files,
        final long nowNs,
        final Consumer<Runnable> acceptor,
        final Consumer<Tokens> onChanged,
        final Consumer<Error> onError)
    {
        this.files = files;
        this.acceptor = acceptor;
        this.onChanged = onChanged;
        lastNs = nowNs;
        worker = new WorkerThreads("store-tokens", 1, onError);
        files.onKept((why) -> LOGGER.warn("changed token files are unusable, the former tokens stay in use: cause={}",
            why));
    }

    void check(final long nowNs)
    {
        if (!isLooking && nowNs - lastNs >= INTERVAL_NS)
        {
            isLooking = true;
            lastNs = nowNs;
            worker.execute(() ->
            {
                boolean isChanged = false;
                try
                {
                    isChanged = files.tryReload();
                }
                catch (final RuntimeException e)
                {
                    LOGGER.error("token files could not be looked at, and are again in a second", e);
                }
                final boolean isToBeTaken = isChanged;
                acceptor.accept(() -> onLooked(isToBeTaken));
            });
        }
    }

    private void onLooked(final boolean isChanged)
    {
        isLooking = false;
        if (isChanged)
        {
            final Tokens tokens = files.tokens();
            LOGGER.info("token files have changed, clients must show one of these tokens: files={} tokens={}", files,
                tokens.count());
            onChanged.accept(tokens);
        }
    }

    @Override
    public void close()
    {
        worker.close();
    }
}

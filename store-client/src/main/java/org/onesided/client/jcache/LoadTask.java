package org.onesided.client.jcache;

import javax.cache.CacheException;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * Loads entries in the background, and tells the one who waits how it ended, whatever happens. Runs once.
 */
final class LoadTask implements Runnable
{
    private final Runnable load;
    private final CompletionListener listener;

    /** @param listener null if nobody waits. */
    LoadTask(final Runnable load, final @Nullable CompletionListener listener)
    {
        this.load = load;
        this.listener = listener;
    }

    @Override
    public void run()
    {
        try
        {
            load.run();
        }
        catch (final RuntimeException e)
        {
            fail(e);
            return;
        }
        catch (final Error e)
        {
            fail(new CacheException("loading failed", e));
            throw e;
        }
        if (listener != null)
        {
            listener.onCompletion();
        }
    }

    /** Ends it without running it. */
    void refuse()
    {
        fail(new CacheException("cache manager was closed before the entries were loaded"));
    }

    private void fail(final Exception failure)
    {
        if (listener != null)
        {
            listener.onException(failure);
        }
    }
}

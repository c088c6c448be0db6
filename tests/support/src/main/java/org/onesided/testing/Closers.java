package org.onesided.testing;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes what was opened, in reverse order and all of it, whatever fails.
 */
public final class Closers implements AutoCloseable
{
    private final Deque<AutoCloseable> closeables = new ArrayDeque<>();

    /**
     * For nothing yet.
     */
    public Closers()
    {
    }

    /**
     * @param closeable to be closed before those that were added earlier.
     * @param <T>       its type.
     * @return it.
     */
    public <T extends AutoCloseable> T add(final T closeable)
    {
        closeables.push(closeable);
        return closeable;
    }

    /**
     * Closes one thing now instead of later.
     *
     * @param closeable that was added.
     * @throws Exception if it cannot be closed.
     */
    public void closeNow(final AutoCloseable closeable) throws Exception
    {
        closeable.close();
        closeables.remove(closeable);
    }

    @Override
    public void close()
    {
        RuntimeException failure = null;
        while (!closeables.isEmpty())
        {
            try
            {
                closeables.pop().close();
            }
            catch (final Exception ex)
            {
                failure = failure == null ? new IllegalStateException("not closed: " + ex.getMessage()) : failure;
                failure.addSuppressed(ex);
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }
}

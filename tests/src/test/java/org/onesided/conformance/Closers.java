package org.onesided.conformance;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes what was opened, in reverse order and all of it, whatever fails.
 */
final class Closers implements AutoCloseable
{
    private final Deque<AutoCloseable> closeables = new ArrayDeque<>();

    <T extends AutoCloseable> T add(final T closeable)
    {
        closeables.push(closeable);
        return closeable;
    }

    /**
     * Closes one thing now instead of later.
     */
    void closeNow(final AutoCloseable closeable) throws Exception
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

package org.onesided.tools.kvctl.rdma.talk;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Resources, closed in reverse order.
 */
final class Closers implements AutoCloseable
{
    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    <T extends AutoCloseable> T add(final T closeable)
    {
        made.push(closeable);
        return closeable;
    }

    /** Closes all resources even if one fails, and throws the first failure. */
    @Override
    public void close()
    {
        RuntimeException failure = null;
        while (!made.isEmpty())
        {
            try
            {
                made.pop().close();
            }
            catch (final RuntimeException e)
            {
                failure = first(failure, e);
            }
            catch (final Exception e)
            {
                failure = first(failure, new IllegalStateException("cannot close", e));
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    private static RuntimeException first(final RuntimeException first, final RuntimeException next)
    {
        if (first == null)
        {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}

package org.onesided.client.jcache;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what the factories of a configuration made: the interface asks for it where such an object is closeable.
 */
final class Closing
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Closing.class);

    private Closing()
    {
    }

    /** Closes an object that can be; what it throws is logged, so that the others are closed, too. */
    static void close(final Object object)
    {
        if (object instanceof final AutoCloseable closeable)
        {
            try
            {
                closeable.close();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
            catch (final Exception e)
            {
                LOGGER.warn("not closed: {}", object.getClass().getName(), e);
            }
        }
    }
}

package org.onesided.client.session;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes resources in reverse order of opening, and goes on after failures. Not thread-safe.
 */
public final class Resources implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Resources.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /**
     * @param resource to close with these.
     * @param <T>      type of the resource.
     * @return the resource.
     */
    public <T extends AutoCloseable> T add(final T resource)
    {
        opened.push(resource);
        return resource;
    }

    /**
     * A resource of these is closed by somebody else from here on.
     *
     * @param resource to leave open.
     */
    public void release(final AutoCloseable resource)
    {
        opened.removeIf((each) -> each == resource);
    }

    @Override
    public void close()
    {
        while (!opened.isEmpty())
        {
            closeQuietly(opened.pop());
        }
    }

    /**
     * Closes a resource; a failure is logged.
     *
     * @param resource to close.
     */
    public static void closeQuietly(final AutoCloseable resource)
    {
        try
        {
            resource.close();
        }
        catch (final Exception | Error e)
        {
            LOGGER.warn("could not be closed: {}", resource, e);
        }
    }
}

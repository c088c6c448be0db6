package org.onesided.tools.metrics;

import java.util.concurrent.atomic.AtomicReference;
import org.onesided.server.StoreServer;

/**
 * The server that a {@link MetricsEndpoint} tells of, from before it starts until after it stopped. Thread-safe.
 */
public final class Served
{
    private final AtomicReference<StoreServer> server = new AtomicReference<>();

    /**
     * Nothing, as long as there is no server.
     */
    public Served()
    {
    }

    /**
     * @param started server that clients can connect to.
     */
    public void started(final StoreServer started)
    {
        server.set(started);
    }

    /** The server, or null as long as it starts. */
    StoreServer server()
    {
        return server.get();
    }

    /** Why clients are not served, in one line; null if they are. */
    String illness()
    {
        final StoreServer now = server.get();
        if (now == null)
        {
            return "starting";
        }
        if (now.failure() != null)
        {
            return "failed: " + now.failure();
        }
        return now.isServing() ? null : "stopping";
    }
}

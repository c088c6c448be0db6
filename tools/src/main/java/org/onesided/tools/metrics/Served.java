package org.onesided.tools.metrics;

import java.util.concurrent.atomic.AtomicReference;
import org.onesided.server.StoreServer;
import org.onesided.server.shard.ShardMetrics;

/**
 * The server that a {@link MetricsEndpoint} tells of, from before it starts until after it stopped. Thread-safe.
 */
public final class Served
{
    private final AtomicReference<StoreServer> server = new AtomicReference<>();
    private final ShardPulses pulses = new ShardPulses();

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
        if (!now.isServing())
        {
            return "stopping";
        }
        final int lost = pulses.lost(() -> now.metrics().shards().stream().mapToLong(ShardMetrics::rounds).toArray());
        return lost < 0 || !now.isServing() ? null : "shard hangs: shard=" + lost;
    }
}

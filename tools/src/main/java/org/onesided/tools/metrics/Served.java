package org.onesided.tools.metrics;

import java.util.concurrent.atomic.AtomicReference;
import org.onesided.server.StoreServer;
import org.onesided.server.shard.ShardMetrics;

/**
 * The server that a {@link MetricsEndpoint} reports, from before its start until after its stop. Thread-safe.
 */
public final class Served
{
    private final AtomicReference<StoreServer> server = new AtomicReference<>();
    private final ShardPulses pulses = new ShardPulses();

    /**
     * Without a server.
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

    /** The server; null while it starts. */
    StoreServer server()
    {
        return server.get();
    }

    /** The reason why clients cannot connect, in one line; null if they can. */
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

package org.onesided.tools.metrics;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.onesided.server.StoreServer;
import org.onesided.server.shard.ShardMetrics;

/**
 * The server that a {@link MetricsEndpoint} reports, from before its start until after its stop. Thread-safe.
 */
public final class Served
{
    /** Replaced as a whole: a server, or why there is none. */
    private record State(StoreServer server, Supplier<String> why)
    {
    }

    private final AtomicReference<State> state = new AtomicReference<>(new State(null, () -> "starting"));
    private final ShardPulses pulses = new ShardPulses();

    /**
     * Without a server, which is about to start.
     */
    public Served()
    {
    }

    /**
     * Clients cannot connect yet, or not any more until the next {@link #started}.
     *
     * @param why the reason in one line, as of now; called by other threads.
     */
    public void unavailable(final Supplier<String> why)
    {
        state.set(new State(null, why));
    }

    /**
     * @param started server that clients can connect to.
     */
    public void started(final StoreServer started)
    {
        state.set(new State(started, null));
    }

    /** The server; null while it starts. */
    StoreServer server()
    {
        return state.get().server();
    }

    /** The reason why clients cannot connect, in one line; null if they can. */
    String illness()
    {
        final State current = state.get();
        final StoreServer now = current.server();
        if (now == null)
        {
            return current.why().get();
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

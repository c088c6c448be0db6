package org.onesided.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Prints the tables of docs/scaling.md: what clusters of several sizes have on each server and client, and what happens
 * when one of their servers dies. It needs no server, and prints the same each time.
 */
final class ScalingSimulation
{
    /** The second has as many members as can be formed now, and as many partitions as a table can have. */
    static final List<ScaledCluster> CLUSTERS = List.of(
        new ScaledCluster(3, 50, 8, 3, 1, 1_000),
        new ScaledCluster(7, 1_000, 64, 7, 1, 1_000),
        new ScaledCluster(100, 1_000, 64, 3, 1, 1_000),
        new ScaledCluster(100, 1_000, 256, 3, 1, 1_000),
        new ScaledCluster(100, 1_000, 800, 3, 1, 1_000),
        new ScaledCluster(100, 1_000, 800, 3, 8, 1_000));

    private static final long SEED = 20;
    private static final double MIB = 1 << 20;

    private ScalingSimulation()
    {
    }

    /**
     * @param arguments none.
     */
    public static void main(final String... arguments)
    {
        System.out.print(text());
    }

    static String text()
    {
        final StringBuilder text = new StringBuilder();
        row(text, "", (cluster) -> cluster.servers() + " servers, " + cluster.clients() + " clients");
        text.append('|').append("---|".repeat(CLUSTERS.size() + 1)).append('\n');
        row(text, "partitions, replicas, sessions", (cluster) -> cluster.partitions() + ", " + cluster.replicas() +
            ", " + cluster.sessions());
        row(text, "Ratis groups in a server", (cluster) -> number(cluster.groups()));
        row(text, "partitions that a server leads", (cluster) -> number(cluster.led()));
        row(text, "queue pairs at a server", (cluster) -> number(cluster.queuePairs()));
        row(text, "their buffers at the server, MiB", (cluster) -> number(cluster.serverBytes() / MIB));
        row(text, "queue pairs at a client", (cluster) -> number(cluster.sessionsOfClient()));
        row(text, "memory of its sessions, MiB", (cluster) -> number(cluster.clientBytes() / MIB));
        row(text, "requests for leases at a server, 1/s", (cluster) -> number(cluster.leaseRequests()));
        row(text, "the same, one per client and server", (cluster) -> number(cluster.sharedLeaseRequests()));
        row(text, "entries that prove leadership, 1/s", (cluster) -> number(cluster.proofs()));
        row(text, "heartbeats of sessions at a server, 1/s", (cluster) -> number(cluster.sessionHeartbeats()));
        row(text, "heartbeats of Ratis at a server, 1/s", (cluster) -> number(cluster.raftHeartbeats()));
        row(text, "a server dies: servers that take over", (cluster) -> number(storm(cluster).targets()));
        row(text, "sessions at the busiest, median", (cluster) -> number(storm(cluster).medianSessions()));
        row(text, "99 of 100 times at most", (cluster) -> number(storm(cluster).worstSessions()));
        row(text, "its processor time for them, s", (cluster) -> number(storm(cluster).worstSeconds()));
        return text.toString();
    }

    private static FailoverStorm storm(final ScaledCluster cluster)
    {
        return new FailoverStorm(cluster, SEED);
    }

    private static void row(
        final StringBuilder text, final String name, final Function<ScaledCluster, String> value)
    {
        text.append("| ").append(name).append(" |");
        CLUSTERS.forEach((cluster) -> text.append(' ').append(value.apply(cluster)).append(" |"));
        text.append('\n');
    }

    private static String number(final double value)
    {
        return value >= 10 || value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) :
            String.format(Locale.ROOT, "%.1f", value);
    }
}

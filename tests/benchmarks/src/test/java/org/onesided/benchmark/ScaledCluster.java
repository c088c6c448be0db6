package org.onesided.benchmark;

import java.util.concurrent.TimeUnit;
import org.onesided.server.ServerOptions;
import org.onesided.server.queue.SessionGeometry;

/**
 * A cluster on paper: what its servers and clients have, by the defaults of the code. Partitions and leaders are spread
 * evenly, and each client uses all partitions.
 *
 * @param servers    at least as many as replicas.
 * @param clients    processes with one {@code StoreClient} each.
 * @param partitions of the table.
 * @param replicas   members that keep each partition.
 * @param sessions   of each client for each partition.
 * @param leaseMs    for how long a client may look up without asking the leader again.
 */
record ScaledCluster(int servers, int clients, int partitions, int replicas, int sessions, int leaseMs)
{
    /** A leader sends to each follower after half of the shortest timeout, {@code RaftSettings}. */
    static final int RAFT_HEARTBEATS_A_SECOND = 4;
    /** {@code SessionLease} asks when half of a lease is over. */
    static final int REQUESTS_PER_LEASE = 2;
    /** {@code ShardLeases} logs no more empty entries than this for each lease. */
    static final int PROOFS_PER_LEASE = 4;
    /** Of a session's line, {@code SessionLine}. */
    static final int HEARTBEATS_PER_SESSION_LEASE = 3;
    /** Of a session in its client, docs/library.md. */
    static final long CLIENT_BYTES_OF_SESSION = 300L << 10;

    private static final double MS = 1_000;

    /** What a session may have under way, as {@code SessionSizes} has it by default. */
    private static SessionGeometry geometry()
    {
        final ServerOptions defaults = new ServerOptions();
        return new SessionGeometry(
            defaults.credits(), defaults.messageLength(), Math.max(2, defaults.credits() / 4), 4, 1 << 20, 0);
    }

    /** Ratis groups in a server. */
    double groups()
    {
        return (double)partitions * replicas / servers;
    }

    /** Partitions that a server leads. */
    double led()
    {
        return (double)partitions / servers;
    }

    /** Sessions of one client. */
    int sessionsOfClient()
    {
        return partitions * sessions;
    }

    /** Sessions at a server, each with one queue pair: that of its partition's leader. */
    double queuePairs()
    {
        return led() * clients * sessions;
    }

    /** Registered bytes for requests and answers of a server's sessions. */
    double serverBytes()
    {
        return queuePairs() * geometry().bufferLength();
    }

    /** Bytes of a client's sessions. */
    double clientBytes()
    {
        return (double)sessionsOfClient() * CLIENT_BYTES_OF_SESSION;
    }

    /** Requests for leases that a server gets in a second, if all sessions are in use. */
    double leaseRequests()
    {
        return queuePairs() * REQUESTS_PER_LEASE * MS / leaseMs;
    }

    /** The same with one request per client and server for all that it leads, which the code does not have. */
    double sharedLeaseRequests()
    {
        return Math.min(1, led()) * clients * REQUESTS_PER_LEASE * MS / leaseMs;
    }

    /** Entries that a server logs in a second to prove that it leads, while nobody writes. */
    double proofs()
    {
        return led() * PROOFS_PER_LEASE * MS / leaseMs;
    }

    /** Heartbeats of sessions that a server gets in a second. */
    double sessionHeartbeats()
    {
        return queuePairs() * HEARTBEATS_PER_SESSION_LEASE * TimeUnit.SECONDS.toNanos(1) /
            new ServerOptions().leaseNs();
    }

    /** Heartbeats of Ratis that a server sends or gets in a second, while nobody writes. */
    double raftHeartbeats()
    {
        return 2 * led() * (replicas - 1) * RAFT_HEARTBEATS_A_SECOND;
    }
}

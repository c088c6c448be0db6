package org.onesided.benchmark;

import java.util.Arrays;
import java.util.Random;

/**
 * What follows when one server of a cluster dies, simulated: its partitions get leaders among those who keep them, and
 * all sessions that were there connect to these. Members have random places; the follower leads whose election timeout
 * ends first.
 */
final class FailoverStorm
{
    /** Processor time of a server for one session that connects, over tcp: {@code tests/run storm}, docs/library.md. */
    static final double SERVER_MS_OF_CONNECT = 1.4;

    /** Tries of one simulation. */
    static final int TRIES = 1_000;

    private final ScaledCluster cluster;
    private final Random random;
    /** Most sessions that one server has to take, in each try, sorted. */
    private final double[] most = new double[TRIES];
    /** Servers that had to take some, in all tries together. */
    private long targets;

    FailoverStorm(final ScaledCluster cluster, final long seed)
    {
        this.cluster = cluster;
        random = new Random(seed);
        for (int i = 0; i < TRIES; i++)
        {
            most[i] = kill();
        }
        Arrays.sort(most);
    }

    /** Places all partitions anew, and kills server 0. */
    private double kill()
    {
        final int[] taken = new int[cluster.servers()];
        for (int partition = 0; partition < cluster.partitions(); partition++)
        {
            // Leaders are spread evenly, from a random one on.
            if (partition % cluster.servers() == 0)
            {
                taken[successor()]++;
            }
        }
        targets += Arrays.stream(taken).filter((count) -> count > 0).count();
        return (double)Arrays.stream(taken).max().orElse(0) * cluster.clients() * cluster.sessions();
    }

    /** Of the other replicas of a partition that server 0 led, that whose timeout ends first. */
    private int successor()
    {
        int best = 0;
        double bestTimeout = Double.MAX_VALUE;
        final int[] others = random.ints(1, cluster.servers()).distinct().limit(cluster.replicas() - 1).toArray();
        for (final int other : others)
        {
            final double timeout = random.nextDouble();
            if (timeout < bestTimeout)
            {
                bestTimeout = timeout;
                best = other;
            }
        }
        return best;
    }

    /** Servers that have to take sessions, on average. */
    double targets()
    {
        return (double)targets / TRIES;
    }

    /** Sessions that the busiest of them has to take, in half of the tries at most. */
    double medianSessions()
    {
        return most[TRIES / 2];
    }

    /** The same, in 99 of 100 tries at most. */
    double worstSessions()
    {
        return most[TRIES * 99 / 100];
    }

    /** Processor time in seconds that the busiest server needs for them, in 99 of 100 tries at most. */
    double worstSeconds()
    {
        return worstSessions() * SERVER_MS_OF_CONNECT / 1_000;
    }
}

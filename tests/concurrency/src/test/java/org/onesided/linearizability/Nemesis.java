package org.onesided.linearizability;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;

/**
 * A thread that does harm to one member of a cluster after the other: kills it or ends it in order and starts it again,
 * at once or later, stops it for longer than leases last, or has a new one take its place while another is killed.
 * Where partitions are on some members only, replicas go to other members, too, and come back.
 */
final class Nemesis implements AutoCloseable
{
    /** Enough for a cluster to elect a leader, and for clients to find it. */
    static final int MOST_PAUSE_MS = 6000;
    private static final int PAUSES = 3;
    private static final int MOST_AWAY_MS = 3000;
    /** Others elect a leader meanwhile, and clients may read what it does not know. */
    private static final int MOST_STOPPED_MS = 5000;
    private static final int KINDS = 4;
    private static final int MOVE = KINDS;
    /** Longer than commands take that are repeated. */
    private static final long JOIN_SECONDS = 1300;

    private final ClusterServers servers;
    private final int wanted;
    private final int pauseMs;
    private final int awayMs;
    private final int stoppedMs;
    private final Random random;
    private final int kinds;
    private final int first;
    private final Thread thread;
    private volatile int kills;
    private volatile int stops;
    private volatile int ends;
    private volatile int replacements;
    private volatile int moves;
    private volatile boolean isDone;
    private volatile boolean isClosed;
    private volatile String failure;

    /**
     * @param servers that are ready.
     * @param harms   how many.
     * @param pauseMs before each at most; at least a third of it. Where it is short, members are away and stopped for
     *                shorter, too.
     * @param seed    of what is drawn.
     */
    Nemesis(final ClusterServers servers, final int harms, final int pauseMs, final long seed)
    {
        this.servers = servers;
        wanted = harms;
        this.pauseMs = pauseMs;
        awayMs = Math.min(MOST_AWAY_MS, pauseMs);
        stoppedMs = Math.min(MOST_STOPPED_MS, 2 * pauseMs);
        random = new Random(seed);
        kinds = servers.isSpread() ? KINDS + 1 : KINDS;
        first = servers.isSpread() ? MOVE : random.nextInt(KINDS);
        thread = new Thread(this::run, "nemesis");
        thread.start();
    }

    private void run()
    {
        try
        {
            while (!isClosed && done() < wanted)
            {
                TimeUnit.MILLISECONDS.sleep(between(pauseMs / PAUSES, pauseMs));
                final int member = random.nextInt(servers.count());
                final int done = done();
                // The first ones are of all kinds.
                switch (done < kinds ? (first + done) % kinds : random.nextInt(kinds))
                {
                    case 0 ->
                    {
                        servers.signal(member, "STOP");
                        stops++;
                        TimeUnit.MILLISECONDS.sleep(between(100, stoppedMs));
                        servers.signal(member, "CONT");
                    }
                    case 1 ->
                    {
                        final int other = (member + between(1, servers.count())) % servers.count();
                        servers.replace(member, harm(other));
                        replacements++;
                    }
                    case MOVE ->
                    {
                        servers.move(random, harm(member));
                        moves++;
                    }
                    case 2 ->
                    {
                        servers.stop(member);
                        ends++;
                        startAgain(member);
                    }
                    default ->
                    {
                        servers.kill(member);
                        kills++;
                        startAgain(member);
                    }
                }
            }
        }
        catch (final IOException | InterruptedException | RuntimeException e)
        {
            failure = e.toString();
        }
        isDone = true;
    }

    /** Nothing, or what is done to a member while others change. */
    private ClusterServers.Harm harm(final int member)
    {
        final boolean isHarsh = random.nextBoolean();
        return () ->
        {
            if (isHarsh)
            {
                TimeUnit.MILLISECONDS.sleep(between(1, awayMs));
                servers.kill(member);
                startAgain(member);
            }
        };
    }

    private void startAgain(final int member) throws IOException, InterruptedException
    {
        TimeUnit.MILLISECONDS.sleep(between(1, awayMs));
        servers.start(member);
        servers.awaitReady(member);
    }

    private int between(final int from, final int to)
    {
        return from + random.nextInt(to - from);
    }

    /** Harms of all kinds. */
    int done()
    {
        return kills + stops + ends + replacements + moves;
    }

    /** Replicas that went to another member, and perhaps back. */
    int moves()
    {
        return moves;
    }

    /** Members in whose place another one came. */
    int replacements()
    {
        return replacements;
    }

    /** Whether there is no more harm to come. */
    boolean isDone()
    {
        return isDone;
    }

    int kills()
    {
        return kills;
    }

    int stops()
    {
        return stops;
    }

    /** Members that were ended in order. */
    int ends()
    {
        return ends;
    }

    /** Why it has ended before its time, or null. */
    String failure()
    {
        return failure;
    }

    @Override
    public void close() throws IOException
    {
        isClosed = true;
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(HangGuard.seconds(JOIN_SECONDS)));
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        if (!isDone)
        {
            throw new IOException("nemesis does not end: kills=" + kills + " stops=" + stops +
                " ends=" + ends);
        }
    }
}

package org.onesided.linearizability;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.onesided.restarts.KilledServer;
import org.onesided.testing.HangGuard;

/**
 * A thread that kills a server at random moments and starts it again: mostly while clients work, sometimes as soon as
 * it is ready, and sometimes before.
 */
final class Killer implements AutoCloseable
{
    private static final int LEAST_MS = 300;
    private static final int MOST_MS = 3000;
    private static final int SOON_MS = 100;
    private static final long JOIN_SECONDS = 400;

    private final KilledServer server;
    private final int wanted;
    private final Random random;
    private final Runnable onFailure;
    private final Thread thread;
    private volatile boolean isClosed;
    private volatile boolean isDone;
    private volatile int kills;
    private volatile int early;
    private volatile long resumed;
    private volatile String failure;

    /**
     * @param server    that is ready.
     * @param kills     how many.
     * @param seed      of what is drawn.
     * @param onFailure called if the server does not come back.
     */
    Killer(final KilledServer server, final int kills, final long seed, final Runnable onFailure)
    {
        this.onFailure = onFailure;
        this.server = server;
        wanted = kills;
        random = new Random(seed);
        thread = new Thread(this::run, "killer");
        thread.start();
    }

    private void run()
    {
        try
        {
            long startMs = server.awaitReady();
            boolean isEarlyAllowed = false;
            while (!isClosed && kills < wanted)
            {
                final int draw = random.nextInt(8);
                final boolean isEarly = draw < 2 && isEarlyAllowed;
                if (isEarly)
                {
                    TimeUnit.MILLISECONDS.sleep(random.nextLong(startMs + startMs / 4 + 1));
                }
                else
                {
                    startMs = server.awaitReady();
                    TimeUnit.MILLISECONDS.sleep(
                        (long)server.slowness() *
                            (draw == 2 ? random.nextInt(SOON_MS) : LEAST_MS + random.nextInt(MOST_MS - LEAST_MS)));
                    resumed += server.resumed();
                }
                early += server.isReady() ? 0 : 1;
                server.kill();
                kills++;
                server.start();
                isEarlyAllowed = !isEarly;
            }
            server.awaitReady();
        }
        catch (final IOException | InterruptedException e)
        {
            failure = e.getMessage();
            onFailure.run();
        }
        isDone = true;
    }

    /** Whether there were as many kills as wanted, or no more come; the server is ready then, if nothing failed. */
    boolean isDone()
    {
        return isDone;
    }

    /** How often the server was killed. */
    int kills()
    {
        return kills;
    }

    /** How often it was before it was ready. */
    int early()
    {
        return early;
    }

    /** Sessions that the killed processes had resumed. */
    long resumed()
    {
        return resumed;
    }

    /** Why no more kills come, or null. */
    String failure()
    {
        return failure;
    }

    /** Ends with the present kill, and waits until the server is ready again. */
    @Override
    public void close() throws IOException
    {
        isClosed = true;
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(HangGuard.seconds(JOIN_SECONDS * server.slowness())));
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        if (!isDone)
        {
            throw new IOException("killer does not end: kills=" + kills);
        }
    }
}

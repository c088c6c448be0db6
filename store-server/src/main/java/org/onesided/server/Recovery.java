package org.onesided.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.onesided.server.data.DataOptions;
import org.onesided.server.session.RecoveredSessions;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.session.ShardSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until all shards have read back their logs, and collects the sessions that these tell of. The shards' threads
 * tell it; the rest belongs to the thread that starts the server.
 */
final class Recovery
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Recovery.class);
    private static final long LOOK_MS = 100;
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(5);

    private final DataOptions data;
    private final ReadBack readBack;
    private final CountDownLatch unfinished;
    private final List<List<ShardSession>> sessions = new ArrayList<>();
    private final RecoveredSessions recovered = new RecoveredSessions();

    /**
     * @param data     where the table is.
     * @param shards   of the table.
     * @param readBack how far it is.
     */
    Recovery(final DataOptions data, final int shards, final ReadBack readBack)
    {
        this.data = data;
        this.readBack = readBack;
        unfinished = new CountDownLatch(shards);
        for (int i = 0; i < shards; i++)
        {
            sessions.add(List.of());
        }
    }

    /** A shard has read back all of its log, which tells of these sessions. Called once for each, on its thread. */
    void onRecovered(final int number, final List<ShardSession> logged)
    {
        synchronized (sessions)
        {
            sessions.set(number, logged);
        }
        unfinished.countDown();
    }

    /**
     * Waits until all logs were read back.
     *
     * @param shards  of the server.
     * @param isAlone whether the server is, so that sessions can go on with it.
     * @param failure of the server, or null as long as there is none.
     * @throws ServerException if the server fails meanwhile, or the thread is interrupted.
     */
    void await(final List<Shard> shards, final boolean isAlone, final Supplier<Throwable> failure)
    {
        final long beginNs = System.nanoTime();
        long reportedNs = beginNs;
        try
        {
            while (!unfinished.await(LOOK_MS, TimeUnit.MILLISECONDS))
            {
                if (failure.get() != null)
                {
                    throw new ServerException("table could not be read back: path=" + data.directory() +
                        " cause=" + failure.get().getMessage(), failure.get());
                }
                readBack.tell();
                if (System.nanoTime() - reportedNs >= REPORT_NS)
                {
                    reportedNs = System.nanoTime();
                    LOGGER.info("reading back: records={}", records(shards));
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while the table was read back", e);
        }
        final int partly;
        synchronized (sessions)
        {
            partly = isAlone ? recovered.fill(shards, sessions, System.nanoTime()) : 0;
        }
        readBack.end();
        if (partly > 0)
        {
            LOGGER.info("sessions end that not all shards had logged, writes on their way are of unknown fate: " +
                "sessions={}", partly);
        }
        LOGGER.info("table is on disk: path={} sync={} records={} sessions={} read-back={}ms",
            data.directory(), data.sync(), records(shards), recovered.size(),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs));
    }

    private static long records(final List<Shard> shards)
    {
        return shards.stream().mapToLong((shard) -> shard.metrics().table().records()).sum();
    }

    /** Sessions of a former process, once all logs were read back. */
    RecoveredSessions sessions()
    {
        return recovered;
    }
}

package org.onesided.verbs.tcp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;

/**
 * Decides which thread serves active connections. While a thread polls one or sleeps on it, the progress thread leaves
 * it alone, so that an answer wakes only the thread that waits for it. A connection that no thread polled for a while
 * belongs to the progress thread until it is polled again, so that requests of the peer do not wait for this side's
 * program.
 *
 * <p>The timer for this runs while connections are polled, and for a while afterwards. Used by the progress thread,
 * except {@link #check}.
 */
final class Attendance implements Ticking
{
    /** A connection that was not polled for once to twice this is unattended. */
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Time after the last poll at which the timer stops if all users sleep. */
    private static final long STOP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long FOR_EVER_NS = Long.MAX_VALUE;

    private final Progress progress;
    private final List<Connection> connections = new ArrayList<>();
    private volatile boolean ticking;
    private long nextTickNs;
    private long lastPollNs;

    Attendance(final Progress progress)
    {
        this.progress = progress;
    }

    void add(final Connection connection)
    {
        connections.add(connection);
        resume();
    }

    void remove(final Connection connection)
    {
        if (connection.isActive())
        {
            connections.remove(connection);
        }
    }

    /**
     * A connection exists that other threads serve.
     */
    void resume()
    {
        if (!ticking)
        {
            ticking = true;
            lastPollNs = System.nanoTime();
            nextTickNs = lastPollNs + TICK_NS;
        }
    }

    /**
     * Somebody has stopped sleeping on a connection, and may never poll it again; from any thread.
     */
    void check()
    {
        UnsafeApi.fullFence();
        if (!ticking)
        {
            progress.execute(this::resume);
        }
    }

    @Override
    public long tick(final long nowNs)
    {
        if (!ticking)
        {
            return FOR_EVER_NS;
        }
        if (nowNs - nextTickNs >= 0)
        {
            nextTickNs = nowNs + TICK_NS;
            look(nowNs);
        }
        return ticking ? nextTickNs - nowNs : FOR_EVER_NS;
    }

    private void look(final long nowNs)
    {
        boolean sleepers = false;
        for (int i = connections.size() - 1; i >= 0; i--)
        {
            final Connection connection = connections.get(i);
            if (connection.isUnattended())
            {
                continue;
            }
            if (connection.takePolled())
            {
                lastPollNs = nowNs;
            }
            else if (connection.isSleptOn())
            {
                sleepers = true;
            }
            else
            {
                connection.unattended(true);
            }
        }
        if (lastPollNs != nowNs && (!sleepers || nowNs - lastPollNs >= STOP_NS))
        {
            ticking = false;
            UnsafeApi.fullFence();
            for (int i = 0; i < connections.size(); i++)
            {
                final Connection connection = connections.get(i);
                if (!connection.isUnattended() && !connection.isSleptOn())
                {
                    resume();
                }
            }
        }
    }
}

package org.onesided.client.session;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.verbs.ThreadEnd;
import org.onesided.verbs.ThreadFence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that keeps the sessions of all clients alive: it sends their heartbeats, which report the sessions' totals
 * to the server, confirms that they do not READ what the server retired ({@link Confirmation}), reports sampled lookups
 * to servers that ask for them ({@link AccessReports}), and wakes a session whose connection ends. It never waits for
 * the server, so that a stopped server ends no session, and runs no code of the application, so that no client delays
 * the others. The first client starts it, and the last one ends it. It also watches threads that run callbacks
 * ({@link Watched}). Thread-safe.
 *
 * <p>Agrona's {@code AgentRunner} does not fit: its close interrupts a slow agent, which would close the channel that
 * the thread is using, and waits for it without bound.
 */
public final class LifeLine implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(LifeLine.class);
    /** Upper limit of passes over all lines in the shortest heartbeat period, so that many lines cost little. */
    private static final int ROUNDS_PER_PERIOD = 8;
    private static final long MAX_ROUND_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MIN_ROUND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** How often a session that is amid an operation is asked for its confirmation. */
    private static final long CONFIRM_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Object SHARED_LOCK = new Object();
    /** Of all clients, or null while there are none. */
    private static LifeLine shared;

    /** A line as its session has it. */
    private final class KeptLine implements Connection.Line
    {
        private final SessionLine line;
        private final Watched accesses;
        private final Watched manyAccesses;

        private KeptLine(final SessionLine line)
        {
            this.line = line;
            accesses = line::reportAccesses;
            manyAccesses = (nowNs) ->
            {
                line.reportAccesses(nowNs);
                // The next sample asks again.
                return false;
            };
            if (line.reportsAccesses())
            {
                watched.add(accesses);
                reporting.add(manyAccesses);
            }
        }

        @Override
        public String lastWords()
        {
            return line.lastWords();
        }

        @Override
        public SessionTotals reported(final Deadline deadline)
        {
            return line.reported(deadline);
        }

        @Override
        public void leave(final String reason)
        {
            line.close(reason);
            forget();
        }

        @Override
        public void drop()
        {
            line.drop();
            forget();
        }

        private void forget()
        {
            lines.remove(line);
            watched.remove(accesses);
            reporting.remove(manyAccesses);
            selector.wakeup();
        }
    }

    private final Selector selector;
    private final Queue<SessionLine> lines = new ConcurrentLinkedQueue<>();
    private final Queue<SessionLine> added = new ConcurrentLinkedQueue<>();
    private final Looks watched = new Looks(LOOK_NS);
    /** The sessions once more, for those that have many samples before the next of the other looks. */
    private final Looks reporting = new Looks(AccessReports.SHORT_PERIOD_NS);
    /** Lines that owe the server a confirmation. For the thread. */
    private final Set<SessionLine> confirming = new HashSet<>();
    private final Thread thread;
    private volatile boolean isClosed;
    /** Guarded by {@link #SHARED_LOCK}. */
    private int users = 1;
    private long nextRoundNs;
    private long nextConfirmNs;

    private LifeLine() throws IOException
    {
        selector = Selector.open();
        thread = new Thread(this::run, "onesided-life-line");
        thread.setDaemon(true);
        boolean isStarted = false;
        try
        {
            thread.start();
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                Resources.closeQuietly(selector);
            }
        }
    }

    /**
     * The life line of all clients, for one more, which closes it once.
     *
     * @return the life line.
     * @throws IOException if it must be started, and the system has no more selectors.
     */
    public static LifeLine share() throws IOException
    {
        synchronized (SHARED_LOCK)
        {
            if (shared == null)
            {
                shared = new LifeLine();
            }
            else
            {
                shared.users++;
            }
            return shared;
        }
    }

    /**
     * Checks an object after each {@link #lookSoon}, until {@link #unwatch}.
     *
     * @param one to check.
     */
    public void watch(final Watched one)
    {
        watched.add(one);
    }

    /**
     * @param one to check no longer.
     */
    public void unwatch(final Watched one)
    {
        watched.remove(one);
    }

    /** Checks all watched objects from now on, until none asks for more checks. Repeated calls are cheap. */
    public void lookSoon()
    {
        if (watched.ask())
        {
            selector.wakeup();
        }
    }

    /** Lets sessions that have many samples report them soon. Repeated calls are cheap. */
    void reportSoon()
    {
        if (reporting.ask())
        {
            selector.wakeup();
        }
    }

    /** Keeps a session's connection alive until the session ends. */
    Connection.Line add(final SessionLine line)
    {
        added.add(line);
        selector.wakeup();
        return new KeptLine(line);
    }

    /** Ends one client's use. The last client stops the thread and waits for it; open lines get no more heartbeats. */
    @Override
    public void close()
    {
        synchronized (SHARED_LOCK)
        {
            users--;
            if (users > 0)
            {
                return;
            }
            shared = null;
        }
        isClosed = true;
        selector.wakeup();
        final String stuck = ThreadEnd.await(thread, ThreadEnd.PATIENCE_NS);
        if (stuck == null)
        {
            Resources.closeQuietly(selector);
        }
        else
        {
            LOGGER.error("life line's selector is left: {}", stuck);
        }
    }

    private void run()
    {
        nextRoundNs = System.nanoTime();
        nextConfirmNs = nextRoundNs;
        while (!isClosed)
        {
            try
            {
                selector.select(untilNext());
                takeAdded();
                selector.selectedKeys().forEach(key -> read((SessionLine)key.attachment()));
                selector.selectedKeys().clear();
                confirm();
            }
            catch (final IOException | RuntimeException | Error e)
            {
                // Includes OutOfMemoryError: the sessions of all clients depend on this thread.
                LOGGER.warn("life line failed and continues", e);
                LockSupport.parkNanos(MIN_ROUND_NS);
            }
        }
    }

    private void read(final SessionLine line)
    {
        line.read();
        expectConfirmation(line);
    }

    private void expectConfirmation(final SessionLine line)
    {
        if (line.isConfirmationDue() && confirming.add(line))
        {
            nextConfirmNs = System.nanoTime();
        }
    }

    /** Confirms for the sessions that do not READ what was retired, all of them with one fence. */
    private void confirm()
    {
        final long nowNs = System.nanoTime();
        if (confirming.isEmpty() || nowNs - nextConfirmNs < 0)
        {
            return;
        }
        nextConfirmNs = nowNs + CONFIRM_NS;
        boolean needsFence = false;
        for (final SessionLine line : confirming)
        {
            needsFence |= line.prepareConfirmation();
        }
        if (!needsFence || ThreadFence.heavy())
        {
            confirming.removeIf(SessionLine::confirm);
        }
    }

    /** Does what is due, and returns the milliseconds until more is due. */
    private long untilNext()
    {
        long nowNs = System.nanoTime();
        watched.lookIfDue(nowNs);
        reporting.lookIfDue(nowNs);
        if (nowNs - nextRoundNs >= 0)
        {
            // Set before the round, too: if the round fails, the loop must not begin another at once.
            nextRoundNs = nowNs + MIN_ROUND_NS;
            nextRoundNs = nowNs + beatAll(nowNs);
        }
        nowNs = System.nanoTime();
        long waitNs = Math.min(nextRoundNs - nowNs, Math.min(watched.untilDueNs(nowNs), reporting.untilDueNs(nowNs)));
        waitNs = confirming.isEmpty() ? waitNs : Math.min(nextConfirmNs - nowNs, waitNs);
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNs));
    }

    private void takeAdded()
    {
        SessionLine line = added.poll();
        while (line != null)
        {
            lines.add(line);
            line.register(selector);
            expectConfirmation(line);
            nextRoundNs = Math.min(nextRoundNs, System.nanoTime() + line.periodNs() / ROUNDS_PER_PERIOD);
            line = added.poll();
        }
    }

    private static void beat(final SessionLine line, final long nowNs)
    {
        try
        {
            line.beat(nowNs);
        }
        catch (final RuntimeException | Error e)
        {
            // Includes OutOfMemoryError: the lines that follow have leases, too.
            LOGGER.warn("life line could not send a heartbeat, and continues with the others", e);
        }
    }

    /** Sends the heartbeats that are due, and returns the nanoseconds until the next are. */
    private long beatAll(final long nowNs)
    {
        long waitNs = SessionLine.REPORT_PERIOD_NS;
        long roundNs = MAX_ROUND_NS;
        for (final SessionLine line : lines)
        {
            beat(line, nowNs);
            // The session's thread may have read the announcement.
            expectConfirmation(line);
            if (!line.isOpen())
            {
                lines.remove(line);
            }
            waitNs = Math.min(waitNs, line.periodNs() - (nowNs - line.lastBeatNs()));
            roundNs = Math.min(roundNs, line.periodNs() / ROUNDS_PER_PERIOD);
        }
        return Math.max(waitNs, Math.max(MIN_ROUND_NS, roundNs));
    }
}

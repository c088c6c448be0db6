package org.onesided.server.raft;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.protocol.RaftGroupMemberId;

/**
 * Counts the forces of each log that were begun and have not ended. With {@code --sync interval}, Ratis hands each
 * force to a thread and goes on, without a bound. On a disk that is slower than the writers, forces would pile up, and
 * at the end of the segment all writes would wait for all of them, for many seconds. So the log takes no entry while
 * {@value #MOST} forces are pending, and its shard is woken when one of so many ends. That also bounds what a power cut
 * takes. Thread-safe.
 *
 * <p>Ratis has no call that tells of a force, but it times each one. So the timer counts them.
 */
final class PendingForces
{
    private static final int MOST = 8;
    private static final String LOG_METRICS = "log_worker";
    private static final String FORCE_TIMER = "syncTime";
    /** By the name of the group's member: the count of its present life. */
    private static final Map<String, AtomicInteger> PENDING = new ConcurrentHashMap<>();
    /** By the same name: what runs when the log may take an entry again. */
    private static final Map<String, Runnable> WAKE_UPS = new ConcurrentHashMap<>();

    private PendingForces()
    {
    }

    /**
     * Begins to count for a group that is being opened, if this is the timer of its forces.
     *
     * @param metrics that the timer is one of.
     * @param name    of the timer.
     * @return the timer that counts, or null if this is another one.
     */
    static Timekeeper timer(final MetricRegistryInfo metrics, final String name)
    {
        if (!metrics.getMetricsComponentName().equals(LOG_METRICS) || !name.equals(FORCE_TIMER))
        {
            return null;
        }
        final String member = metrics.getPrefix();
        final AtomicInteger pending = new AtomicInteger();
        PENDING.put(member, pending);
        return () ->
        {
            pending.getAndIncrement();
            return () -> end(member, pending);
        };
    }

    private static long end(final String member, final AtomicInteger pending)
    {
        final int before = pending.getAndDecrement();
        final Runnable wakeUp = before == MOST ? WAKE_UPS.get(member) : null;
        if (wakeUp != null)
        {
            wakeUp.run();
        }
        return before;
    }

    /**
     * Says what to run each time a log that had too many pending forces has one less. It runs on Ratis' threads.
     *
     * @param member of the log's group.
     * @param wakeUp to run.
     */
    static void onRoom(final RaftGroupMemberId member, final Runnable wakeUp)
    {
        WAKE_UPS.put(member.toString(), wakeUp);
    }

    /** Whether Ratis times the forces of a log. */
    static boolean isCounting(final RaftGroupMemberId member)
    {
        return PENDING.containsKey(member.toString());
    }

    static int count(final RaftGroupMemberId member)
    {
        final AtomicInteger pending = PENDING.get(member.toString());
        return pending == null ? 0 : pending.get();
    }

    static boolean areMost(final RaftGroupMemberId member)
    {
        return count(member) >= MOST;
    }

    static void forget(final RaftGroupMemberId member)
    {
        PENDING.remove(member.toString());
        WAKE_UPS.remove(member.toString());
    }
}

package org.onesided.client.cluster;

import static org.onesided.client.bootstrap.AttachFailedException.Kind.INTERRUPTED;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.NOT_LEADING;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.PERMANENT;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.STRANGER;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.TRANSIENT;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.concurrent.NanoClock;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.ClusterMap;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.waiting.Interruptible;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who leads each partition, as far as the members of the cluster say. All partitions' clients of one cluster client
 * share it. It asks when somebody found that its answer does not hold, not more often than every 50 ms, whoever finds
 * it. Thread-safe.
 */
public final class Leaders
{
    /** Shortest time from one round of questions to the next. */
    static final long MIN_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Time for a member to answer. */
    static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);
    /** A member that was silent is left out for so long, if another one answers. */
    static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final Logger LOGGER = LoggerFactory.getLogger(Leaders.class);

    /** Asks a server. */
    @FunctionalInterface
    public interface Question
    {
        /**
         * @param server     to ask.
         * @param deadlineNs when the answer must be there, a time of {@link System#nanoTime()}.
         * @return the cluster as it sees it; null if it is alone.
         * @throws AttachFailedException if it does not answer.
         */
        ClusterMap ask(HostAndPort server, long deadlineNs) throws AttachFailedException;
    }

    /** Hears of servers that are silent, while the first answer of the cluster is waited for. */
    @FunctionalInterface
    public interface SilenceListener
    {
        /**
         * @param server that has not answered in its time. Others are asked, and it later.
         * @param reason in a line.
         */
        void onSilence(HostAndPort server, String reason);
    }

    /**
     * What is known.
     *
     * @param map     of the member that answered first: its parts that never change.
     * @param members where they are, by their numbers.
     * @param leaders the best that is known of each shard.
     */
    private record Known(ClusterMap map, Map<Long, HostAndPort> members, List<ClusterMap.Leader> leaders)
    {
    }

    private final List<HostAndPort> seeds;
    private final Question question;
    private final SilenceListener listener;
    private final NanoClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** When each silent member is to be asked again; guarded by the lock. */
    private final Map<HostAndPort, Long> silent = new HashMap<>();
    /** What each member has said of all, by its number; guarded by the lock. */
    private final Map<Long, Map<Long, HostAndPort>> answers = new HashMap<>();
    /** What answers in the place of members. Changed under the lock. */
    private final Map<HostAndPort, AttachFailedException> strangers = new ConcurrentHashMap<>();
    /** Whether the first answer is waited for; guarded by the lock. */
    private boolean isOpening;
    private boolean wasAsked;
    private long askedNs;
    private volatile Known known;

    /**
     * @param seeds    servers that are asked first.
     * @param question asks one.
     * @param listener hears of silent seeds.
     * @param clock    as {@link System#nanoTime()}.
     */
    public Leaders(
        final List<HostAndPort> seeds, final Question question, final SilenceListener listener, final NanoClock clock)
    {
        this.seeds = List.copyOf(seeds);
        this.question = question;
        this.listener = listener;
        this.clock = clock;
    }

    /**
     * Asks the seeds for the first time; again and again if none answers and one is silent, as it may be back soon.
     *
     * @param deadlineNs when to be done.
     * @return the cluster.
     * @throws AttachFailedException if none answers, or a seed is alone.
     */
    public ClusterMap open(final long deadlineNs) throws AttachFailedException
    {
        lock.lock();
        try
        {
            isOpening = true;
            AttachFailedException first = null;
            while (known == null)
            {
                try
                {
                    askAll(deadlineNs);
                }
                catch (final AttachFailedException e)
                {
                    first = first == null || e.kind() != TRANSIENT ? e : first;
                    if (first.kind() != TRANSIENT || silent.isEmpty() || deadlineNs - clock.nanoTime() <= 0)
                    {
                        throw first;
                    }
                }
            }
            return known.map;
        }
        finally
        {
            isOpening = false;
            lock.unlock();
        }
    }

    /**
     * @return the seeds, as settings name them.
     */
    public String text()
    {
        return String.join(",", seeds.stream().map(HostAndPort::toString).toList());
    }

    /**
     * @return the cluster's table, seed and lease; null before the first answer.
     */
    public ClusterMap map()
    {
        final Known now = known;
        return now == null ? null : now.map;
    }

    /**
     * @param shard of the table.
     * @return the best that is known of its leader.
     */
    public ClusterMap.Leader leader(final int shard)
    {
        return known.leaders.get(shard);
    }

    /**
     * @param shard      of the table.
     * @param isAnew     whether to ask first, unless that was done just now.
     * @param deadlineNs when to have it.
     * @return address of the leader.
     * @throws AttachFailedException if none is known now.
     */
    HostAndPort address(final int shard, final boolean isAnew, final long deadlineNs) throws AttachFailedException
    {
        HostAndPort found = isAnew ? null : known(shard);
        if (found == null || strangers.containsKey(found))
        {
            refresh(deadlineNs);
            found = known(shard);
        }
        if (found == null)
        {
            throw new AttachFailedException(
                NOT_LEADING, "no member of the cluster leads the partition now: partition=" + shard, null);
        }
        final AttachFailedException stranger = strangers.get(found);
        if (stranger != null)
        {
            throw new AttachFailedException(STRANGER, stranger.getMessage(), stranger);
        }
        return found;
    }

    /** Address of a shard's leader as far as it is known, or null. */
    HostAndPort known(final int shard)
    {
        final Known now = known;
        return now == null ? null : now.members.get(now.leaders.get(shard).member());
    }

    /** A server of the cluster, for messages. */
    HostAndPort first()
    {
        return seeds.get(0);
    }

    /** Asks all members, unless that was done just now. */
    private void refresh(final long deadlineNs) throws AttachFailedException
    {
        final boolean isLocked = Interruptible.await(
            () -> lock.tryLock(Math.max(0, deadlineNs - clock.nanoTime()), TimeUnit.NANOSECONDS),
            (e) -> new AttachFailedException(
                INTERRUPTED, "thread was interrupted while others asked for leaders", e));
        if (!isLocked)
        {
            return;
        }
        try
        {
            if (!wasAsked || clock.nanoTime() - askedNs >= MIN_PERIOD_NS)
            {
                askAll(deadlineNs);
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    private void askAll(final long deadlineNs) throws AttachFailedException
    {
        try
        {
            askEach(deadlineNs);
        }
        finally
        {
            // From the end of a round on: it may take longer than the period.
            wasAsked = true;
            askedNs = clock.nanoTime();
        }
    }

    private void askEach(final long deadlineNs) throws AttachFailedException
    {
        final List<HostAndPort> late = new ArrayList<>();
        AttachFailedException failure = null;
        boolean isAnswered = false;
        for (final HostAndPort server : servers())
        {
            final Long untilNs = silent.get(server);
            if (untilNs != null && clock.nanoTime() - untilNs < 0)
            {
                late.add(server);
                continue;
            }
            final AttachFailedException failed = ask(server, deadlineNs);
            isAnswered |= failed == null;
            failure = failed == null ? failure : worse(failure, failed);
        }
        for (int i = 0; i < late.size() && !isAnswered; i++)
        {
            final AttachFailedException failed = ask(late.get(i), deadlineNs);
            isAnswered = failed == null;
            failure = failed == null ? failure : worse(failure, failed);
        }
        if (!isAnswered)
        {
            throw failure != null ? failure : new AttachFailedException(
                TRANSIENT, "no member of the cluster answers in time", null);
        }
    }

    /** Of two failures the one that waiting does not mend, and that tells most. */
    private static AttachFailedException worse(final AttachFailedException one, final AttachFailedException other)
    {
        return one != null && (one.isFinal() || one.kind() == STRANGER) ? one : other;
    }

    private Set<HostAndPort> servers()
    {
        final Set<HostAndPort> servers = new LinkedHashSet<>();
        final Known now = known;
        if (now != null)
        {
            servers.addAll(now.members.values());
        }
        servers.addAll(seeds);
        return servers;
    }

    /** Asks a server; how that failed, or null. */
    private AttachFailedException ask(final HostAndPort server, final long deadlineNs)
    {
        final long nowNs = clock.nanoTime();
        final long leftNs = deadlineNs - nowNs;
        if (leftNs <= 0)
        {
            return new AttachFailedException(TRANSIENT, "deadline passed before all members were asked", null);
        }
        final long answerNs = Math.min(leftNs, ANSWER_NS);
        try
        {
            take(server, question.ask(server, nowNs + answerNs));
            silent.remove(server);
            strangers.remove(server);
            return null;
        }
        catch (final AttachFailedException failure)
        {
            // Once the cluster is known, something else in the place of a member ends nothing.
            final AttachFailedException e = known == null ? failure : failure.ofMember(server);
            final long endNs = clock.nanoTime();
            // Who has had less time than that may be well.
            if (answerNs == ANSWER_NS && endNs - nowNs >= answerNs)
            {
                silent.put(server, endNs + SILENCE_NS);
                if (isOpening)
                {
                    listener.onSilence(server, e.getMessage());
                }
            }
            else if (endNs - nowNs < answerNs)
            {
                silent.remove(server);
            }
            if (e.kind() == STRANGER)
            {
                strangers.put(server, e);
            }
            else
            {
                strangers.remove(server);
            }
            return e;
        }
    }

    private void take(final HostAndPort server, final ClusterMap map) throws AttachFailedException
    {
        final Known before = known;
        if (before == null)
        {
            if (map == null)
            {
                throw new AttachFailedException(
                    PERMANENT, "server is alone, not a member of a cluster: server=" + server, null);
            }
            known = new Known(map, members(map), map.leaders());
            return;
        }
        final ClusterMap first = before.map;
        if (map == null || map.tableId() != first.tableId() || map.hashSeed() != first.hashSeed() ||
            map.shards() != first.shards() || map.leaseNs() != first.leaseNs())
        {
            final String reason = "server is not a member of this cluster, name the servers of one: server=" + server +
                " table=" + (map == null ? "its own" : Long.toHexString(map.tableId())) +
                " expected=" + Long.toHexString(first.tableId());
            LOGGER.warn(reason);
            throw new AttachFailedException(PERMANENT, reason, null);
        }
        final List<ClusterMap.Leader> leaders = new ArrayList<>();
        for (int shard = 0; shard < first.shards(); shard++)
        {
            leaders.add(better(before.leaders.get(shard), map.leaders().get(shard)));
        }
        known = new Known(first, members(map), List.copyOf(leaders));
    }

    /**
     * All members that any of them names. What one says may be older than what another says, so a member is left out
     * only when no other one names it any more.
     */
    private Map<Long, HostAndPort> members(final ClusterMap map)
    {
        answers.put(map.self(), map.members());
        final Set<Long> left = new HashSet<>(answers.keySet());
        answers.forEach((number, named) -> named.keySet().stream().filter((other) -> !other.equals(number))
            .forEach(left::remove));
        // Where nobody names another one that has answered, nothing is known of who has left.
        if (left.size() < answers.size())
        {
            answers.keySet().removeAll(left);
        }
        final Map<Long, HostAndPort> all = new TreeMap<>();
        answers.values().forEach(all::putAll);
        // In the order of their numbers, so that all clients ask in one order.
        return Collections.unmodifiableMap(all);
    }

    /** Of two answers the one with the higher term; of one term, the leader's own that it serves. */
    private static ClusterMap.Leader better(final ClusterMap.Leader one, final ClusterMap.Leader other)
    {
        if (other.member() == 0 || one.member() != 0 && one.term() > other.term())
        {
            return one;
        }
        return one.member() != 0 && one.term() == other.term() && one.isServing() ? one : other;
    }
}

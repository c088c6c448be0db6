package org.onesided.server.shard;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.agent.Commands;
import org.onesided.server.cluster.ReignMetrics;
import org.onesided.server.eviction.AccessQueue;
import org.onesided.server.eviction.SampledKeys;
import org.onesided.server.eviction.ShardEviction;
import org.onesided.server.expiry.ExpiryWheel;
import org.onesided.server.expiry.ShardClock;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.table.ShardTable;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.VerbsException;

/**
 * The agent of one shard: polls the completion queues that the shard's queue pairs share, one for each device, executes
 * requests, and is the only writer of the shard's part of the region. Other threads talk to it by {@link #attach},
 * {@link #end}, {@link #forget} and {@link #stop} only.
 */
public final class Shard implements Agent, AutoCloseable
{
    private static final int CLEAN_STEP_LENGTH = 64 << 10;
    /** Bytes that a busy round zeroes, so that deleted data disappears under any load. */
    private static final int BUSY_CLEAN_STEP_LENGTH = 4 << 10;
    /** More bytes that a round zeroes for each put of a batch. */
    private static final int CLEANED_PER_BATCHED_PUT = 256;
    /** Records with a time that a round looks at. */
    private static final int EXPIRE_STEP = 256;
    private static final int BUSY_EXPIRE_STEP = 16;
    /** How often the wheel looks at a record before its time comes, for each level but one, and when it comes. */
    private static final int LOOKS_PER_PUT = ExpiryWheel.LEVELS;
    /** Of a round, which has up to twice as many puts without batches: one put in three makes a split necessary. */
    private static final int MAX_SPLITS = 16;

    private static final String NOT_SERVING = "this server does not lead the shard any more";

    private final int number;
    private final ShardTable table;
    private final ShardEviction eviction;
    private final SessionGeometry geometry;
    private final List<ShardDevice> devices;
    /** The same, for the loop that runs all the time. */
    private final ShardDevice[] polled;
    private final ShardChannels channels;
    private final ShardListener listener;
    private final ShardClock clock;
    private final ShardCounters counters;
    private final Workbench workbench;
    /** Null if writes take effect at once. */
    private final LoggedShard log;
    private final Commands commands;
    private final CompletionPoller poller;
    private final EndingQueuePairs ending;
    private final AtomicInteger tags = new AtomicInteger();
    private boolean isStopping;

    /**
     * @param number        of the shard, from 0.
     * @param shards        how many there are.
     * @param table         its part of the table.
     * @param eviction      of its records.
     * @param keyHash       of the table.
     * @param geometry      of its sessions.
     * @param devices       at least one, used by this shard alone.
     * @param listener      called on the shard's thread.
     * @param roomWaitNs    how long a put may wait for room in the heap, in nanoseconds.
     * @param clock         by which the table's keys expire, used by this shard alone.
     * @param measuresTimes whether to measure how long each request takes.
     * @param durability    lets the table outlive its process; null if it does not.
     * @throws VerbsException with {@code EOPNOTSUPP} if one thread cannot wait for all the devices.
     */
    public Shard(
        final int number,
        final int shards,
        final ShardTable table,
        final ShardEviction eviction,
        final KeyHash keyHash,
        final SessionGeometry geometry,
        final List<ShardDevice> devices,
        final ShardListener listener,
        final long roomWaitNs,
        final ShardClock clock,
        final boolean measuresTimes,
        final ShardDurability durability)
    {
        this.clock = clock;
        this.number = number;
        this.table = table;
        this.eviction = eviction;
        this.geometry = geometry;
        this.devices = List.copyOf(devices);
        polled = devices.toArray(ShardDevice[]::new);
        channels = new ShardChannels(devices, this::onBroken);
        this.listener = listener;
        counters = new ShardCounters(measuresTimes);
        commands = new Commands(roleName(), channels::wakeUp);
        final RequestExecutor executor = new RequestExecutor(
            table, keyHash, number, shards, this.devices.stream().map(ShardDevice::sessions).toList(), counters,
            durability == null ? clock : durability.time(), clock);
        log = durability == null ? null :
            new LoggedShard(number, shards, durability, table, executor, keyHash, geometry, clock,
                (role) -> listener.onRole(number, role));
        workbench = new Workbench(
            table, executor, new RoomQueue(table, counters, roomWaitNs, System::nanoTime), log);
        poller = new CompletionPoller(table, keyHash, commands, counters);
        ending = new EndingQueuePairs(number, listener);
    }

    /**
     * Makes a queue pair whose completions this shard takes. Safe to call from any thread.
     *
     * @param device index of the device among the shard's.
     * @param domain of the region and of the session's buffers, the device's.
     * @return a queue pair in RESET, to be given to {@link #attach}, or closed by the caller.
     */
    public QueuePair createQueuePair(final int device, final ProtectionDomain domain)
    {
        final CompletionQueue queue = polled[device].queue();
        try
        {
            return domain.createQueuePair(attributes(queue, SessionGeometry.MAX_INLINE));
        }
        catch (final VerbsException e)
        {
            if (e.errno() != Errno.EINVAL)
            {
                throw e;
            }
            // Not every device accepts so much inline data; all devices send without inline data.
            return domain.createQueuePair(attributes(queue, 0));
        }
    }

    /**
     * Ends the shard's sleep, as there is something new to look at. Safe to call from any thread.
     */
    public void wakeUp()
    {
        channels.wakeUp();
    }

    /**
     * Takes a queue pair over, before the client is told that it may send. Safe to call from any thread.
     *
     * @param queuePair connected, its receives posted.
     */
    public void attach(final CreditedQueuePair queuePair)
    {
        commands.add(() -> takeOver(queuePair));
    }

    /**
     * As above, for a shard whose log has several members: ends the queue pair if this member does not serve any more,
     * or not in that term. What was told of its role in between is still on its way. Safe to call from any thread.
     *
     * @param queuePair connected, its receives posted.
     * @param term      of the role by which the client was let in.
     */
    public void attach(final CreditedQueuePair queuePair, final long term)
    {
        commands.add(() ->
        {
            takeOver(queuePair);
            if (!isServing() || log.term() != term)
            {
                queuePair.life().lose(NOT_SERVING);
            }
        });
    }

    private void takeOver(final CreditedQueuePair queuePair)
    {
        final ShardDevice device = polled[queuePair.device()];
        queuePair.onAttached(number, workbench, device.keys(), counters, ending::add);
        device.add(queuePair);
        if (device.brokenReason() != null)
        {
            queuePair.life().lose(device.brokenReason());
        }
    }

    /**
     * Ends a queue pair: it is destroyed, and then the listener is told. Nothing happens if it has ended already. Safe
     * to call from any thread.
     *
     * @param queuePair that was attached.
     */
    public void end(final CreditedQueuePair queuePair)
    {
        commands.add(() -> queuePair.life().end());
    }

    /**
     * Ends a queue pair that failed, if it is one of this shard's, and in ERR: another one may have its number by now.
     * Safe to call from any thread.
     *
     * @param device index of the device among the shard's.
     * @param number of the queue pair.
     * @param reason why it failed.
     */
    public void loseQueuePair(final int device, final int number, final String reason)
    {
        commands.add(() ->
        {
            final CreditedQueuePair queuePair = polled[device].queuePair(number);
            if (queuePair != null && queuePair.hasFailed())
            {
                queuePair.life().lose(reason);
            }
        });
    }

    /**
     * Ends the queue pairs of a port. Safe to call from any thread.
     *
     * @param device index of the device among the shard's.
     * @param port   that went down.
     * @param reason why they end.
     */
    public void losePort(final int device, final int port, final String reason)
    {
        commands.add(() -> polled[device].queuePairs().forEach((queuePair) ->
        {
            if (queuePair.port() == port)
            {
                queuePair.life().lose(reason);
            }
        }));
    }

    /**
     * Ends all queue pairs of a device, those that are attached later too. Safe to call from any thread.
     *
     * @param device index of the device among the shard's.
     * @param reason why they end.
     */
    public void loseAll(final int device, final String reason)
    {
        commands.add(() -> lose(polled[device], reason));
    }

    /**
     * As {@link #loseAll}, and the listener hears of it: the completion queue is broken. Safe to call from any thread.
     *
     * @param device index of the device among the shard's.
     * @param reason why it is broken.
     */
    public void breakDown(final int device, final String reason)
    {
        commands.add(() -> onBroken(polled[device], reason));
    }

    /**
     * @param other a completion queue.
     * @return whether it is one of this shard's.
     */
    public boolean uses(final CompletionQueue other)
    {
        return devices.stream().anyMatch((device) -> device.queue() == other);
    }

    /**
     * @return whether writes go to a log, and one at a time. Safe to call from any thread.
     */
    public boolean hasLog()
    {
        return log != null;
    }

    /**
     * @return where sampled lookups of this shard's keys are put, or null if it has no use for them. Safe to call from
     *         any thread.
     */
    public AccessQueue accesses()
    {
        return eviction.accesses();
    }

    /**
     * @return of which keys all lookups are to be reported that find them. Safe to call from any thread.
     */
    public SampledKeys sampledKeys()
    {
        return eviction.sampledKeys();
    }

    /**
     * @return tells a queue pair from others that had the same number before it.
     */
    public int nextTag()
    {
        return tags.incrementAndGet();
    }

    /**
     * Frees what was lent to a session whose queue pair has ended for good. Safe to call from any thread.
     *
     * @param session that will not come back.
     */
    public void forget(final ShardSession session)
    {
        commands.add(() ->
        {
            workbench.executor().releaseAll(session);
            if (log != null)
            {
                log.end(session.id());
            }
        });
    }

    /**
     * Frees what was lent to a session that goes on at another member of the cluster. Safe to call from any thread.
     *
     * @param session whose queue pair has ended.
     */
    public void release(final ShardSession session)
    {
        commands.add(() -> workbench.executor().releaseAll(session));
    }

    /**
     * Takes part in a backup of a table that outlives its process. Safe to call from any thread.
     *
     * @param backup given to all shards of the table.
     */
    public void backUp(final TableBackup backup)
    {
        commands.add(() -> log.backUp(backup));
    }

    /**
     * @return the sessions that the log knows; to be called by the listener that hears that the log was read back.
     */
    public List<ShardSession> loggedSessions()
    {
        return log.sessions();
    }

    /**
     * Prepares that another member leads the shard's log: grants no more leases, and logs RELEASE when none is held any
     * more. From then on this member does not serve. Safe to call from any thread.
     *
     * @return becomes true when RELEASE is logged, and false when it will not be, as this member does not serve or does
     *         not lead any more. It does not end by itself if no entry can be committed.
     */
    public CompletableFuture<Boolean> release()
    {
        final CompletableFuture<Boolean> end = new CompletableFuture<>();
        commands.add(() -> log.release(end));
        return end;
    }

    /** Whether clients are served: always, unless the log has several members. For the shard's thread. */
    boolean isServing()
    {
        return log == null || log.leases().isServing();
    }

    /**
     * Makes the agent end its queue pairs and terminate. Safe to call from any thread.
     */
    public void stop()
    {
        commands.add(() ->
        {
            isStopping = true;
            devices.forEach((device) -> device.queuePairs().forEach((queuePair) -> queuePair.life().end()));
        });
    }

    /**
     * @param spinNs how long to spin when idle, in nanoseconds; {@link Long#MAX_VALUE} for ever.
     * @return how the agent's runner waits.
     */
    public IdleStrategy idleStrategy(final long spinNs)
    {
        return new ShardIdleStrategy(channels, spinNs, this::sleepNs);
    }

    private long sleepNs()
    {
        clock.nextRound();
        final long roomNs = workbench.room().sleepNs();
        if (log != null)
        {
            return Math.min(roomNs, log.sleepNs());
        }
        final long expiryMs = table.expiryRestMs();
        return expiryMs == Long.MAX_VALUE ? roomNs : Math.min(roomNs, TimeUnit.MILLISECONDS.toNanos(expiryMs));
    }

    /**
     * @return bytes of the record heap in use; safe to ask from any thread.
     */
    public long heapBytesUsed()
    {
        return table.heapBytesUsed();
    }

    /**
     * Reads the counters while the shard goes on. Safe to call from any thread: the table's are mere fields that the
     * shard's thread writes, each read as it was a moment ago.
     *
     * @return what the shard has done, and how it stands.
     */
    public ShardMetrics metrics()
    {
        final Map<String, Long> connections = new LinkedHashMap<>();
        devices.forEach((device) -> connections.put(device.name(), device.sessions().count()));
        return new ShardMetrics(
            number,
            table.statistics(),
            counters.requests(),
            counters.refusals(),
            counters.get(ShardCounters.RESENT),
            counters.get(ShardCounters.BYTES_RECEIVED),
            counters.get(ShardCounters.BYTES_SENT),
            counters.get(ShardCounters.BYTES_PULLED),
            counters.get(ShardCounters.PULL_FAILURES),
            connections,
            counters.get(ShardCounters.CONNECTIONS_LOST),
            counters.get(ShardCounters.WAITING),
            counters.get(ShardCounters.ROOM_WAITS),
            counters.get(ShardCounters.WAITING_FOR_ROOM),
            counters.get(ShardCounters.PULLS),
            counters.get(ShardCounters.PULL_BYTES),
            counters.get(ShardCounters.POLLS),
            counters.get(ShardCounters.COMPLETIONS),
            counters.get(ShardCounters.ROUNDS),
            counters.times(),
            log == null ? null : log.metrics(),
            reign());
    }

    /**
     * @return what this server is to the partition as a member of a cluster; null if it is alone. Safe to ask from any
     *         thread.
     */
    public ReignMetrics reign()
    {
        return log == null ? null : log.leases().metrics();
    }

    @Override
    public String roleName()
    {
        return "store-shard-" + number;
    }

    @Override
    public int doWork()
    {
        counters.increment(ShardCounters.ROUNDS);
        clock.nextRound();
        int work = commands.execute() + pollCompletions();
        final int batched = workbench.executor().batches().takeExecuted();
        work += batched;
        // Answers go out before work that they need not wait for.
        workbench.postings().flush();
        work += log == null ? 0 : pollLog();
        work += workbench.publications().step();
        work += eviction.step();
        work += workbench.room().step(work > 0, log != null && log.isMakingRoom());
        work += log == null ? 0 : log.flush();
        workbench.postings().flush();
        // A snapshot gets what expires, too: not faster than the disk takes it.
        work += log == null || log.mayChangeTable() ? table.expire(expireStep(work)) : 0;
        work += table.grow(MAX_SPLITS + batched / 2);
        if (!ending.isEmpty())
        {
            work += ending.close(polled);
        }
        if (log != null && isStopping)
        {
            log.stop();
        }
        if (isStopping && ending.isEmpty() && !isConnected())
        {
            throw new AgentTerminationException(true);
        }
        final boolean hasCleaned = table.clean(
            work == 0 ? CLEAN_STEP_LENGTH : BUSY_CLEAN_STEP_LENGTH + batched * CLEANED_PER_BATCHED_PUT);
        return hasCleaned ? work + 1 : work;
    }

    private int pollLog()
    {
        try
        {
            final boolean wasServing = log.leases().isServing();
            final int work = log.poll();
            if (wasServing && !log.leases().isServing())
            {
                // What is answered by now need not be asked again elsewhere.
                workbench.postings().flush();
                devices.forEach((device) -> device.queuePairs().forEach((queuePair) ->
                    queuePair.life().lose(NOT_SERVING)));
            }
            return work;
        }
        catch (final RuntimeException e)
        {
            // An entry may be applied in part, so nothing that follows would be right.
            listener.onFailed(number, e);
            throw new AgentTerminationException(true);
        }
    }

    /**
     * Frees the native memory that the agent works with, once it has terminated.
     */
    @Override
    public void close()
    {
        poller.close();
        workbench.close();
        if (log != null)
        {
            log.close();
        }
    }

    /** How many records a round may look at that has done so much else: so many that each of its puts may expire. */
    static int expireStep(final int work)
    {
        return work == 0 ? EXPIRE_STEP : BUSY_EXPIRE_STEP + LOOKS_PER_PUT * work;
    }

    private boolean isConnected()
    {
        return devices.stream().anyMatch((device) -> device.sessions().count() > 0);
    }

    private int pollCompletions()
    {
        int count = 0;
        for (final ShardDevice device : polled)
        {
            final int polledNow = poller.poll(device);
            if (polledNow < 0)
            {
                onBroken(device, "completion queue is broken: shard=" + number + " errno=" + Errno.name(-polledNow));
            }
            else
            {
                count += polledNow;
            }
        }
        return count;
    }

    private void onBroken(final ShardDevice device, final String reason)
    {
        if (device.brokenReason() == null)
        {
            lose(device, reason);
            listener.onBroken(devices.indexOf(device), reason);
        }
    }

    private void lose(final ShardDevice device, final String reason)
    {
        if (device.brokenReason() == null)
        {
            device.breakDown(reason);
            device.queuePairs().forEach((queuePair) -> queuePair.life().lose(reason));
        }
    }

    private QueuePairInitAttributes attributes(final CompletionQueue queue, final int maxInline)
    {
        return new QueuePairInitAttributes(
            queue, queue, null, geometry.sendSlots(), geometry.credits(), 1, 1, maxInline, false, true);
    }
}

package org.onesided.server.shard.agent;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.agent.Commands;
import org.onesided.server.cluster.ReignMetrics;
import org.onesided.server.eviction.AccessQueue;
import org.onesided.server.eviction.SampledKeys;
import org.onesided.server.eviction.ShardEviction;
import org.onesided.server.expiry.ShardClock;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.ShardMetrics;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.logged.LoggedShard;
import org.onesided.server.shard.logged.ShardDurability;
import org.onesided.server.shard.reign.ShardLeases;
import org.onesided.server.shard.requests.RoomQueue;
import org.onesided.server.shard.requests.Workbench;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.shard.snapshot.TableBackup;
import org.onesided.server.table.ShardTable;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * The agent of one shard: polls the completion queues that the shard's queue pairs share, one for each device, executes
 * requests, and is the only writer of the shard's part of the region. Other threads talk to it by {@link #queuePairs},
 * {@link #forget} and {@link #stop} only.
 */
public final class Shard implements Agent, AutoCloseable
{
    private final int number;
    private final ShardTable table;
    private final ShardEviction eviction;
    private final ShardDevices devices;
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
    private final ShardQueuePairs queuePairs;
    private final Housekeeping housekeeping;
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
        this.devices = new ShardDevices(devices, listener);
        channels = new ShardChannels(devices, this.devices::breakDown);
        this.listener = listener;
        counters = new ShardCounters(measuresTimes);
        commands = new Commands(roleName(), channels::wakeUp);
        final RequestExecutor executor = new RequestExecutor(
            table, keyHash, number, shards, this.devices.sessions(), counters,
            durability == null ? clock : durability.time(), clock);
        log = durability == null ? null :
            new LoggedShard(number, shards, durability, table, executor, keyHash, geometry, clock,
                (role) -> listener.onRole(number, role));
        workbench = new Workbench(
            table, executor, new RoomQueue(table, counters, roomWaitNs, System::nanoTime), log);
        poller = new CompletionPoller(table, keyHash, commands, counters);
        ending = new EndingQueuePairs(number, listener);
        queuePairs = new ShardQueuePairs(number, this.devices, geometry, workbench, counters, ending, commands);
        housekeeping = new Housekeeping(table);
    }

    /**
     * @return the queue pairs whose completions this shard takes. Safe to call from any thread.
     */
    public ShardQueuePairs queuePairs()
    {
        return queuePairs;
    }

    /**
     * Ends the shard's sleep, as there is something new to look at. Safe to call from any thread.
     */
    public void wakeUp()
    {
        channels.wakeUp();
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
                log.proposedSessions().end(session.id());
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
        commands.add(() -> log.snapshots().request(backup));
    }

    /**
     * @return the sessions that the log knows; to be called by the listener that hears that the log was read back.
     */
    public List<ShardSession> loggedSessions()
    {
        return log.sessions().toList();
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
        commands.add(() -> log.reign().release().begin(end));
        return end;
    }

    /** Whether clients are served: always, unless the log has several members. For the shard's thread. */
    boolean isServing()
    {
        return log == null || log.reign().leases().isServing();
    }

    /**
     * Makes the agent end its queue pairs and terminate. Safe to call from any thread.
     */
    public void stop()
    {
        commands.add(() ->
        {
            isStopping = true;
            devices.forEachQueuePair((queuePair) -> queuePair.life().end());
        });
    }

    /**
     * @param spinNs how long to spin when idle, in nanoseconds; {@link Long#MAX_VALUE} for ever.
     * @return how the agent's runner waits.
     */
    public IdleStrategy idleStrategy(final long spinNs)
    {
        return new ShardIdleStrategy(
            channels, spinNs, this::sleepNs, () -> counters.get(ShardCounters.COMPLETIONS));
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
            devices.connections(),
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
        return log == null ? null : log.reign().leases().metrics();
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
        work += workbench.room().step(work > 0, log != null && log.entries().isMakingRoom());
        work += log == null ? 0 : log.flush();
        workbench.postings().flush();
        // A snapshot gets what expires, too: not faster than the disk takes it.
        work += log == null || log.snapshots().mayApply() ? housekeeping.expire(work) : 0;
        work += housekeeping.grow(batched);
        if (!ending.isEmpty())
        {
            work += ending.close(devices.polled());
        }
        if (log != null && isStopping)
        {
            log.stop();
        }
        if (isStopping && ending.isEmpty() && !devices.isConnected())
        {
            throw new AgentTerminationException(true);
        }
        return housekeeping.clean(work, batched) ? work + 1 : work;
    }

    private int pollLog()
    {
        try
        {
            final boolean wasServing = isServing();
            final int work = log.poll();
            if (wasServing && !isServing())
            {
                // What is answered by now need not be asked again elsewhere.
                workbench.postings().flush();
                devices.forEachQueuePair((queuePair) -> queuePair.life().lose(ShardLeases.NOT_SERVING));
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

    private int pollCompletions()
    {
        int count = 0;
        for (final ShardDevice device : devices.polled())
        {
            final int polledNow = poller.poll(device);
            if (polledNow < 0)
            {
                devices.breakDown(
                    device, "completion queue is broken: shard=" + number + " errno=" + Errno.name(-polledNow));
            }
            else
            {
                count += polledNow;
            }
        }
        return count;
    }
}

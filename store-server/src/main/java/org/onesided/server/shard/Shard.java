package org.onesided.server.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.table.ShardTable;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Errno;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of one shard: polls the completion queues that the shard's queue pairs share, one for each device, executes
 * requests, and is the only writer of the shard's part of the region. Other threads talk to it by {@link #attach},
 * {@link #end}, {@link #forget} and {@link #stop} only.
 */
public final class Shard implements Agent, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Shard.class);
    private static final int POLL_LIMIT = 32;
    private static final int PUBLISH_STEP_LENGTH = 256 << 10;
    private static final int CLEAN_STEP_LENGTH = 64 << 10;
    /** What a round that has requests to serve adds, too: however busy, what was deleted does not stay. */
    private static final int BUSY_CLEAN_STEP_LENGTH = 4 << 10;

    private final int number;
    private final ShardTable table;
    private final SessionGeometry geometry;
    private final List<ShardDevice> devices;
    /** The same, for the loop that runs all the time. */
    private final ShardDevice[] polled;
    private final ShardChannels channels;
    private final ShardListener listener;
    private final ShardCounters counters;
    private final Workbench workbench;
    private final Queue<Runnable> commands = new ManyToOneConcurrentLinkedQueue<>();
    /** Connections to be closed when all completions of this poll have been looked at. */
    private final List<ShardConnection> ending = new ArrayList<>();
    /** Closed connections of which a value is still being published. */
    private final List<ShardConnection> finishing = new ArrayList<>();
    private final AtomicInteger tags = new AtomicInteger();
    private final Deque<Pull> publications = new ArrayDeque<>();
    /** To be used again. */
    private final Deque<Pull> idlePulls = new ArrayDeque<>();
    private final WorkCompletions completions = new WorkCompletions(POLL_LIMIT);
    private final long[] keyHashes = new long[POLL_LIMIT];
    /** Of no use but that the compiler cannot leave out what it is made of. */
    private long fetched;
    private Status reserveStatus;
    private boolean isStopping;

    /**
     * @param number        of the shard, from 0.
     * @param shards        how many there are.
     * @param table         its part of the table.
     * @param keyHash       of the table.
     * @param geometry      of its sessions.
     * @param devices       at least one, used by this shard alone.
     * @param listener      called on the shard's thread.
     * @param measuresTimes whether to measure how long each request takes.
     * @throws VerbsException with {@code EOPNOTSUPP} if one thread cannot wait for all the devices.
     */
    public Shard(
        final int number,
        final int shards,
        final ShardTable table,
        final KeyHash keyHash,
        final SessionGeometry geometry,
        final List<ShardDevice> devices,
        final ShardListener listener,
        final boolean measuresTimes)
    {
        this.number = number;
        this.table = table;
        this.geometry = geometry;
        this.devices = List.copyOf(devices);
        polled = devices.toArray(ShardDevice[]::new);
        channels = new ShardChannels(devices, this::onBroken);
        this.listener = listener;
        counters = new ShardCounters(measuresTimes);
        workbench = new Workbench(new RequestExecutor(table, keyHash, number, shards, counters), keyHash);
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
            // Not every device sends so much inline; all of them send without.
            return domain.createQueuePair(attributes(queue, 0));
        }
    }

    /**
     * Takes a connection over, before the client is told that it may send. Safe to call from any thread.
     *
     * @param connection connected, its receives posted.
     */
    public void attach(final ShardConnection connection)
    {
        execute(() ->
        {
            final ShardDevice device = polled[connection.device()];
            connection.onAttached(this);
            device.add(connection);
            if (device.brokenReason() != null)
            {
                connection.lose(device.brokenReason());
            }
        });
    }

    /**
     * Ends a connection: its queue pair is destroyed, and then the listener is told. Nothing happens if it has ended
     * already. Safe to call from any thread.
     *
     * @param connection that was attached.
     */
    public void end(final ShardConnection connection)
    {
        execute(connection::beginEnd);
    }

    /**
     * Ends the connection with a queue pair that failed, if it is one of this shard's, and in ERR: another one may have
     * its number by now. Safe to call from any thread.
     *
     * @param device    index of the device among the shard's.
     * @param queuePair its number.
     * @param reason    why it failed.
     */
    public void loseQueuePair(final int device, final int queuePair, final String reason)
    {
        execute(() ->
        {
            final ShardConnection connection = polled[device].connection(queuePair);
            if (connection != null && connection.hasFailed())
            {
                connection.lose(reason);
            }
        });
    }

    /**
     * Ends the connections over a port. Safe to call from any thread.
     *
     * @param device index of the device among the shard's.
     * @param port   that went down.
     * @param reason why they end.
     */
    public void losePort(final int device, final int port, final String reason)
    {
        execute(() -> polled[device].connections().forEach((connection) ->
        {
            if (connection.port() == port)
            {
                connection.lose(reason);
            }
        }));
    }

    /**
     * Ends all connections over a device, those that are attached later too. Safe to call from any thread.
     *
     * @param device index of the device among the shard's.
     * @param reason why they end.
     */
    public void loseAll(final int device, final String reason)
    {
        execute(() -> lose(polled[device], reason));
    }

    /**
     * As {@link #loseAll}, and the listener hears of it: the completion queue is broken. Safe to call from any thread.
     *
     * @param device index of the device among the shard's.
     * @param reason why it is broken.
     */
    public void breakDown(final int device, final String reason)
    {
        execute(() -> onBroken(polled[device], reason));
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
     * @return tells a connection from others that used the same queue pair number before it.
     */
    public int nextTag()
    {
        return tags.incrementAndGet();
    }

    /**
     * Frees what was lent to a session whose connection has ended for good. Safe to call from any thread.
     *
     * @param session that will not come back.
     */
    public void forget(final ShardSession session)
    {
        execute(() -> workbench.executor().releaseAll(session));
    }

    /**
     * Makes the agent end its connections and terminate. Safe to call from any thread.
     */
    public void stop()
    {
        execute(() ->
        {
            isStopping = true;
            devices.forEach((device) -> device.connections().forEach(ShardConnection::beginEnd));
        });
    }

    /**
     * @param spinNs how long to spin when idle, in nanoseconds; {@link Long#MAX_VALUE} for ever.
     * @return how the agent's runner waits.
     */
    public IdleStrategy idleStrategy(final long spinNs)
    {
        return new ShardIdleStrategy(channels, spinNs);
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
        devices.forEach((device) -> connections.put(device.name(), device.connectionCount()));
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
            counters.get(ShardCounters.PULLS),
            counters.get(ShardCounters.PULL_BYTES),
            counters.get(ShardCounters.POLLS),
            counters.get(ShardCounters.COMPLETIONS),
            counters.get(ShardCounters.ROUNDS),
            counters.times());
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
        int work = executeCommands() + pollCompletions() + publishStep();
        workbench.postings().flush();
        if (!ending.isEmpty() || !finishing.isEmpty())
        {
            work += closeEnding();
        }
        if (isStopping && finishing.isEmpty() && !isConnected())
        {
            throw new AgentTerminationException(true);
        }
        final boolean hasCleaned = table.clean(work > 0 ? BUSY_CLEAN_STEP_LENGTH : CLEAN_STEP_LENGTH);
        return hasCleaned ? work + 1 : work;
    }

    /**
     * Frees the native memory that the agent works with, once it has terminated.
     */
    @Override
    public void close()
    {
        completions.close();
        workbench.close();
    }

    void publish(final ShardConnection connection, final Pull pull)
    {
        pull.publisher = connection;
        publications.add(pull);
    }

    void abandon(final Pull pull)
    {
        table.abandon(pull.extent);
    }

    void onEnding(final ShardConnection connection)
    {
        ending.add(connection);
    }

    /** Makes room for a large value; null if there is none, and {@link #reserveStatus} says why. */
    Pull reserve(final Request of)
    {
        final int length = (int)of.largeValueLength();
        final long extent = table.reserve(of.key(), of.keyLength(), length);
        if (extent < 0)
        {
            reserveStatus = extent == ShardTable.FULL ? Status.STORE_FULL : Status.INVALID;
            return null;
        }
        final Pull idle = idlePulls.poll();
        return (idle == null ? new Pull() : idle).begin(
            of.requestId(), workbench.hash(of.key(), of.keyLength()), extent, table.valueAddress(extent),
            of.remoteAddress(), of.remoteKey(), length);
    }

    Status reserveStatus()
    {
        return reserveStatus;
    }

    ShardCounters counters()
    {
        return counters;
    }

    Workbench workbench()
    {
        return workbench;
    }

    List<ShardDevice> devices()
    {
        return devices;
    }

    ShardDevice device(final int index)
    {
        return polled[index];
    }

    private boolean isConnected()
    {
        return devices.stream().anyMatch((device) -> device.connectionCount() > 0);
    }

    private void execute(final Runnable command)
    {
        commands.add(command);
        channels.wakeUp();
    }

    private int executeCommands()
    {
        int count = 0;
        for (Runnable command = commands.poll(); command != null; command = commands.poll())
        {
            count++;
            try
            {
                command.run();
            }
            catch (final RuntimeException e)
            {
                LOGGER.error("unexpected error: shard={}", number, e);
            }
        }
        return count;
    }

    private int pollCompletions()
    {
        int count = 0;
        for (final ShardDevice device : polled)
        {
            count += pollCompletions(device);
        }
        return count;
    }

    private int pollCompletions(final ShardDevice device)
    {
        final int count = completions.poll(device.queue());
        if (count < 0)
        {
            onBroken(device, "completion queue is broken: shard=" + number + " errno=" + Errno.name(-count));
            return 0;
        }
        if (count > 0)
        {
            counters.increment(ShardCounters.POLLS);
            counters.add(ShardCounters.COMPLETIONS, count);
            final long nowNs = System.nanoTime();
            if (count > 1)
            {
                fetchAhead(device, count);
            }
            for (int i = 0; i < count; i++)
            {
                onCompletion(device, i, nowNs);
            }
        }
        return count;
    }

    /** Looks at the buckets, and then at the records, that the requests are about: so their cache misses overlap. */
    private void fetchAhead(final ShardDevice device, final int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            final ShardConnection connection = device.connection(completions.queuePair(i));
            keyHashes[i] = connection == null ? 0 : connection.keyHash(completions, i);
            sum += keyHashes[i] == 0 ? 0 : table.fetchBucket(keyHashes[i]);
        }
        for (int i = 0; i < count; i++)
        {
            sum += keyHashes[i] == 0 ? 0 : table.fetchRecord(keyHashes[i]);
        }
        fetched = sum;
    }

    private void onCompletion(final ShardDevice device, final int index, final long nowNs)
    {
        final int queuePair = completions.queuePair(index);
        ShardConnection connection = device.connection(queuePair);
        if (connection == null)
        {
            // It may have come since the commands were looked at.
            executeCommands();
            connection = device.connection(queuePair);
        }
        if (connection != null)
        {
            try
            {
                connection.onCompletion(completions, index, nowNs);
            }
            catch (final RuntimeException e)
            {
                onError(connection, e);
            }
        }
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
            device.connections().forEach((connection) -> connection.lose(reason));
        }
    }

    private int publishStep()
    {
        final Pull pull = publications.poll();
        if (pull == null)
        {
            return 0;
        }
        final ShardConnection connection = pull.publisher;
        try
        {
            if (table.publishStep(pull.extent, PUBLISH_STEP_LENGTH))
            {
                final UnsafeBuffer answer = workbench.answer();
                final int length = workbench.executor().publish(pull, answer);
                connection.session().window().done(pull.requestId, answer, length);
            }
            else
            {
                publications.add(pull);
                return 1;
            }
        }
        catch (final RuntimeException e)
        {
            // Lost first, so that nobody is answered.
            onError(connection, e);
        }
        try
        {
            connection.onPullDone(pull);
            pull.publisher = null;
            idlePulls.add(pull);
        }
        catch (final RuntimeException e)
        {
            onError(connection, e);
        }
        return 1;
    }

    private void onError(final ShardConnection connection, final RuntimeException e)
    {
        LOGGER.error("ending a session after an unexpected error: shard={} session={}",
            number, connection.session().id(), e);
        connection.lose("server failed: " + e);
    }

    private int closeEnding()
    {
        int count = 0;
        for (final ShardConnection connection : ending)
        {
            polled[connection.device()].remove(connection);
            finishing.add(connection);
            try
            {
                connection.close();
            }
            catch (final RuntimeException e)
            {
                LOGGER.error("queue pair could not be destroyed: shard={}", number, e);
            }
        }
        ending.clear();
        for (int i = finishing.size() - 1; i >= 0; i--)
        {
            final ShardConnection connection = finishing.get(i);
            if (connection.hasEnded())
            {
                finishing.remove(i);
                listener.onEnded(connection, connection.reason());
                count++;
            }
        }
        return count;
    }

    private QueuePairInitAttributes attributes(final CompletionQueue queue, final int maxInline)
    {
        return new QueuePairInitAttributes(
            queue, queue, null, geometry.sendSlots(), geometry.credits(), 1, 1, maxInline, false, true);
    }
}

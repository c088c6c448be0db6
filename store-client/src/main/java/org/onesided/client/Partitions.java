package org.onesided.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.cluster.LeaderDestination;
import org.onesided.client.cluster.Leaders;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.types.ServerInfo;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.waiting.Interruptible;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of each partition of a cluster, opened by its first use, and which partition a key belongs to. Thread-safe.
 */
final class Partitions implements AutoCloseable
{
    /** Opens the client of a partition. */
    @FunctionalInterface
    interface Opener
    {
        /** @param durationNs nanoseconds that it may take. */
        ServerClient open(int shard, long durationNs);
    }

    private static final Logger LOGGER = LoggerFactory.getLogger(Partitions.class);
    /** Keys are hashed in native memory. */
    private static final ThreadLocal<UnsafeBuffer> KEYS = ThreadLocal.withInitial(() -> new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(RecordDescriptor.MAX_KEY_LENGTH, Long.BYTES)));

    private final KeyHash keyHash;
    private final String text;
    private final String members;
    private final long deadlineNs;
    private final Opener opener;
    private final AtomicReferenceArray<ServerClient> clients;
    private final Opening[] openings;
    private volatile Known known;
    private volatile boolean isClosed;

    /** A member, and the same with the addresses of all. */
    private record Known(ServerInfo member, ServerInfo all)
    {
    }

    /**
     * @param leaders of the cluster, which have had a first answer.
     */
    static Partitions of(final ClientConfiguration configuration, final Leaders leaders)
    {
        final int shards = leaders.map().shards();
        final ClientConfiguration part = configuration.part(shards);
        final String members =
            String.join(",", leaders.map().members().values().stream().map(HostAndPort::toString).toList());
        return new Partitions(shards, leaders.map().hashSeed(), leaders.text(), members, configuration.deadlineNs(),
            (shard, durationNs) -> ClientOpener.open(part, new LeaderDestination(leaders, shard), durationNs));
    }

    /**
     * @param hashSeed   of the keys' hashes.
     * @param text       what failures name as the server.
     * @param members    addresses of all members, with commas between them.
     * @param deadlineNs nanoseconds that a call may take, if nothing else is said.
     * @param opener     opens the client of a partition.
     */
    Partitions(
        final int count, final long hashSeed, final String text, final String members, final long deadlineNs,
        final Opener opener)
    {
        keyHash = new KeyHash(hashSeed);
        this.text = text;
        this.members = members;
        this.deadlineNs = deadlineNs;
        this.opener = opener;
        clients = new AtomicReferenceArray<>(count);
        openings = new Opening[count];
        for (int shard = 0; shard < count; shard++)
        {
            openings[shard] = new Opening();
        }
    }

    int count()
    {
        return openings.length;
    }

    /** Nanoseconds that a call may take, if nothing else is said. */
    long deadlineNs()
    {
        return deadlineNs;
    }

    /** What failures name as the server. */
    String text()
    {
        return text;
    }

    /** The partition of a key. That of a key of a length that no key has does not matter: it is refused. */
    int of(final byte[] key)
    {
        if (!isKeyLength(key.length))
        {
            return 0;
        }
        final UnsafeBuffer copy = KEYS.get();
        copy.putBytes(0, key);
        return shard(copy, key.length);
    }

    int of(final DirectBuffer key, final int offset, final int length)
    {
        if (!isKeyLength(length))
        {
            return 0;
        }
        final UnsafeBuffer copy = KEYS.get();
        key.getBytes(offset, copy, 0, length);
        return shard(copy, length);
    }

    int of(final ByteBuffer key)
    {
        final int length = key.remaining();
        if (!isKeyLength(length))
        {
            return 0;
        }
        final UnsafeBuffer copy = KEYS.get();
        copy.putBytes(0, key, key.position(), length);
        return shard(copy, length);
    }

    int of(final Bytes<?> key)
    {
        return isKeyLength(key.readRemaining()) ? of(key.toByteArray()) : 0;
    }

    private static boolean isKeyLength(final long length)
    {
        return length >= RecordDescriptor.MIN_KEY_LENGTH && length <= RecordDescriptor.MAX_KEY_LENGTH;
    }

    private int shard(final UnsafeBuffer key, final int length)
    {
        return KeyHash.shard(keyHash.hash(key.addressOffset(), length), openings.length);
    }

    /** Whether a partition's client is open. */
    boolean isOpen(final int shard)
    {
        return clients.get(shard) != null;
    }

    /**
     * The operations of a partition. Those of the call that opens the partition's client have the rest of its time.
     *
     * @param operation  that needs them.
     * @param durationNs nanoseconds that a call may take.
     */
    StoreOperations operations(final int shard, final String operation, final long durationNs)
    {
        final ServerClient client = clients.get(shard);
        if (client != null && !isClosed)
        {
            return durationNs == deadlineNs ? client : client.within(Duration.ofNanos(durationNs));
        }
        final long atNs = System.nanoTime() + durationNs;
        final ServerClient opened = client(shard, operation, durationNs);
        final long leftNs = atNs - System.nanoTime();
        if (leftNs <= 0)
        {
            throw new StoreDeadlineException(
                "deadline passed while the partition was connected", FailureContext.unsent(operation, text));
        }
        return opened.within(Duration.ofNanos(leftNs));
    }

    /**
     * The client of a partition.
     *
     * @param operation  that needs it.
     * @param durationNs nanoseconds that it may take to open it.
     */
    ServerClient client(final int shard, final String operation, final long durationNs)
    {
        final ServerClient client = clients.get(shard);
        return client == null || isClosed ? open(shard, operation, System.nanoTime() + durationNs) : client;
    }

    private ServerClient open(final int shard, final String operation, final long atNs)
    {
        begin(shard, operation, atNs);
        try
        {
            checkOpen(operation);
            ServerClient client = clients.get(shard);
            if (client == null)
            {
                client = opener.open(shard, Math.max(1, atNs - System.nanoTime()));
                clients.set(shard, client);
            }
            if (isClosed)
            {
                // The close may not have waited for it.
                client.close();
            }
            return client;
        }
        catch (final StoreConnectException | StoreDeadlineException e)
        {
            throw isClosed ? new StoreClosedException(
                "client was closed meanwhile", FailureContext.unsent(operation, text), e) : unsent(operation, e);
        }
        finally
        {
            openings[shard].end();
        }
    }

    private static StoreException unsent(final String operation, final StoreException e)
    {
        return e instanceof StoreConnectException ?
            new StoreConnectException(e.reason(), FailureContext.unsent(operation, e.server()), e.getCause()) : e;
    }

    private void begin(final int shard, final String operation, final long atNs)
    {
        if (!Interruptible.await(() -> openings[shard].tryBegin(atNs)))
        {
            throw new StoreDeadlineException(Thread.currentThread().isInterrupted() ?
                "thread was interrupted while another one connected the partition" :
                "deadline passed before another thread had connected the partition",
                FailureContext.unsent(operation, text));
        }
    }

    /** Refuses what comes after the close. */
    void checkOpen(final String operation)
    {
        if (isClosed)
        {
            throw new StoreClosedException("client was closed, build another", FailureContext.unsent(operation, text));
        }
    }

    /** The member that leads the first of the partitions that are connected, with the addresses of all. */
    ServerInfo server()
    {
        ServerClient first = null;
        for (int shard = 0; first == null && shard < clients.length(); shard++)
        {
            first = clients.get(shard);
        }
        // There is one from the beginning on.
        final ServerInfo member = Objects.requireNonNull(first, "client").server();
        final Known now = known;
        if (now != null && now.member == member)
        {
            return now.all;
        }
        final ServerInfo all = member.at(members);
        known = new Known(member, all);
        return all;
    }

    /** The clients that are open, in the order of their partitions. */
    List<ServerClient> open()
    {
        final List<ServerClient> open = new ArrayList<>();
        for (int shard = 0; shard < clients.length(); shard++)
        {
            final ServerClient client = clients.get(shard);
            if (client != null)
            {
                open.add(client);
            }
        }
        return open;
    }

    /** Closes all clients. Takes as long as the close of one. */
    @Override
    public void close()
    {
        close(ClientEnd.endNs());
    }

    /**
     * Closes all clients. Threads that open one are interrupted, and close theirs if they go on all the same.
     *
     * @param endNs for how long to wait, a time of {@link System#nanoTime()}.
     */
    void close(final long endNs)
    {
        isClosed = true;
        final List<ClientEnd> ends = new ArrayList<>();
        open().forEach((client) -> ends.add(client.beginClose()));
        for (final Opening opening : openings)
        {
            opening.interrupt();
        }
        for (final Opening opening : openings)
        {
            if (!opening.awaitEnd(endNs))
            {
                LOGGER.debug("a thread that connects a partition closes its client itself: server={}", text);
            }
        }
        open().forEach((client) -> ends.add(client.beginClose()));
        ends.stream().filter(Objects::nonNull).forEach((end) -> end.await(endNs));
    }
}

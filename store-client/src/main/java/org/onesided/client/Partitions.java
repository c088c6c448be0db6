package org.onesided.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.cluster.LeaderDestination;
import org.onesided.client.cluster.Leaders;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * A client of each partition of a cluster, opened by its first use, and which partition a key belongs to. Thread-safe.
 */
final class Partitions implements AutoCloseable
{
    /** Opens the client of a partition. */
    @FunctionalInterface
    interface Opener
    {
        StoreClient open(int shard);
    }

    /** Keys are hashed in native memory. */
    private static final ThreadLocal<UnsafeBuffer> KEYS = ThreadLocal.withInitial(() -> new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(RecordDescriptor.MAX_KEY_LENGTH, Long.BYTES)));

    private final KeyHash keyHash;
    private final String text;
    private final long deadlineNs;
    private final Opener opener;
    private final AtomicReferenceArray<StoreClient> clients;
    private final ReentrantLock[] locks;
    private volatile boolean isClosed;

    /**
     * @param leaders of the cluster, which have had a first answer.
     */
    static Partitions of(final ClientConfiguration configuration, final Leaders leaders)
    {
        final int shards = leaders.map().shards();
        final ClientConfiguration part = configuration.part(shards);
        return new Partitions(shards, leaders.map().hashSeed(), leaders.text(), configuration.deadlineNs(),
            (shard) -> ClientOpener.open(part, new LeaderDestination(leaders, shard)));
    }

    /**
     * @param hashSeed   of the keys' hashes.
     * @param text       what failures name as the server.
     * @param deadlineNs for how long to wait for another thread that opens a client.
     * @param opener     opens the client of a partition.
     */
    Partitions(
        final int count, final long hashSeed, final String text, final long deadlineNs, final Opener opener)
    {
        keyHash = new KeyHash(hashSeed);
        this.text = text;
        this.deadlineNs = deadlineNs;
        this.opener = opener;
        clients = new AtomicReferenceArray<>(count);
        locks = new ReentrantLock[count];
        for (int shard = 0; shard < count; shard++)
        {
            locks[shard] = new ReentrantLock();
        }
    }

    int count()
    {
        return locks.length;
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
        return KeyHash.shard(keyHash.hash(key.addressOffset(), length), locks.length);
    }

    /**
     * The client of a partition.
     *
     * @param operation that needs it.
     */
    StoreClient client(final int shard, final String operation)
    {
        final StoreClient client = clients.get(shard);
        return client == null || isClosed ? open(shard, operation) : client;
    }

    private StoreClient open(final int shard, final String operation)
    {
        lock(shard, operation);
        try
        {
            if (isClosed)
            {
                throw new StoreClosedException(
                    "client was closed, build another", FailureContext.unsent(operation, text));
            }
            StoreClient client = clients.get(shard);
            if (client == null)
            {
                client = opener.open(shard);
                clients.set(shard, client);
            }
            return client;
        }
        catch (final StoreConnectException e)
        {
            throw new StoreConnectException(e.reason(), FailureContext.unsent(operation, e.server()), e.getCause());
        }
        finally
        {
            locks[shard].unlock();
        }
    }

    private void lock(final int shard, final String operation)
    {
        try
        {
            if (locks[shard].tryLock(deadlineNs, TimeUnit.NANOSECONDS))
            {
                return;
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw new StoreDeadlineException(Thread.currentThread().isInterrupted() ?
            "thread was interrupted while another one connected the partition" :
            "deadline passed before another thread had connected the partition",
            FailureContext.unsent(operation, text));
    }

    /** The clients that are open, in the order of their partitions. */
    List<StoreClient> open()
    {
        final List<StoreClient> open = new ArrayList<>();
        for (int shard = 0; shard < clients.length(); shard++)
        {
            final StoreClient client = clients.get(shard);
            if (client != null)
            {
                open.add(client);
            }
        }
        return open;
    }

    @Override
    public void close()
    {
        isClosed = true;
        for (int shard = 0; shard < locks.length; shard++)
        {
            // A thread that opens one now is waited for, or its client would stay open.
            locks[shard].lock();
            try
            {
                final StoreClient client = clients.get(shard);
                if (client != null)
                {
                    client.close();
                }
            }
            finally
            {
                locks[shard].unlock();
            }
        }
    }
}

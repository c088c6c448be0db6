package org.onesided.client;

import java.io.IOException;
import java.io.OutputStream;
import org.onesided.client.cluster.Leaders;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.types.BackupListener;

/**
 * The client of a cluster: one {@link ServerClient} for each partition, opened by its first use. Thread-safe.
 */
final class ClusterClient extends ClusterOperations implements StoreClient
{
    private final Partitions partitions;
    private final Leaders leaders;
    private final AsyncStore async;

    /**
     * @param leaders of the cluster, which have had a first answer.
     */
    ClusterClient(final ClientConfiguration configuration, final Leaders leaders)
    {
        this(Partitions.of(configuration, leaders), leaders);
    }

    private ClusterClient(final Partitions partitions, final Leaders leaders)
    {
        super(partitions, partitions.deadlineNs());
        this.partitions = partitions;
        this.leaders = leaders;
        async = new AsyncFutures(new ClusterSubmission(partitions, partitions.deadlineNs()));
    }

    /**
     * Connects a first session, for a partition that is served now, if there is one.
     *
     * @param atNs until when, a time of {@link System#nanoTime()}.
     */
    void begin(final long atNs)
    {
        int shard = 0;
        for (int i = partitions.count() - 1; i >= 0; i--)
        {
            shard = leaders.leader(i).isServing() ? i : shard;
        }
        partitions.client(shard, Operation.CONNECT, atNs - System.nanoTime());
    }

    @Override
    public boolean isCluster()
    {
        return true;
    }

    @Override
    public AsyncStore async()
    {
        partitions.checkOpen(Operation.CONNECT);
        return async;
    }

    @Override
    public <T> T withSession(final SessionFunction<T> function)
    {
        throw noSession();
    }

    @Override
    public StoreSession openSession()
    {
        throw noSession();
    }

    private UnsupportedOperationException noSession()
    {
        return new UnsupportedOperationException(
            "a session is that of one server, call the client of a cluster itself: server=" + partitions.text());
    }

    /** Of the member that leads most partitions, as far as is known: it lacks least. */
    @Override
    public long backup(final OutputStream to, final BackupListener listener) throws IOException
    {
        partitions.checkOpen(Operation.BACKUP);
        int best = 0;
        for (int shard = 1; shard < partitions.count(); shard++)
        {
            best = partitionsLedWith(shard) > partitionsLedWith(best) ? shard : best;
        }
        return partitions.client(best, Operation.BACKUP, partitions.deadlineNs()).backup(to, listener);
    }

    /** How many partitions the leader of one leads. */
    private int partitionsLedWith(final int shard)
    {
        final long member = leaders.leader(shard).member();
        int count = 0;
        for (int other = 0; other < partitions.count(); other++)
        {
            count += member != 0 && leaders.leader(other).member() == member ? 1 : 0;
        }
        return count;
    }

    /** As {@link StoreClient#close}, for all partitions at once. Threads that connect one are interrupted. */
    @Override
    public void close()
    {
        partitions.close();
    }
}

package org.onesided.client;

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

    @Override
    public long backup(final OutputStream to, final BackupListener listener)
    {
        throw new UnsupportedOperationException(
            "a backup is that of one server, scan the cluster instead (kvctl export): server=" + partitions.text());
    }

    /** As {@link StoreClient#close}, for all partitions at once. Threads that connect one are interrupted. */
    @Override
    public void close()
    {
        partitions.close();
    }
}

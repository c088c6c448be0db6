package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.Waiting;
import org.onesided.testing.HangGuard;

/**
 * A cluster of three members, and one client that writes and looks up all the while.
 */
final class ClusterAtWork
{
    static final int MEMBERS = 3;

    private static final long PATIENCE_SECONDS = 120;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ClusterServers servers;
    private final StoreClient client;
    private final CountLoop writes;
    private final CountLoop lookups;

    /**
     * @param folder   for the members' data and logs.
     * @param deadline of the client's operations.
     */
    ClusterAtWork(final Path folder, final Duration deadline) throws IOException
    {
        servers = new ClusterServers(MEMBERS, folder,
            List.of("--device", "shm", "--memory", "64m", "--memory-initial", "1k", "--spin", "never"));
        for (int i = 0; i < MEMBERS; i++)
        {
            servers.start(i);
        }
        for (int i = 0; i < MEMBERS; i++)
        {
            servers.awaitReady(i);
        }
        awaitServed();
        client = StoreClient.builder().server(servers.addresses()).device("shm").maxSessions(2)
            .waiting(Waiting.SLEEPING).deadline(deadline).build();
        writes = CountLoop.writes(client);
        lookups = CountLoop.lookups(client);
    }

    /** The first election may take longer than a client waits, on a busy machine, and is not what is tested. */
    private void awaitServed()
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(PATIENCE_SECONDS);
        for (int partition = 0; partition < ClusterServers.PARTITIONS; partition++)
        {
            while (!isServed(partition))
            {
                assertTrue(System.nanoTime() - endNs < 0, "nobody serves: partition=" + partition);
                LockSupport.parkNanos(LOOK_NS);
            }
        }
    }

    private boolean isServed(final int partition)
    {
        for (final String address : servers.addresses().split(","))
        {
            try
            {
                if (StoreClient.builder().server(address).clusterState().partitions().get(partition).isServing())
                {
                    return true;
                }
            }
            catch (final StoreException e)
            {
                // It is slow to answer. Another one may tell, or it later.
                continue;
            }
        }
        return false;
    }

    ClusterServers servers()
    {
        return servers;
    }

    CountLoop writes()
    {
        return writes;
    }

    CountLoop lookups()
    {
        return lookups;
    }

    /** Waits until both have gone on; fails if an operation has failed. */
    void awaitRounds() throws Exception
    {
        writes.awaitRounds();
        lookups.awaitRounds();
    }

    /** Ends the client, which must not have failed, and then the members. */
    void end() throws Exception
    {
        writes.stop();
        lookups.stop();
        client.close();
        servers.close();
    }
}

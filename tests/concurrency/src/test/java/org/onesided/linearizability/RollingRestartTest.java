package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterState;
import org.onesided.testing.HangGuard;

/**
 * Members of a cluster are restarted in turn, as its page says: each one only when all are in sync. A client with the
 * default deadline notices nothing.
 */
@Timeout(900)
class RollingRestartTest
{
    private static final int MEMBERS = ClusterAtWork.MEMBERS;
    private static final int ROUNDS = 2;
    /** That of clients that are given none. */
    private static final long DEADLINE_SECONDS = 5;
    private static final long PATIENCE_SECONDS = 120;
    private static final long LOOK_MS = 100;

    @TempDir
    private Path folder;
    private ClusterAtWork cluster;
    private ClusterServers servers;

    @BeforeEach
    void setUp() throws IOException
    {
        cluster = new ClusterAtWork(folder, Duration.ofSeconds(HangGuard.seconds(DEADLINE_SECONDS)));
        servers = cluster.servers();
    }

    @AfterEach
    void tearDown() throws Exception
    {
        cluster.end();
    }

    @Test
    @Tag("full")
    void shouldFailNothingWhenMembersAreRestartedInTurn() throws Exception
    {
        for (int i = 0; i < ROUNDS * MEMBERS; i++)
        {
            awaitSync();
            cluster.awaitRounds();
            servers.stop(i % MEMBERS);
            cluster.awaitRounds();
            servers.start(i % MEMBERS);
            servers.awaitReady(i % MEMBERS);
        }
        cluster.awaitRounds();
    }

    private void awaitSync() throws InterruptedException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(PATIENCE_SECONDS);
        for (int partition = 0; partition < ClusterServers.PARTITIONS; partition++)
        {
            while (!isInSync(partition))
            {
                assertTrue(System.nanoTime() - endNs < 0, "a member does not get in sync: partition=" + partition);
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
        }
    }

    /** Whether the partition's leader says that all others follow closely. */
    private boolean isInSync(final int partition)
    {
        for (final String address : servers.addresses().split(","))
        {
            final ClusterState.Partition seen;
            try
            {
                seen = StoreClient.builder().server(address)
                    .deadline(Duration.ofSeconds(HangGuard.seconds(PATIENCE_SECONDS))).clusterState().partitions()
                    .get(partition);
            }
            catch (final StoreException e)
            {
                return false;
            }
            if (seen.isServing())
            {
                return seen.followers().stream().filter(ClusterState.Follower::isInSync).count() == MEMBERS - 1;
            }
        }
        return false;
    }
}

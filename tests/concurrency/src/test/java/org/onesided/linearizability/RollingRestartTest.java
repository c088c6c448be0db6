package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
import org.onesided.client.types.Waiting;
import org.onesided.testing.HangGuard;

/**
 * Members of a cluster are restarted in turn, as its page says: each one only when all are in sync. A client with the
 * default deadline notices nothing.
 */
@Timeout(900)
class RollingRestartTest
{
    private static final int MEMBERS = 3;
    private static final int ROUNDS = 2;
    /** That of clients that are given none. */
    private static final long DEADLINE_SECONDS = 5;
    private static final long PATIENCE_SECONDS = 120;
    private static final long LOOK_MS = 100;

    @TempDir
    private Path folder;
    private ClusterServers servers;
    private StoreClient client;
    private CountLoop writes;
    private CountLoop lookups;

    @BeforeEach
    void setUp() throws IOException
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
        client = StoreClient.builder().server(servers.addresses()).device("shm").maxSessions(2)
            .waiting(Waiting.SLEEPING).deadline(Duration.ofSeconds(HangGuard.seconds(DEADLINE_SECONDS))).build();
        writes = CountLoop.writes(client);
        lookups = CountLoop.lookups(client);
    }

    @AfterEach
    void tearDown() throws Exception
    {
        writes.stop();
        lookups.stop();
        client.close();
        servers.close();
    }

    @Test
    @Tag("full")
    void shouldFailNothingWhenMembersAreRestartedInTurn() throws Exception
    {
        for (int i = 0; i < ROUNDS * MEMBERS; i++)
        {
            awaitSync();
            writes.awaitRounds();
            lookups.awaitRounds();
            servers.stop(i % MEMBERS);
            writes.awaitRounds();
            lookups.awaitRounds();
            servers.start(i % MEMBERS);
            servers.awaitReady(i % MEMBERS);
        }
        writes.awaitRounds();
        lookups.awaitRounds();
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

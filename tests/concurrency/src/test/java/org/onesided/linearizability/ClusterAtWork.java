package org.onesided.linearizability;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.types.Waiting;

/**
 * A cluster of three members, and one client that writes and looks up all the while.
 */
final class ClusterAtWork
{
    static final int MEMBERS = 3;

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
        client = StoreClient.builder().server(servers.addresses()).device("shm").maxSessions(2)
            .waiting(Waiting.SLEEPING).deadline(deadline).build();
        writes = CountLoop.writes(client);
        lookups = CountLoop.lookups(client);
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

package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.types.Waiting;
import org.onesided.testing.HangGuard;

/**
 * All members of a cluster are ended in order and started again, one after the other, while a client works. The longest
 * pauses are printed, and those of members that are killed beside them.
 */
@Timeout(900)
class HandoverTest
{
    private static final int MEMBERS = 3;
    private static final long SECONDS = 120;

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
            .waiting(Waiting.SLEEPING).deadline(Duration.ofSeconds(HangGuard.seconds(SECONDS))).build();
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
    void shouldFailNothingWhenEachMemberIsEndedInOrder() throws Exception
    {
        System.out.println("pauses of writes and lookups in ms, by member: SIGTERM " + roll(false) + " SIGKILL " +
            roll(true));
        final List<String> log = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++)
        {
            log.addAll(Files.readAllLines(servers.log(i)));
        }
        assertTrue(log.stream().noneMatch((line) -> line.contains(" ERROR ")), () -> String.join("\n", log));
        assertTrue(log.stream().anyMatch((line) -> line.contains("partition is handed over: ") &&
            line.contains(" released=yes ")), () -> String.join("\n", log));
    }

    private List<String> roll(final boolean isKilled) throws Exception
    {
        final List<String> pauses = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++)
        {
            writes.awaitRounds();
            lookups.awaitRounds();
            writes.takeLongestMs();
            lookups.takeLongestMs();
            if (isKilled)
            {
                servers.kill(i);
            }
            else
            {
                servers.stop(i);
            }
            writes.awaitRounds();
            lookups.awaitRounds();
            pauses.add(writes.takeLongestMs() + "/" + lookups.takeLongestMs());
            servers.start(i);
            servers.awaitReady(i);
        }
        return pauses;
    }
}

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
import org.onesided.testing.HangGuard;
import org.onesided.testing.TestSize;

/**
 * All members of a cluster are ended in order and started again, one after the other, while a client works. The longest
 * pauses are printed, and those of members that are killed beside them. A quick check ends members until one has handed
 * a partition over, and kills one.
 */
@Timeout(900)
class HandoverTest
{
    private static final int MEMBERS = ClusterAtWork.MEMBERS;
    private static final long SECONDS = 120;
    private static final int LEAST_ENDED = TestSize.of(MEMBERS, 1);

    @TempDir
    private Path folder;
    private ClusterAtWork cluster;
    private ClusterServers servers;

    @BeforeEach
    void setUp() throws IOException
    {
        cluster = new ClusterAtWork(folder, Duration.ofSeconds(HangGuard.seconds(SECONDS)));
        servers = cluster.servers();
    }

    @AfterEach
    void tearDown() throws Exception
    {
        cluster.end();
    }

    @Test
    void shouldFailNothingWhenEachMemberIsEndedInOrder() throws Exception
    {
        System.out.println("pauses of writes and lookups in ms, by member: SIGTERM " + roll(false) + " SIGKILL " +
            roll(true));
        final List<String> log = log();
        assertTrue(log.stream().noneMatch((line) -> line.contains(" ERROR ")), () -> String.join("\n", log));
        assertTrue(hasHandedOver(log), () -> String.join("\n", log));
    }

    private List<String> log() throws IOException
    {
        final List<String> log = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++)
        {
            log.addAll(Files.readAllLines(servers.log(i)));
        }
        return log;
    }

    private static boolean hasHandedOver(final List<String> log)
    {
        return log.stream().anyMatch((line) -> line.contains("partition is handed over: ") &&
            line.contains(" released=yes "));
    }

    private List<String> roll(final boolean isKilled) throws Exception
    {
        final List<String> pauses = new ArrayList<>();
        // One that leads no partition hands none over.
        for (int i = 0; i < MEMBERS && (i < LEAST_ENDED || !isKilled && !hasHandedOver(log())); i++)
        {
            cluster.awaitRounds();
            cluster.writes().takeLongestMs();
            cluster.lookups().takeLongestMs();
            if (isKilled)
            {
                servers.kill(i);
            }
            else
            {
                servers.stop(i);
            }
            cluster.awaitRounds();
            pauses.add(cluster.writes().takeLongestMs() + "/" + cluster.lookups().takeLongestMs());
            servers.start(i);
            servers.awaitReady(i);
        }
        return pauses;
    }
}

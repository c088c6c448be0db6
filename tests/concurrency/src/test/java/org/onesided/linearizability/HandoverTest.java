package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
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
    private static final int COUNTS = 32;
    private static final long SECONDS = 120;

    @TempDir
    private Path folder;
    private ClusterServers servers;
    private StoreClient client;
    private Loop writes;
    private Loop lookups;

    /** What a thread does with one count. */
    @FunctionalInterface
    private interface Operation
    {
        void perform(byte[] key, int round);
    }

    /** A thread that does the same with all counts, one after the other, again and again. */
    private static final class Loop
    {
        private final Operation operation;
        private final Thread thread;
        private volatile int rounds;
        private volatile long longestNs;
        private volatile Exception failure;
        private volatile boolean isClosed;

        Loop(final String name, final Operation operation)
        {
            this.operation = operation;
            thread = new Thread(this::run, name);
            thread.start();
        }

        private void run()
        {
            try
            {
                while (!isClosed)
                {
                    for (int i = 0; i < COUNTS; i++)
                    {
                        final long beginNs = System.nanoTime();
                        operation.perform(key(i), rounds);
                        longestNs = Math.max(longestNs, System.nanoTime() - beginNs);
                    }
                    rounds++;
                }
            }
            catch (final StoreException | AssertionError e)
            {
                failure = new Exception(e);
            }
        }

        /** Waits until all counts were used twice from now on. */
        void awaitRounds() throws InterruptedException
        {
            final int last = rounds + 2;
            final long endNs = System.nanoTime() + HangGuard.nanos(SECONDS);
            while (rounds < last && failure == null)
            {
                assertTrue(System.nanoTime() - endNs < 0, () -> "nothing goes on: thread=" + thread.getName());
                TimeUnit.MILLISECONDS.sleep(5);
            }
            assertNull(failure, () -> thread.getName() + " failed: " + failure);
        }

        long takeLongestMs()
        {
            final long taken = longestNs;
            longestNs = 0;
            return TimeUnit.NANOSECONDS.toMillis(taken);
        }

        void stop() throws InterruptedException
        {
            isClosed = true;
            thread.join(TimeUnit.SECONDS.toMillis(HangGuard.seconds(SECONDS)));
        }
    }

    private static byte[] key(final int number)
    {
        return ("count-" + number).getBytes(StandardCharsets.US_ASCII);
    }

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
        writes = new Loop("writer", (key, round) ->
            assertEquals(round + 1, client.increment(key, 1)));
        lookups = new Loop("reader", (key, round) -> client.get(key));
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

package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads of logs, which no other test may have meanwhile.
 */
class RaftThreadsTest
{
    private static final LogStart BEGINNING = LogStart.withoutSnapshot(() -> {});

    @TempDir
    private Path directory;

    @Test
    void shouldEndItsThreads() throws Exception
    {
        final RaftLogOptions options = new RaftLogOptions(directory, 1).reserveBytes(0);
        try (RaftLogs logs = RaftLogs.open(options, List.of(BEGINNING, BEGINNING)))
        {
            new LogUser(logs.log(0)).awaitReady();
            assertFalse(threads().isEmpty());
        }
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!threads().isEmpty() && System.nanoTime() - deadlineNs < 0)
        {
            Thread.sleep(10);
        }
        assertEquals(List.of(), threads());
    }

    private static List<String> threads()
    {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
            .filter((name) -> name.startsWith("1@") || name.startsWith("raft-") || name.startsWith("1-")).toList();
    }
}

package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.server.log.ShardLog;
import org.onesided.server.log.SyncMode;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;

/**
 * Logs of Ratis, opened, written, closed and opened again: several tests at a time, as each close waits up to a second
 * for a thread of Ratis that sleeps.
 */
@Execution(ExecutionMode.CONCURRENT)
class RaftLogsTest
{
    private static final AtomicLong TABLES = new AtomicLong(0x1234_5678_9abcL);
    private static final LogStart BEGINNING = LogStart.withoutSnapshot(() -> {});

    @TempDir
    private Path directory;
    @TempDir
    private Path messages;
    /** Of no other test: what a process knows of logs has names that are made of it. */
    private final long table = TABLES.getAndIncrement();

    private static Peers peers()
    {
        return Peers.founding(1, List.of(new Peer(1, new InetSocketAddress("127.0.0.1", 1))));
    }

    @Test
    void shouldRefuseToPromiseToOthersWhatItMayForget()
    {
        for (final RaftLogOptions options : List.of(
            options().peers(peers(), (shard) -> null).sync(SyncMode.INTERVAL),
            options().peers(peers(), (shard) -> null).discardTail(true)))
        {
            final String message = assertThrows(
                IllegalArgumentException.class, () -> RaftLogs.open(options, List.of(BEGINNING))).getMessage();
            assertTrue(message.contains("discards nothing"), message);
        }
    }

    @Test
    void shouldNotStartAsOneOfSeveralWithoutTheRecordOfItsVotes() throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(10, 100);
        }
        final Path votes = RaftLogs.directory(directory, table, 0).resolve("current").resolve("raft-meta");
        Files.delete(votes);
        final String message = assertThrows(LogDamageException.class,
            () -> RaftLogs.open(options().peers(peers(), (shard) -> null), List.of(BEGINNING))).getMessage();
        assertTrue(message.contains("record of votes"), message);
        assertFalse(Files.exists(votes));
    }

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    void shouldHandEntriesOverInOrderAndAgainAfterAStart(final SyncMode sync) throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options().sync(sync), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(5000, 100);
            assertEquals(5000, user.entries());
            assertEquals(List.of(), user.failures());
        }
        for (int start = 1; start <= 2; start++)
        {
            try (RaftLogs logs = RaftLogs.open(options().sync(sync), List.of(BEGINNING)))
            {
                final LogUser user = new LogUser(logs.log(0));
                user.awaitReady();
                assertEquals(0, user.firstNumber());
                assertEquals(4990 + 10 * start, user.entries());
                user.continueBehind(user.lastNumber());
                user.propose(10, 100);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    void shouldWakeTheShardForAllThatItIsToHave(final SyncMode sync) throws Exception
    {
        final Semaphore wakeUps = new Semaphore(0);
        try (RaftLogs logs = RaftLogs.open(options().sync(sync), List.of(LogStart.withoutSnapshot(wakeUps::release))))
        {
            final LogUser user = new LogUser(logs.log(0));
            while (user.timesReady() == 0)
            {
                pollWhenWoken(user, wakeUps);
            }
            for (int round = 0; user.proposed() < 300; round++)
            {
                for (int i = 0; i <= round % 4; i++)
                {
                    // While forces are pending, it takes none.
                    user.tryPropose(50);
                }
                while (user.lastNumber() < user.proposed() - 1)
                {
                    pollWhenWoken(user, wakeUps);
                }
            }
        }
    }

    private static void pollWhenWoken(final LogUser user, final Semaphore wakeUps) throws InterruptedException
    {
        assertTrue(wakeUps.tryAcquire(1, TimeUnit.MINUTES), () -> "not woken after entry " + user.lastNumber());
        while (user.poll() > 0)
        {
            // Until it has all of it: what comes meanwhile wakes nobody.
        }
    }

    @Test
    void shouldNotSayThatAllIsOnTheDiskAfterAFailure() throws Exception
    {
        final RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING));
        try (logs)
        {
            new LogUser(logs.log(0)).awaitReady();
            logs.log(0).force();
            logs.log(0).stand().failForGood(new IOException("the test said so"));
        }
        // A second fdatasync would report success.
        assertThrows(IOException.class, () -> logs.log(0).force());
    }

    @Test
    void shouldTakeEntriesOfTheMaximumLengthAndRefuseLongerOnes() throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(12, ShardLog.MAX_ENTRY_LENGTH);
            user.propose(12, 41);
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ShardLog.MAX_ENTRY_LENGTH + 1]);
            assertThrows(IllegalArgumentException.class, () -> logs.log(0).tryPropose(buffer, 0, buffer.capacity()));
            assertThrows(IllegalArgumentException.class, () -> logs.log(0).tryPropose(buffer, 0, 0));
        }
        assertEquals(24, entriesBehind(BEGINNING));
    }

    @Test
    void shouldOpenALogThatWasKilledWithMoreSpaceAheadThanItsLongestEntry() throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(1, ShardLog.MAX_ENTRY_LENGTH);
        }
        final LogReport report = LogFiles.check(RaftLogs.directory(directory, table, 0), -1, false);
        final Path last = report.segments().get(report.segments().size() - 1).file();
        try (FileChannel file = FileChannel.open(last, StandardOpenOption.WRITE))
        {
            file.write(ByteBuffer.allocate(1), file.size() + 3 * ShardLog.MAX_ENTRY_LENGTH);
        }
        assertEquals(1, entriesBehind(BEGINNING));
    }

    /** Else the shard could propose what builds on entries that a failure has lost. */
    @Test
    void shouldTakeNothingBeforeTheShardKnowsOfAFailure() throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(1, 64);
            // The log forgets an entry only after it was handed over.
            user.await("the end of the proposal", () -> logs.log(0).isIdle());
            logs.log(0).stand().noRoom("for a test", false);
            logs.log(0).stand().room();
            assertEquals(LogState.OPEN, logs.log(0).state());
            assertFalse(user.tryPropose(64));
            user.poll();
            user.propose(1, 64);
        }
    }

    /** Ratis tells a group of one, too, when it closes. */
    @Test
    void shouldNotFollowNobody() throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            logs.log(0).stateMachine().notifyNotLeader(List.of());
            assertEquals(LogState.OPEN, logs.log(0).state());
            user.propose(1, 64);
        }
    }

    @Test
    void shouldBoundWhatIsProposedAndNotPolled() throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            // Takes them as long as the queue to the shard has room, then no more.
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            int refused = 0;
            while (refused < 1000 && System.nanoTime() - deadlineNs < 0)
            {
                if (user.tryPropose(64))
                {
                    refused = 0;
                }
                else
                {
                    refused++;
                    Thread.sleep(1);
                }
            }
            assertEquals(1000, refused);
            assertTrue(user.proposed() >= 1024 && user.proposed() < 2000, "proposed=" + user.proposed());
            user.awaitNumber(user.proposed() - 1);
            user.propose(10, 64);
        }
    }

    @Test
    void shouldReplayBehindASnapshotAndPurgeBeforeIt() throws Exception
    {
        final LogStart snapshot;
        try (RaftLogs logs = RaftLogs.open(options().segmentLength(2 << 20), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(100, 100_000);
            snapshot = new LogStart(user.term(), user.index(), () -> {});
            user.await("bytes", () -> logs.log(0).diskBytes() > 8 << 20);
            logs.log(0).purge(user.index());
            user.await("purged", () -> logs.log(0).diskBytes() < 5 << 20);
            user.propose(7, 1000);
        }
        final LogReport report = LogFiles.check(log(0), snapshot.index(), false);
        assertTrue(report.firstIndex() > 0 && report.firstIndex() <= snapshot.index() + 1, report.toString());
        assertEquals(7, entriesBehind(snapshot));

        final IOException e =
            assertThrows(LogDamageException.class, () -> RaftLogs.open(options(), List.of(BEGINNING)));
        assertTrue(e.getMessage().contains("entries between are missing"), e.getMessage());
    }

    @Test
    void shouldBeginAnewBehindASnapshotThatIsNewerThanTheLog() throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(10, 100);
        }
        final LogStart snapshot = new LogStart(9, 1000, () -> {});
        try (RaftLogs logs = RaftLogs.open(options(), List.of(snapshot)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            assertEquals(0, user.entries());
            user.propose(5, 100);
            assertTrue(user.index() > 1000 && user.term() > 9, user.index() + " " + user.term());
        }
        assertEquals(5, entriesBehind(snapshot));
    }

    @Test
    void shouldKeepLogsOfShardsApart() throws Exception
    {
        for (int start = 0; start < 2; start++)
        {
            try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING, BEGINNING, BEGINNING, BEGINNING)))
            {
                for (int shard = 0; shard < 4; shard++)
                {
                    final LogUser user = new LogUser(logs.log(shard));
                    user.awaitReady();
                    assertEquals(start * 10 * (shard + 1), user.entries());
                    user.continueBehind(user.lastNumber());
                    user.propose(10 * (shard + 1), 100 + shard);
                }
            }
        }
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(4, files.filter(Files::isDirectory).count());
        }
    }

    @Test
    void shouldStartFromARaftMetaThatAFullDiskLeftEmpty() throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(10, 100);
        }
        Files.write(log(0).resolve("current/raft-meta"), new byte[0]);
        Files.write(log(0).resolve("current/raft-meta.conf"), new byte[] {1, 2, 3});
        assertEquals(10, entriesBehind(BEGINNING));
        assertEquals(List.of(), LogFiles.check(log(0), -1, false).findings());
    }

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    void shouldHaveAllThatAKilledProcessWasTold(final SyncMode sync) throws Exception
    {
        long told = -1;
        for (int times = 0; times < 2; times++)
        {
            final Process process = start(List.of(), directory.toString(), sync.name(),
                String.valueOf(300 + 700 * times), String.valueOf(table));
            try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII)))
            {
                for (String line = reader.readLine(); line != null; line = reader.readLine())
                {
                    told = Math.max(told, Long.parseLong(line));
                }
            }
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
            assertEquals(HaltedLog.STATUS, process.exitValue());
        }
        assertTrue(told > 0);
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            assertTrue(user.lastNumber() >= told, user.lastNumber() + " of " + told);
            assertEquals(user.lastNumber() + 1, user.entries());
        }
    }

    /** A file that may not grow fails as a broken disk does, for whoever does not read the error's text. */
    @Test
    void shouldStopForGoodAfterAFailureAndRecoverAtTheNextStart() throws Exception
    {
        final Process process = start(List.of("sh", "-c", "ulimit -f 3072; exec \"$@\"", "sh"),
            directory.toString(), SyncMode.ALWAYS.name(), String.valueOf(Integer.MAX_VALUE), String.valueOf(table));
        long told = -1;
        String reason = "";
        try (BufferedReader reader = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII)))
        {
            for (String line = reader.readLine(); line != null; line = reader.readLine())
            {
                if (line.startsWith("the log"))
                {
                    reason = line;
                }
                else
                {
                    told = Long.parseLong(line);
                }
            }
        }
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(HaltedLog.FAILED, process.exitValue());
        final List<String> logged = Files.readAllLines(errors());
        assertEquals(1, logged.size(), "a line, without a stack trace: " + logged);
        assertTrue(logged.get(0).endsWith(
            "log failed, and takes no entries until a restart: path=" + log(0) + " reason=File too large"),
            logged.get(0));
        assertTrue(reason.startsWith("the log cannot be written until the server is restarted: path=" + log(0) +
            ", reason=File too large"), reason);
        assertTrue(told > 0);
        try (RaftLogs logs = RaftLogs.open(options(), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            assertTrue(user.lastNumber() >= told, user.lastNumber() + " of " + told);
            assertEquals(user.lastNumber() + 1, user.entries());
        }
    }

    private Process start(final List<String> shell, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(shell);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((argument) -> argument.startsWith("-XX") || argument.startsWith("--")).toList());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), HaltedLog.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(errors().toFile()).start();
    }

    private Path errors()
    {
        return messages.resolve("errors");
    }

    private int entriesBehind(final LogStart start) throws Exception
    {
        try (RaftLogs logs = RaftLogs.open(options(), List.of(start)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            assertEquals(List.of(), user.failures());
            return (int)user.entries();
        }
    }

    private Path log(final int shard)
    {
        return RaftLogs.directory(directory, table, shard);
    }

    private RaftLogOptions options()
    {
        return new RaftLogOptions(directory, table).reserveBytes(0);
    }

    /**
     * Writes a log, prints the numbers that were handed over, and halts amid that.
     */
    static final class HaltedLog
    {
        static final int STATUS = 9;
        static final int FAILED = 8;

        private HaltedLog()
        {
        }

        /**
         * @param arguments directory, mode, number of entries after which to halt, and the table.
         * @throws Exception if the log fails.
         */
        public static void main(final String[] arguments) throws Exception
        {
            final RaftLogOptions options = new RaftLogOptions(Path.of(arguments[0]), Long.parseLong(arguments[3]));
            final RaftLogs logs = RaftLogs.open(
                options.reserveBytes(0).sync(SyncMode.valueOf(arguments[1])), List.of(BEGINNING));
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.continueBehind(user.lastNumber());
            final long last = user.lastNumber() + Integer.parseInt(arguments[2]);
            while (true)
            {
                user.tryPropose(60 + (int)(user.proposed() * 7919 % 5000));
                final long before = user.lastNumber();
                user.poll();
                if (user.lastNumber() != before)
                {
                    System.out.println(user.lastNumber());
                    System.out.flush();
                }
                if (!user.failures().isEmpty())
                {
                    System.out.println(user.failures().get(0));
                    awaitLeader();
                    logs.close();
                    System.exit(FAILED);
                }
                if (user.lastNumber() >= last)
                {
                    Runtime.getRuntime().halt(STATUS);
                }
            }
        }

        /** Waits for the thread that leads, which finds the log closed. */
        private static void awaitLeader() throws InterruptedException
        {
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (System.nanoTime() - deadlineNs < 0 && Thread.getAllStackTraces().keySet().stream()
                .anyMatch((thread) -> thread.getName().endsWith("-LeaderStateImpl")))
            {
                Thread.sleep(10);
            }
        }
    }
}

package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.server.disk.SmallFileSystem;

/** A log on a file system that is full. Much of the time it waits, so there are several tests at a time. */
@Execution(ExecutionMode.CONCURRENT)
class FullLogTest
{
    private static final AtomicLong TABLES = new AtomicLong(42);
    private static final int SIZE_MIB = 24;
    private static final int FILLER_MIB = 16;
    private static final long PACE_NS = 20_000_000;
    private static final int PACED_LENGTH = 30_000;

    @TempDir
    private Path temporary;
    /** Of no other test: what a process knows of logs has names that are made of it. */
    private final long table = TABLES.getAndIncrement();
    private Path disk;
    private SmallFileSystem fileSystem;

    @BeforeEach
    void mount() throws Exception
    {
        disk = Files.createDirectory(temporary.resolve("disk"));
        fileSystem = SmallFileSystem.mount(disk, SIZE_MIB);
        Files.write(filler(), new byte[FILLER_MIB << 20]);
    }

    @AfterEach
    void unmount() throws Exception
    {
        if (fileSystem != null)
        {
            fileSystem.close();
        }
    }

    @Test
    void shouldStopBeforeTheDiskIsFullAndGoOnWhenThereIsRoom() throws Exception
    {
        try (RaftLogs logs = open(4 << 20, LogStart.withoutSnapshot(() -> {})))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            // The disk gets full in seconds, so that it is looked at often enough before, also on a busy machine.
            final long[] proposedNs = { System.nanoTime() };
            user.await("little room", () ->
            {
                if (user.lastNumber() == user.proposed() - 1 && System.nanoTime() - proposedNs[0] > PACE_NS)
                {
                    proposedNs[0] = System.nanoTime();
                    user.tryPropose(PACED_LENGTH);
                }
                return !user.failures().isEmpty();
            });
            assertTrue(user.failures().get(0).startsWith("the disk is nearly full: path=" + disk),
                user.failures().toString());
            assertEquals(LogState.NO_ROOM, logs.log(0).state());

            final int before = user.timesReady();
            Files.delete(filler());
            user.await("room", () -> user.timesReady() > before);
            user.awaitNumber(user.proposed() - 1);
            user.propose(100, 1000);
        }
        shouldHaveAll(LogStart.withoutSnapshot(() -> {}), 0);
    }

    /** The reserve is used, since nobody makes room. What the log had is handed over. */
    @Test
    void shouldStartOnAFullDisk() throws Exception
    {
        final long last;
        try (RaftLogs logs = open(0, LogStart.withoutSnapshot(() -> {})))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(10, 1000);
            user.await("the reserve", () -> Files.exists(disk.resolve("raft/reserve")));
            last = user.lastNumber();
        }
        fileSystem.fill(disk.resolve("more"));
        try (RaftLogs logs = open(8 << 20, LogStart.withoutSnapshot(() -> {})))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            assertEquals(last, user.lastNumber());
            user.await("that it stops", () -> !user.failures().isEmpty());
            final int before = user.timesReady();
            Files.delete(disk.resolve("more"));
            Files.delete(filler());
            user.await("room", () -> user.timesReady() > before);
            user.continueBehind(last);
            user.propose(10, 1000);
        }
    }

    /** Lengths differ, so that the disk is full at different points: within an entry, or when a segment begins. */
    @ParameterizedTest
    @ValueSource(ints = {5000, 900_000})
    void shouldOpenTheLogAnewAfterTheDiskWasFull(final int length) throws Exception
    {
        final long last;
        LogStart snapshot = LogStart.withoutSnapshot(() -> {});
        try (RaftLogs logs = open(0, snapshot))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            for (int times = 1; times <= 2; times++)
            {
                fill(user, times, length);
                assertTrue(user.failures().get(times - 1).startsWith("the disk is full: path=" + disk),
                    user.failures().toString());

                final long handedOver = user.lastNumber();
                final int before = user.timesReady();
                Files.delete(filler());
                user.await("room", () -> user.timesReady() > before);
                assertTrue(user.lastNumber() >= handedOver);
                // What is not handed over now never will be.
                user.continueBehind(user.lastNumber());
                user.propose(20, 1000);
                snapshot = new LogStart(user.term(), user.index(), () -> {});
                logs.log(0).purge(user.index());
                user.propose(20, 1000);
                final long bytes = Files.getFileStore(disk).getUsableSpace();
                Files.write(filler(), new byte[(int)Math.max(0, bytes - (4 << 20))]);
            }
            last = user.lastNumber();
            assertEquals(2, user.failures().size(), user.failures().toString());
        }
        shouldHaveAll(snapshot, last);
    }

    private void shouldHaveAll(final LogStart start, final long last) throws Exception
    {
        Files.deleteIfExists(filler());
        try (RaftLogs logs = open(0, start))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            assertTrue(user.lastNumber() >= last, user.lastNumber() + " after " + last);
            assertEquals(user.lastNumber() - user.firstNumber() + 1, user.entries());
        }
    }

    /** Proposes until the log fails for the given time, and then still hands over what it has. */
    private static void fill(final LogUser user, final int failures, final int length)
    {
        user.await("a full disk", () ->
        {
            for (int i = 0; i < 16 && user.failures().size() < failures && user.tryPropose(length); i++)
            {
                continue;
            }
            return user.failures().size() >= failures;
        });
    }

    private Path filler()
    {
        return disk.resolve("filler");
    }

    private RaftLogs open(final long reserveBytes, final LogStart start) throws Exception
    {
        return RaftLogs.open(
            new RaftLogOptions(disk.resolve("raft"), table).reserveBytes(reserveBytes).segmentLength(2 << 20),
            List.of(start));
    }
}

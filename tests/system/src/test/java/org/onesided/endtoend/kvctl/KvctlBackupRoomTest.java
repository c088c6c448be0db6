package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;
import org.onesided.verbs.shm.MountedSharedMemory;

/** {@code kvctl backup} and {@code kvctl restore} while a disk gets full: the server's, or the client's. */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlBackupRoomTest
{
    private static final int FAILED = 1;
    private static final int STORAGE = 8;
    private static final int RECORDS = 100;
    private static final int VALUE_LENGTH = 1_000_000;
    /** The server may have written all before it stands still. */
    private static final int TRIES = 20;
    /** What is left to the server. */
    private static final long LEFT = 1 << 20;
    private static final String FORMER = "a backup of yesterday";

    @TempDir
    private Path folder;
    private Path disk;
    private Path taken;

    @BeforeEach
    void setUp() throws IOException
    {
        disk = Files.createDirectory(folder.resolve("disk"));
        taken = Files.createDirectory(folder.resolve("taken")).resolve("a.backup");
        Files.writeString(taken, FORMER);
    }

    private static ServerProcess start(final Path data) throws IOException
    {
        return ServerProcess.start(
            "--data", data.toString(), "--shards", "2", "--memory", "256m", "--device", "tcp:127.0.0.1:0");
    }

    private static void fill(final ServerProcess server, final int records)
    {
        try (StoreClient client = StoreClient.builder().server(server.address())
            .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build())
        {
            for (int i = 0; i < records; i++)
            {
                client.put(("key " + i).getBytes(), new byte[VALUE_LENGTH]);
            }
        }
    }

    private static KvctlCall.Result kvctl(final ServerProcess server, final String... arguments)
    {
        return KvctlCall.of(arguments).with("KVCTL_SERVER", server.address()).runHere();
    }

    private void assertNothingLeft() throws IOException
    {
        assertEquals(FORMER, Files.readString(taken));
        try (Stream<Path> files = Files.list(taken.getParent()))
        {
            assertEquals(List.of(taken), files.toList());
        }
    }

    @Test
    void shouldKeepNothingOfABackupIfTheServersDiskGetsFull() throws Exception
    {
        final Path data = disk.resolve("data");
        try (MountedSharedMemory mounted = MountedSharedMemory.at(disk, "size=400m");
            ServerProcess server = start(data))
        {
            fill(server, RECORDS);
            assertTrue(mounted.isUsed());
            KvctlCall.Result result = backUpWhileTheDiskGetsFull(server, data.resolve("backup"));
            for (int i = 1; result.exitCode() == 0; i++)
            {
                assertTrue(i < TRIES, "the server was never caught while it wrote");
                Files.writeString(taken, FORMER);
                result = backUpWhileTheDiskGetsFull(server, data.resolve("backup"));
            }
            result.assertFailed(
                STORAGE, "kvctl backup: the server could not write the files of the backup", "No space left on device");
            assertNothingLeft();

            // The log may have noticed the full disk, and looks again a moment later.
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(60));
            while (kvctl(server, "put", "key", "value").exitCode() != 0)
            {
                assertTrue(System.nanoTime() - endNs < 0, "writes do not go on");
            }
            assertEquals(0, kvctl(server, "backup", taken.toString()).exitCode());
            assertEquals(0, KvctlCall.of("restore", taken.toString(), "--verify").runHere().exitCode());
            assertEquals(1, server.warnings("backup was given up"));
        }
    }

    /** The server stands still with a part of the backup written, while the disk gets full. */
    private KvctlCall.Result backUpWhileTheDiskGetsFull(final ServerProcess server, final Path files) throws IOException
    {
        final CompletableFuture<KvctlCall.Result> call = CompletableFuture.supplyAsync(
            () -> kvctl(server, "backup", taken.toString()));
        while (!call.isDone() && !Files.exists(files.resolve("shard-0")) && !Files.exists(files.resolve("shard-1")))
        {
            Thread.onSpinWait();
        }
        server.freeze();
        final Path filler = disk.resolve("filler");
        try
        {
            takeRoom(filler, Files.getFileStore(disk).getUsableSpace() - LEFT);
        }
        finally
        {
            server.thaw();
        }
        final KvctlCall.Result result = call.join();
        Files.delete(filler);
        return result;
    }

    private static void takeRoom(final Path file, final long length) throws IOException
    {
        try (FileChannel filler = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
        {
            final ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
            while (filler.position() < length)
            {
                zeros.clear().limit((int)Math.min(zeros.capacity(), length - filler.position()));
                filler.write(zeros);
            }
        }
    }

    @Test
    void shouldKeepNothingOfABackupOrATableIfTheClientsDiskGetsFull() throws Exception
    {
        final Path whole = folder.resolve("whole.backup");
        try (ServerProcess server = start(folder.resolve("data")))
        {
            fill(server, 4);
            assertEquals(0, kvctl(server, "backup", whole.toString()).exitCode());
            try (MountedSharedMemory mounted = MountedSharedMemory.at(disk, "size=2m"))
            {
                taken = mounted.directory().resolve("a.backup");
                Files.writeString(taken, FORMER);
                kvctl(server, "backup", taken.toString())
                    .assertFailed(FAILED, "kvctl backup: cannot write " + taken + ": No space left on device");
                assertNothingLeft();
                KvctlCall.of("restore", whole.toString(), "--data", disk.resolve("data").toString()).runHere()
                    .assertFailed(FAILED, "kvctl restore: ", "No space left on device");
                assertNothingLeft();
            }
            kvctl(server, "put", "key", "value").assertDone();
        }
        assertFalse(Files.exists(folder.resolve("data").resolve("backup")));
    }
}

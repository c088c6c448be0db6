package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ShardStatistics;
import org.onesided.server.ServerException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.server.StoredBackup;
import org.onesided.server.StoredTable;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.ReadBackListener;
import org.onesided.server.snapshot.SnapshotStore;

/** How a server starts whose table is on disk. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class StoredStartTest
{
    private static final int RECORDS = 200;

    @TempDir
    private Path folder;

    private Path data()
    {
        return folder.resolve("data");
    }

    private ServerOptions options()
    {
        return TestStore.options().data(DataOptions.in(data()));
    }

    private static void put(final StoreClient client, final int from)
    {
        for (int i = from; i < from + RECORDS; i++)
        {
            client.put("key " + i, "value " + i);
        }
    }

    private static void check(final StoreClient client, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertEquals("value " + i, client.get("key " + i));
        }
    }

    /** Waits until each shard has a snapshot of all that was put. */
    private static void snapshot(final StoreClient client)
    {
        final List<ShardStatistics> asked = client.snapshot();
        boolean isDone = false;
        while (!isDone)
        {
            final List<ShardStatistics> now = client.statistics();
            isDone = true;
            for (int i = 0; i < asked.size(); i++)
            {
                isDone &= now.get(i).storage().snapshotIndex() >= asked.get(i).storage().appliedIndex();
            }
            Thread.onSpinWait();
        }
    }

    /** What a listener heard. */
    private static final class Heard implements ReadBackListener
    {
        private final List<Double> shares = new ArrayList<>();
        private long length;

        @Override
        public void onReadBack(final long bytes, final long newLength)
        {
            assertTrue(bytes >= 0 && bytes <= newLength, bytes + " of " + newLength);
            length = newLength;
            shares.add((double)bytes / newLength);
        }
    }

    @Test
    void shouldTellHowFarSnapshotsAndLogsAreReadBack()
    {
        final Heard none = new Heard();
        try (TestStore store = new TestStore(options().data(DataOptions.in(data()).onReadBack(none)));
            StoreClient client = store.client())
        {
            assertEquals(List.of(), none.shares, "a new table has nothing to read back");
            put(client, 0);
            snapshot(client);
            put(client, RECORDS);
        }
        final Heard heard = new Heard();
        try (TestStore store = new TestStore(options().data(DataOptions.in(data()).onReadBack(heard)));
            StoreClient client = store.client())
        {
            check(client, 2 * RECORDS);
            assertTrue(heard.shares.size() > 4, "at least each snapshot and log when it is checked: " + heard.shares);
            assertTrue(heard.shares.get(0) < 0.5, heard.shares.toString());
            assertEquals(1, heard.shares.get(heard.shares.size() - 1));
            // Records and log, each twice.
            assertTrue(heard.length > 2 * 2 * RECORDS * "key 0value 0".length(), "length=" + heard.length);
        }
    }

    @Test
    void shouldTellNothingOfATableInMemoryOnly()
    {
        final Heard heard = new Heard();
        new TestStore(TestStore.options().data(DataOptions.NONE.onReadBack(heard))).close();
        assertEquals(List.of(), heard.shares);
    }

    /** The snapshots of a shard, the newest first. */
    private List<Path> snapshots(final int shard) throws IOException
    {
        return SnapshotStore.files(data().resolve("snapshots").resolve("shard-" + shard));
    }

    private static void damage(final Path file) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void shouldStartFromTheLogAloneIfItGoesBackToItsBeginning() throws IOException
    {
        try (TestStore store = new TestStore(options()); StoreClient client = store.client())
        {
            put(client, 0);
            snapshot(client);
            put(client, RECORDS);
        }
        damage(snapshots(1).get(0));
        final StoredTable.StoredShard found = StoredTable.verify(data()).shards().get(1);
        assertNull(found.problem(), "the server starts nevertheless");
        assertNotNull(found.snapshots().get(0).problem());
        // The second start finds the snapshot set aside.
        for (int i = 0; i < 2; i++)
        {
            try (TestStore store = new TestStore(options()); StoreClient client = store.client())
            {
                check(client, 2 * RECORDS);
            }
            assertEquals(1, snapshots(0).size());
            assertEquals(List.of(), snapshots(1));
        }
        try (TestStore store = new TestStore(options()); StoreClient client = store.client())
        {
            put(client, 2 * RECORDS);
            snapshot(client);
        }
        assertEquals(1, snapshots(1).size());
        try (TestStore store = new TestStore(options()); StoreClient client = store.client())
        {
            check(client, 3 * RECORDS);
        }
    }

    /** A log that begins later, as after a restoration, or ends before the snapshot does, is not the whole state. */
    @Test
    void shouldRefuseADamagedSnapshotThatTheLogDoesNotReplace() throws IOException
    {
        try (TestStore store = new TestStore(options()); StoreClient client = store.client())
        {
            put(client, 0);
            snapshot(client);
            try (OutputStream out = Files.newOutputStream(folder.resolve("backup")))
            {
                client.backup(out, (taken, received, length) -> {});
            }
        }
        StoredBackup.restore(folder.resolve("backup"), folder.resolve("restored"), 0, (bytes) -> {});
        for (final Path path : List.of(data(), folder.resolve("restored")))
        {
            final ServerOptions options = TestStore.options().data(DataOptions.in(path));
            StoreServer.start(options).close();
            damage(SnapshotStore.files(path.resolve("snapshots").resolve("shard-0")).get(0));
            if (path.equals(data()))
            {
                cut(path.resolve("raft"));
            }
            final String refusal =
                assertThrows(ServerException.class, () -> StoreServer.start(options).close()).getMessage();
            assertTrue(refusal.contains("the log does not hold all entries from the first one on"), refusal);
            assertTrue(refusal.contains("snapshots/shard-0") && !refusal.contains("\n"), refusal);
            assertTrue(StoredTable.verify(path).shards().get(0).problem().contains("the log does not hold all"));
        }
    }

    /** Removes all segments. */
    private static void cut(final Path logs) throws IOException
    {
        final List<Path> segments;
        try (Stream<Path> files = Files.walk(logs))
        {
            segments = files.filter((file) -> file.getFileName().toString().startsWith("log_")).toList();
        }
        assertFalse(segments.isEmpty());
        for (final Path segment : segments)
        {
            Files.delete(segment);
        }
    }

    @Test
    void shouldLeaveNoNewDirectoryBehindIfItCannotStart() throws IOException
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final ServerOptions options = options().listenPort(taken.getLocalPort());
            assertThrows(ServerException.class, () -> StoreServer.start(options).close());
            assertFalse(Files.exists(data()));
        }
        try (TestStore store = new TestStore(options()); StoreClient client = store.client())
        {
            put(client, 0);
            final ServerOptions options = TestStore.options()
                .data(DataOptions.in(folder.resolve("other"))).listenPort(store.server().address().getPort());
            assertThrows(ServerException.class, () -> StoreServer.start(options).close());
            assertFalse(Files.exists(folder.resolve("other")));
        }
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final ServerOptions options = options().listenPort(taken.getLocalPort());
            assertThrows(ServerException.class, () -> StoreServer.start(options).close());
        }
        try (TestStore store = new TestStore(options()); StoreClient client = store.client())
        {
            check(client, RECORDS);
        }
    }
}

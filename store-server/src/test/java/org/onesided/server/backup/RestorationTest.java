package org.onesided.server.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.server.data.DirectoryLayout;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.data.TableOnDisk;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestorationTest
{
    @TempDir
    private Path folder;

    private final SampleBackup sample = new SampleBackup();

    private long restore(final Path file, final Path to, final int shards)
    {
        return new Restoration(BackupReader.open(file, (read) -> {}), to, shards, (read) -> {}).run();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7})
    void shouldMakeADirectoryWithAnyNumberOfShards(final int wanted) throws Exception
    {
        final Path file = sample.write(folder, 1_000, true);
        final Path to = folder.resolve("data");
        assertEquals(1_001, restore(file, to, wanted));

        final int shards = wanted == 0 ? SampleBackup.SHARDS : wanted;
        assertEquals(shards, TableOnDisk.shards(to));
        final TableIdentity identity = TableOnDisk.identity(to);
        assertNotEquals(SampleBackup.TABLE, identity.tableId());
        assertEquals(SampleBackup.HASH_SEED, identity.hashSeed());
        assertEquals(SampleBackup.CHECK_SEED, identity.checkSeed());
        final Map<String, byte[]> found = new HashMap<>();
        for (int i = 0; i < shards; i++)
        {
            final List<Path> snapshots = SnapshotStore.files(new DirectoryLayout(to).snapshots(i));
            assertEquals(1, snapshots.size());
            SampleBackup.read(snapshots.get(0), shards, found);
            final SnapshotHeader header = SnapshotReader.verify(snapshots.get(0), (bytes) -> {});
            assertEquals(identity.tableId(), header.tableId());
            // No version may be given twice, and no key's time may begin anew.
            final int former = shards == SampleBackup.SHARDS ? i : 1;
            assertEquals(70 + former, header.versionCounter());
            assertEquals(1_000 + former, header.timeMs());
        }
        sample.assertSame(found);
    }

    @Test
    void shouldDrawAnotherTableEachTime() throws Exception
    {
        final Path file = sample.write(folder, 3, false);
        restore(file, folder.resolve("a"), 0);
        restore(file, folder.resolve("b"), 0);
        final TableIdentity a = TableOnDisk.identity(folder.resolve("a"));
        final TableIdentity b = TableOnDisk.identity(folder.resolve("b"));
        assertNotEquals(a.tableId(), b.tableId());
        assertNotEquals(a.serverLife(), b.serverLife());
        assertNotEquals(a.sessionKey(), b.sessionKey());
    }

    @Test
    void shouldNotTouchADirectoryThatHoldsSomething() throws Exception
    {
        final Path file = sample.write(folder, 3, false);
        final Path table = folder.resolve("table");
        restore(file, table, 0);
        final byte[] before = Files.readAllBytes(table.resolve("table"));
        assertTrue(assertThrows(BackupException.class, () -> restore(file, table, 0)).getMessage()
            .contains("holds a table already"));
        assertArrayEquals(before, Files.readAllBytes(table.resolve("table")));

        final Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("notes"), "mine");
        assertTrue(assertThrows(BackupException.class, () -> restore(file, other, 0)).getMessage()
            .contains("holds something else"));
        assertEquals("mine", Files.readString(other.resolve("notes")));
    }

    @Test
    void shouldLeaveNoTableIfItFails() throws Exception
    {
        final Path file = sample.write(folder, 1_000, true);
        final BackupReader reader = BackupReader.open(file, (read) -> {});
        final byte[] bytes = Files.readAllBytes(file);
        // After it was checked: the disk has damaged it since.
        bytes[bytes.length - 500] ^= 1;
        Files.write(file, bytes);
        final Path to = folder.resolve("data");
        assertThrows(BackupException.class, () -> new Restoration(reader, to, 0, (read) -> {}).run());
        assertFalse(TableOnDisk.isIn(to));

        bytes[bytes.length - 500] ^= 1;
        Files.write(file, bytes);
        assertEquals(1_001, restore(file, to, 0));
    }
}

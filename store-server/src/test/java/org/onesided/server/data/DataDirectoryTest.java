package org.onesided.server.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.server.disk.InPlace;
import org.onesided.server.log.SyncMode;

class DataDirectoryTest
{
    private static final UUID BOOT = new UUID(1, 2);
    private static final UUID OTHER_BOOT = new UUID(1, 3);

    @TempDir
    private Path parent;

    private Path path()
    {
        return parent.resolve("data");
    }

    private DataDirectory open()
    {
        return open(SyncMode.ALWAYS, BOOT);
    }

    private DataDirectory open(final SyncMode sync, final UUID boot)
    {
        return DataDirectory.open(DataOptions.in(path()).sync(sync), 2, null, boot);
    }

    private String refuse()
    {
        final String message = assertThrows(DataDirectoryException.class, this::open).getMessage();
        assertTrue(message.contains(path().toString()), message);
        assertFalse(message.contains("\n"), message);
        return message;
    }

    private Set<String> names() throws IOException
    {
        try (Stream<Path> files = Files.list(path()))
        {
            return files.map((file) -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String permissions(final Path file) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void shouldKeepATablesIdentityOverRestarts() throws IOException
    {
        final TableIdentity identity;
        try (DataDirectory directory = open())
        {
            identity = directory.identity();
            assertTrue(directory.isNew());
            assertTrue(Files.isDirectory(directory.layout().raft()));
            assertTrue(Files.isDirectory(directory.layout().snapshots(1)));
            assertEquals(path().resolve("snapshots/shard-1"), directory.layout().snapshots(1));
        }
        assertEquals(Set.of("lock", "table", "raft", "snapshots"), names());
        assertEquals("rwx------", permissions(path()));
        assertEquals("rwx------", permissions(path().resolve("raft")));
        assertEquals("rw-------", permissions(path().resolve("table")));
        try (DataDirectory directory = open())
        {
            assertEquals(identity, directory.identity());
            assertFalse(directory.isNew());
            assertFalse(directory.isMaybeBehind());
        }
        assertEquals(identity, TableOnDisk.identity(path()));
        assertEquals(2, TableOnDisk.shards(path()));
    }

    @Test
    void shouldTakeAnEmptyDirectoryAndCloseItToOthers() throws IOException
    {
        Files.createDirectories(path());
        Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(path().resolve("lost+found"));
        open().close();
        assertEquals("rwx------", permissions(path()));
    }

    /** What a crash leaves while the directory is made. */
    @Test
    void shouldTakeADirectoryThatWasBegun() throws IOException
    {
        Files.createDirectories(path());
        Files.write(path().resolve("lock"), new byte[0]);
        Files.write(path().resolve("table.tmp"), new byte[7]);
        try (DataDirectory directory = open())
        {
            assertTrue(directory.isNew());
        }
        assertEquals(Set.of("lock", "table", "raft", "snapshots"), names());
    }

    @Test
    void shouldNotTouchAForeignDirectory() throws IOException
    {
        Files.createDirectories(path());
        Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.write(path().resolve("passwd"), new byte[7]);
        assertTrue(refuse().contains("passwd"));
        assertEquals(Set.of("passwd"), names());
        assertEquals("rwxr-xr-x", permissions(path()));
    }

    @Test
    void shouldRefuseAFile() throws IOException
    {
        Files.createDirectories(path().getParent());
        Files.write(path(), new byte[7]);
        refuse();
    }

    @Test
    void shouldRefuseWhereNothingCanBeWritten()
    {
        final DataOptions options = DataOptions.in(Path.of("/proc/onesided-data"));
        assertThrows(DataDirectoryException.class, () -> DataDirectory.open(options, 2));
    }

    /** A misspelled path must not become a tree of directories. */
    @Test
    void shouldMakeOnlyTheDirectoryItself() throws IOException
    {
        final Path missing = parent.resolve("missing");
        final DataOptions options = DataOptions.in(missing.resolve("data"));
        final String message =
            assertThrows(DataDirectoryException.class, () -> DataDirectory.open(options, 2)).getMessage();
        assertTrue(message.contains("missing=" + missing) && !message.contains("\n"), message);
        assertFalse(Files.exists(missing));
        Files.createDirectory(missing);
        DataDirectory.open(options, 2).close();
        assertTrue(Files.isDirectory(missing.resolve("data")));
    }

    @Test
    void shouldRemoveADirectoryThatItMadeForNothing() throws IOException
    {
        try (DataDirectory directory = open())
        {
            Files.write(directory.layout().raft().resolve("log"), new byte[7]);
            directory.discard();
            assertFalse(Files.exists(path()));
        }
        try (DataDirectory directory = open())
        {
            assertTrue(directory.isNew());
        }
        try (DataDirectory directory = open())
        {
            directory.discard();
            assertTrue(Files.exists(path().resolve("table")), "it was there");
        }
        assertThrows(DataDirectoryException.class, () -> DataDirectory.create(
            DataOptions.in(parent.resolve("other")), 2, TableIdentity.draw(), () ->
            {
                throw new IOException("No space left on device");
            }));
        assertFalse(Files.exists(parent.resolve("other")));
    }

    @Test
    void shouldLeaveAnEmptyDirectoryThatWasThere() throws IOException
    {
        Files.createDirectory(path());
        try (DataDirectory directory = open())
        {
            directory.discard();
        }
        assertTrue(Files.isDirectory(path()));
    }

    @Test
    void shouldRefuseADirectoryThatThisProcessUses()
    {
        try (DataDirectory directory = open())
        {
            assertFalse(refuse().isEmpty());
            assertTrue(refuse().contains("in use"), "the first refusal did not end the lock");
            directory.markClean();
        }
        open().close();
    }

    @Test
    void shouldRefuseADirectoryThatAnotherProcessUses() throws Exception
    {
        Files.createDirectories(path());
        final Process other = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--add-exports",
            "java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
            HeldDirectory.class.getName(), path().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader lines = other.inputReader())
        {
            final long tableId = Long.parseLong(lines.readLine());
            assertTrue(refuse().contains("pid=" + other.pid()));
            assertEquals(tableId, TableOnDisk.identity(path()).tableId());
            other.destroyForcibly();
            assertTrue(other.waitFor(1, TimeUnit.MINUTES));
            try (DataDirectory directory = open())
            {
                assertEquals(tableId, directory.identity().tableId());
            }
        }
        finally
        {
            other.destroyForcibly();
        }
    }

    @Test
    void shouldRefuseAnotherNumberOfShards() throws IOException
    {
        open().close();
        final byte[] before = Files.readAllBytes(path().resolve("table"));
        final String message = assertThrows(
            DataDirectoryException.class, () -> DataDirectory.open(DataOptions.in(path()), 3)).getMessage();
        assertTrue(message.contains("--shards 2") && message.contains("wanted=3"), message);
        assertArrayEquals(before, Files.readAllBytes(path().resolve("table")));
        open().close();
    }

    @Test
    void shouldRefuseDamage() throws IOException
    {
        open().close();
        final Path file = path().resolve("table");
        final byte[] bytes = Files.readAllBytes(file);
        for (int bit = 0; bit < bytes.length * 8; bit++)
        {
            final byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte)(1 << bit % 8);
            InPlace.write(file, damaged);
            assertTrue(refuse().contains("damaged"), "bit " + bit);
            assertThrows(DataDirectoryException.class, () -> TableOnDisk.identity(path()));
        }
        for (int length = 0; length < bytes.length; length++)
        {
            InPlace.write(file, Arrays.copyOf(bytes, length));
            assertTrue(refuse().contains("damaged"), "length " + length);
        }
        Files.write(file, Arrays.copyOf(bytes, bytes.length + 8));
        assertTrue(refuse().contains("damaged"));
        Files.write(file, bytes);
        open().close();
    }

    @ParameterizedTest
    @CsvSource({"0", "40"})
    void shouldRefuseANewerFormat(final int more) throws IOException
    {
        open().close();
        final Path file = path().resolve("table");
        final byte[] bytes = Files.readAllBytes(file);
        final ByteBuffer newer = ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + more))
            .order(ByteOrder.LITTLE_ENDIAN);
        newer.putInt(TableFile.FORMAT_OFFSET, TableFile.FORMAT + 1);
        final CRC32C crc = new CRC32C();
        crc.update(newer.array(), 0, TableFile.CRC_OFFSET + more);
        newer.putInt(TableFile.CRC_OFFSET + more, (int)crc.getValue());
        Files.write(file, newer.array());
        assertTrue(refuse().contains("format=" + (TableFile.FORMAT + 1)));
    }

    /** Only where acknowledged writes may be missing. */
    @ParameterizedTest
    @CsvSource({
        "ALWAYS, false, true, false", "ALWAYS, false, false, false", "ALWAYS, true, true, false",
        "INTERVAL, false, true, true", "INTERVAL, false, false, false", "INTERVAL, true, true, false",
        "INTERVAL, true, false, false"})
    void shouldDrawANewLifeIfWritesMayBeLost(
        final SyncMode sync, final boolean isClean, final boolean isOtherBoot, final boolean isNewLife)
    {
        final TableIdentity identity;
        try (DataDirectory directory = open(sync, BOOT))
        {
            identity = directory.identity();
            if (isClean)
            {
                directory.markClean();
            }
        }
        // The mode that matters is that of the last server, not that of this one.
        try (DataDirectory directory = open(SyncMode.ALWAYS, isOtherBoot ? OTHER_BOOT : BOOT))
        {
            assertEquals(isNewLife, directory.isMaybeBehind());
            assertEquals(isNewLife, identity.serverLife() != directory.identity().serverLife());
            assertEquals(identity.tableId(), directory.identity().tableId());
            assertEquals(identity.sessionKey(), directory.identity().sessionKey());
        }
        try (DataDirectory directory = open(SyncMode.INTERVAL, UUID.randomUUID()))
        {
            assertFalse(directory.isMaybeBehind(), "the server before synced each write");
        }
    }

    @Test
    void shouldTakeAnUnknownBootForAnotherOne() throws IOException
    {
        open(SyncMode.INTERVAL, TableFile.NO_BOOT).close();
        try (DataDirectory directory = open(SyncMode.INTERVAL, TableFile.NO_BOOT))
        {
            assertTrue(directory.isMaybeBehind());
        }
        assertEquals(TableFile.NO_BOOT, BootId.read(parent.resolve("none")));
        Files.writeString(parent.resolve("text"), "text");
        assertEquals(TableFile.NO_BOOT, BootId.read(parent.resolve("text")));
        Files.writeString(parent.resolve("boot"), BOOT + "\n");
        assertEquals(BOOT, BootId.read(parent.resolve("boot")));
    }

    @Test
    void shouldDrawANewLifeIfAsked()
    {
        final long life;
        try (DataDirectory directory = open())
        {
            life = directory.identity().serverLife();
            directory.beginNewLife();
            assertNotEquals(life, directory.identity().serverLife());
        }
        try (DataDirectory directory = open())
        {
            assertNotEquals(life, directory.identity().serverLife());
        }
    }

    @Test
    void shouldMakeADirectoryOfAGivenTable()
    {
        final TableIdentity identity = TableIdentity.draw();
        final DataOptions options = DataOptions.in(path());
        try (DataDirectory directory = DataDirectory.create(options, 4, identity, () -> {}))
        {
            assertEquals(identity, directory.identity());
        }
        assertThrows(DataDirectoryException.class, () -> DataDirectory.create(options, 4, identity, () -> {}));
        assertEquals(identity, TableOnDisk.identity(path()));
    }
}

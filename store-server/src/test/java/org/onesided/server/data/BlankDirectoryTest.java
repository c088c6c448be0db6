package org.onesided.server.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlankDirectoryTest
{
    private static final TableIdentity IDENTITY = TableIdentity.draw();
    private static final ClusterDescription CLUSTER =
        ClusterDescription.founding(1, List.of(new ClusterMember(1, "127.0.0.1:1", "127.0.0.1:2")), 1_000);
    private static final ClusterDescription OTHER =
        ClusterDescription.founding(3, List.of(new ClusterMember(3, "127.0.0.1:5", "127.0.0.1:6")), 9);

    @TempDir
    private Path parent;

    private Path path()
    {
        return parent.resolve("data");
    }

    private void form()
    {
        try (BlankDirectory directory = BlankDirectory.open(path()))
        {
            directory.form(IDENTITY, 4, CLUSTER);
        }
    }

    private void assertFormed()
    {
        assertEquals(CLUSTER, ClusterFile.read(path()));
        try (DataDirectory directory = DataDirectory.open(DataOptions.in(path()), 4))
        {
            assertEquals(IDENTITY, directory.identity());
            assertFalse(directory.isNew());
            assertFalse(directory.isMaybeBehind());
        }
        assertEquals(CLUSTER, ClusterFile.read(path()));
    }

    @Test
    void shouldMakeTheTableOfAMember()
    {
        form();
        assertFormed();
    }

    @Test
    void shouldRefuseADirectoryWithATable()
    {
        form();
        final String message = assertThrows(DataDirectoryException.class, this::form).getMessage();
        assertTrue(message.contains("holds a table already"), message);
        assertTrue(message.contains(path().toString()), message);
        assertFormed();
    }

    @Test
    void shouldRefuseAForeignDirectory() throws IOException
    {
        Files.createDirectory(path());
        Files.write(path().resolve("passwd"), new byte[7]);
        assertThrows(DataDirectoryException.class, this::form);
        assertFalse(Files.exists(path().resolve("cluster")));
    }

    @Test
    void shouldKeepOthersOutWhileItWaits()
    {
        try (BlankDirectory waiting = BlankDirectory.open(path()))
        {
            assertThrows(DataDirectoryException.class, this::form);
            assertThrows(DataDirectoryException.class, () -> DataDirectory.open(DataOptions.in(path()), 4));
            waiting.form(IDENTITY, 4, CLUSTER);
            assertThrows(IllegalStateException.class, () -> waiting.form(IDENTITY, 4, CLUSTER));
            assertThrows(DataDirectoryException.class, () -> DataDirectory.open(DataOptions.in(path()), 4));
        }
        assertFormed();
    }

    @Test
    void shouldRemoveADirectoryThatItMadeForNothing() throws IOException
    {
        BlankDirectory.open(path()).close();
        assertFalse(Files.exists(path()));
        Files.createDirectory(path());
        BlankDirectory.open(path()).close();
        assertTrue(Files.exists(path()));
        form();
        assertFormed();
    }

    /** The table is written last: whatever ends the forming before that leaves a blank directory. */
    @Test
    void shouldBeBlankUntilTheTableIsWritten() throws IOException
    {
        Files.createDirectory(path());
        final Path obstacle = path().resolve("table.tmp");
        Files.createDirectory(obstacle);
        Files.createFile(obstacle.resolve("in-the-way"));
        assertThrows(DataDirectoryException.class, this::form);
        assertEquals(CLUSTER, ClusterFile.read(path()));
        assertFalse(TableOnDisk.isIn(path()));

        Files.delete(obstacle.resolve("in-the-way"));
        Files.delete(obstacle);
        form();
        assertFormed();
    }

    @Test
    void shouldWriteNoTableWithoutItsCluster() throws IOException
    {
        Files.createDirectory(path());
        final Path obstacle = path().resolve("cluster.tmp");
        Files.createDirectory(obstacle);
        Files.createFile(obstacle.resolve("in-the-way"));
        assertThrows(DataDirectoryException.class, this::form);
        assertFalse(TableOnDisk.isIn(path()));
    }

    @Test
    void shouldOverwriteWhatACrashLeft() throws IOException
    {
        Files.createDirectory(path());
        ClusterFile.write(path(), OTHER);
        Files.write(path().resolve("cluster.tmp"), new byte[5]);
        Files.write(path().resolve("table.tmp"), new byte[5]);
        form();
        assertFormed();
    }

    @Test
    void shouldNotMakeAnotherTableThatOfAMember() throws IOException
    {
        Files.createDirectory(path());
        ClusterFile.write(path(), OTHER);
        DataDirectory.open(DataOptions.in(path()), 1).close();
        assertNull(ClusterFile.read(path()));
    }
}

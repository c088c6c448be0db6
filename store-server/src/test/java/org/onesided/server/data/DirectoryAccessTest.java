package org.onesided.server.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryAccessTest
{
    @TempDir
    private Path parent;

    private Path path()
    {
        return parent.resolve("data");
    }

    @Test
    void shouldRemoveAllThatBelongsToATable() throws IOException
    {
        final DirectoryLayout layout = new DirectoryLayout(path());
        for (final Path directory : List.of(layout.raft(), layout.snapshots(3), layout.backup()))
        {
            Files.createDirectories(directory);
            Files.write(directory.resolve("file"), new byte[7]);
        }
        for (final String name : List.of("lock", "table", "table.tmp", "cluster", "cluster.tmp"))
        {
            Files.write(path().resolve(name), new byte[7]);
        }
        new DirectoryAccess(path()).remove();
        assertFalse(Files.exists(path()));
    }

    @Test
    void shouldLeaveAloneWhatIsSomebodyElses() throws IOException
    {
        final DirectoryAccess access = new DirectoryAccess(path());
        assertTrue(access.isNew());
        assertTrue(access.tryMake());
        assertFalse(access.tryMake());
        for (final String name : List.of("e", "a", "d", "lock", "b"))
        {
            Files.write(path().resolve(name), new byte[7]);
        }
        final String message = assertThrows(DataDirectoryException.class, access::isNew).getMessage();
        assertTrue(message.endsWith(" holds=a,b,d"), message);
        access.remove();
        assertEquals(7, Files.size(path().resolve("e")));
    }

    @Test
    void shouldTellATableFromNone() throws IOException
    {
        final DirectoryAccess access = new DirectoryAccess(path());
        access.checkNew();
        assertFalse(TableOnDisk.isIn(path()));
        DataDirectory.open(DataOptions.in(path()), 1).close();
        assertTrue(TableOnDisk.isIn(path()));
        final String message = assertThrows(DataDirectoryException.class, access::checkNew).getMessage();
        assertTrue(message.contains("holds a table already"), message);
    }
}

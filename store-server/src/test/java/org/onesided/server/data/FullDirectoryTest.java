package org.onesided.server.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.server.disk.SmallFileSystem;

/** A table's directory on a file system that has no byte left. */
class FullDirectoryTest
{
    private static final int SIZE_MIB = 1;
    private static final int RESERVE_LENGTH = 256 << 10;

    @TempDir
    private Path disk;

    @Test
    void shouldOpenWithTheRoomThatTheLogsHaveKept() throws Exception
    {
        try (SmallFileSystem fileSystem = SmallFileSystem.mount(disk, SIZE_MIB))
        {
            final DataOptions options = DataOptions.in(disk.resolve("data"));
            final TableIdentity identity;
            final Path reserve;
            try (DataDirectory directory = DataDirectory.open(options, 1))
            {
                identity = directory.identity();
                assertFalse(directory.isReserveUsed());
                reserve = directory.layout().raft().resolve("reserve");
            }
            Files.write(reserve, new byte[RESERVE_LENGTH]);
            fileSystem.fill(disk.resolve("filler"));
            try (DataDirectory directory = DataDirectory.open(options, 1))
            {
                assertEquals(identity, directory.identity());
                assertTrue(directory.isReserveUsed());
            }
            // The room is gone now: the next start is refused, and the table is still there.
            fileSystem.fill(disk.resolve("filler2"));
            assertThrows(DataDirectoryException.class, () -> DataDirectory.open(options, 1));
            assertEquals(identity, TableOnDisk.identity(disk.resolve("data")));
        }
    }
}

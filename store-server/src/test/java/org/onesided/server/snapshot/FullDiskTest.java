package org.onesided.server.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.server.disk.SmallFileSystem;

/** Snapshots on a file system that is full. */
class FullDiskTest
{
    private static final int SIZE_MIB = 8;
    private static final int FILLING_LENGTH = 7 << 20;

    @TempDir
    private Path disk;
    private SmallFileSystem fileSystem;

    @BeforeEach
    void mount() throws Exception
    {
        fileSystem = SmallFileSystem.mount(disk, SIZE_MIB);
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
    void shouldLeaveTheSnapshotBeforeAndGoOnWhenThereIsRoom() throws Exception
    {
        final Path directory = disk.resolve("snapshots");
        final SnapshotStore store = new SnapshotStore(directory, SampleSnapshot.TABLE, 1, 4);
        SampleSnapshot.write(store, 5);
        final Path filling = disk.resolve("filling");
        Files.write(filling, new byte[FILLING_LENGTH]);
        final SnapshotWriter writer = store.create(SampleSnapshot.header(9));
        new SampleSnapshot().fill(writer, 1);
        writer.finish();
        assertTrue(writer.await(SampleSnapshot.LONG_MS));
        assertEquals(SnapshotWriter.State.FAILED, writer.state());
        assertTrue(writer.reason().contains("No space left"), writer.reason());
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(SnapshotStore.files(directory), files.toList());
        }
        assertEquals(5, store.newestIndex());
        Files.delete(filling);
        SampleSnapshot.write(store, 9);
        assertEquals(9, store.newestIndex());
        try (SnapshotReader reader = store.openNewest((bytes) -> {}, (index) -> false))
        {
            assertEquals(List.of(1, 5), SampleSnapshot.read(reader).stream()
                .map((entry) -> entry.key() == null ? entry.value().length : entry.key().length).toList());
        }
    }
}

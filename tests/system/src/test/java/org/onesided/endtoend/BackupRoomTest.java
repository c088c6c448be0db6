package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.BackupListener;
import org.onesided.server.StoredBackup;
import org.onesided.server.data.DataOptions;
import org.onesided.verbs.shm.MountedSharedMemory;

/** A backup of a server whose disk has no room for its files. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupRoomTest
{
    private static final BackupListener NOBODY = (taken, received, length) -> {};
    private static final int RECORDS = 40;
    private static final int VALUE_LENGTH = 700_000;
    /** More than the 64 MiB without which the logs take no entries, and less than a backup needs beside those. */
    private static final long LEFT_MIB = 78;

    @TempDir
    private Path folder;

    @Test
    void shouldBeRefusedUntilThereIsRoomAndDisturbNobody() throws IOException
    {
        final Path disk = Files.createDirectory(folder.resolve("disk"));
        final Path data = disk.resolve("data");
        final Path taken = folder.resolve("store.backup");
        // Over tcp, the memory of the store is elsewhere.
        try (MountedSharedMemory mounted = MountedSharedMemory.at(disk, "size=400m"))
        {
            try (TestStore store = new TestStore(
                TestStore.options().device("tcp:127.0.0.1:0").data(DataOptions.in(data)));
                StoreClient client = store.client())
            {
                for (int i = 0; i < RECORDS; i++)
                {
                    client.put(TestStore.bytes("key " + i), TestStore.randomBytes(VALUE_LENGTH, i));
                }
                final FileStore files = Files.getFileStore(disk);
                final long usedMib = files.getTotalSpace() - files.getUsableSpace() >> 20;
                mounted.remount("size=" + (usedMib + LEFT_MIB) + "m");

                final StoreException refusal = assertThrows(StoreException.class, () -> take(client, taken));
                assertTrue(refusal.getMessage().contains("the server's disk has no room for the files of a backup"),
                    refusal.getMessage());
                assertFalse(refusal.getMessage().contains("\n"), refusal.getMessage());
                client.put("key", "value");
                assertEquals("value", client.get("key"));

                mounted.remount("size=400m");
                take(client, taken);
                assertEquals(RECORDS + 1, StoredBackup.verify(taken, (bytes) -> {}).records());
            }
            assertFalse(Files.exists(data.resolve("backup")));
        }
    }

    private static void take(final StoreClient client, final Path file) throws IOException
    {
        try (OutputStream out = Files.newOutputStream(file))
        {
            client.backup(out, NOBODY);
        }
    }
}

package org.onesided.server.disk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFilesTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReplaceAFileAndLeaveNoOther() throws IOException
    {
        final Path file = directory.resolve("file");
        DiskFiles.replace(file, ByteBuffer.wrap(new byte[]{1, 2, 3}));
        DiskFiles.replace(file, ByteBuffer.wrap(new byte[]{4, 5}));
        assertArrayEquals(new byte[]{4, 5}, Files.readAllBytes(file));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertFalse(Files.exists(DiskFiles.temporary(file)));
    }

    @Test
    void shouldKeepTheOldFileIfItCannotBeReplaced() throws IOException
    {
        final Path file = directory.resolve("file");
        DiskFiles.replace(file, ByteBuffer.wrap(new byte[]{1}));
        Files.createDirectory(DiskFiles.temporary(file));
        Files.write(DiskFiles.temporary(file).resolve("in-the-way"), new byte[1]);
        final ByteBuffer bytes = ByteBuffer.wrap(new byte[]{2});
        assertThrows(IOException.class, () -> DiskFiles.replace(file, bytes));
        assertArrayEquals(new byte[]{1}, Files.readAllBytes(file));
        assertTrue(DiskFiles.isTemporary(DiskFiles.temporary(file)));
        assertFalse(DiskFiles.isTemporary(file));
    }

    @Test
    void shouldMakeMissingDirectoriesForTheOwnerOnly() throws IOException
    {
        final Path made = directory.resolve("a").resolve("b");
        DiskFiles.createDirectories(made);
        DiskFiles.createDirectories(made);
        assertEquals(DiskFiles.OWNER_ONLY, Files.getPosixFilePermissions(made));
        assertEquals(DiskFiles.OWNER_ONLY, Files.getPosixFilePermissions(made.getParent()));
    }

    @Test
    void shouldRefuseAFileThatEndsTooEarly() throws IOException
    {
        final Path file = directory.resolve("file");
        Files.write(file, new byte[5]);
        try (FileChannel channel = FileChannel.open(file))
        {
            final ByteBuffer bytes = ByteBuffer.allocate(6);
            assertThrows(EOFException.class, () -> DiskFiles.readAll(channel, bytes));
        }
    }
}

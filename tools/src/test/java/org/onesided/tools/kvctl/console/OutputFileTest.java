package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldAppearWhenComplete() throws IOException
    {
        final Path file = directory.resolve("new.tsv");
        try (OutputFile output = OutputFile.create(file.toString()))
        {
            output.stream().write("all".getBytes(UTF_8));
            assertFalse(Files.exists(file));
            output.complete();
        }

        assertEquals("all", Files.readString(file));
        assertEquals(1, filesLeft());
    }

    @Test
    void shouldLeaveTheOldFileAloneUnlessComplete() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("old.tsv"), "old");
        try (OutputFile output = OutputFile.create(file.toString()))
        {
            output.stream().write("half".getBytes(UTF_8));
        }

        assertEquals("old", Files.readString(file));
        assertEquals(1, filesLeft());
    }

    @Test
    void shouldKeepThePermissionsOfTheFileItReplaces() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("private.tsv"), "a longer old text");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        writeWhole(file, "new");

        assertEquals("new", Files.readString(file));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void shouldReplaceTheFileBehindALink() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("real.tsv"), "old");
        final Path link = Files.createSymbolicLink(directory.resolve("link.tsv"), file);

        writeWhole(link, "new");

        assertTrue(Files.isSymbolicLink(link));
        assertEquals("new", Files.readString(file));
    }

    @Test
    void shouldWriteToADevice() throws IOException
    {
        writeWhole(Path.of("/dev/null"), "gone");

        assertTrue(Files.exists(Path.of("/dev/null")));
    }

    @Test
    void shouldRefuseADirectory()
    {
        assertThrows(IOException.class, () -> OutputFile.create(directory.toString()));
        assertThrows(IOException.class, () -> OutputFile.create(directory.resolve("none/file").toString()));
    }

    private static void writeWhole(final Path file, final String text) throws IOException
    {
        try (OutputFile output = OutputFile.create(file.toString()))
        {
            output.stream().write(text.getBytes(UTF_8));
            output.complete();
        }
    }

    private long filesLeft() throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.count();
        }
    }
}

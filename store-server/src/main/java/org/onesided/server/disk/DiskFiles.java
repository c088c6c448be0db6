package org.onesided.server.disk;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Steps that make files durable. A name is durable only when its directory was forced, and a file only when that was
 * forced: so a file is written under a {@link #temporary} name, forced, renamed, and then its directory is forced.
 * Whatever crashes in between leaves the old file, or the new one whole. Thread-safe.
 */
public final class DiskFiles
{
    /** Permissions of directories that only the server's user may read. */
    public static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY_OF_OWNER =
        PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final FileAttribute<Set<PosixFilePermission>> FILE_OF_OWNER =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final String TEMPORARY = ".tmp";

    private DiskFiles()
    {
    }

    /**
     * @param file to be written.
     * @return the name that it has until it is whole.
     */
    public static Path temporary(final Path file)
    {
        return file.resolveSibling(file.getFileName() + TEMPORARY);
    }

    /**
     * @param file in a directory.
     * @return whether its name is a {@link #temporary} one.
     */
    public static boolean isTemporary(final Path file)
    {
        return file.getFileName().toString().endsWith(TEMPORARY);
    }

    /**
     * Opens a new file for writing, that only the server's user may read. What it held before is lost.
     *
     * @param file to be written.
     * @return its channel.
     * @throws IOException if it cannot be opened.
     */
    public static FileChannel create(final Path file) throws IOException
    {
        return FileChannel.open(file, Set.of(CREATE, TRUNCATE_EXISTING, WRITE), FILE_OF_OWNER);
    }

    /**
     * Opens a file for reading and writing, which is made if it is not there; only the server's user may read it then.
     *
     * @param file to be opened.
     * @return its channel.
     * @throws IOException if it cannot be opened.
     */
    public static FileChannel open(final Path file) throws IOException
    {
        return FileChannel.open(file, Set.of(CREATE, READ, WRITE), FILE_OF_OWNER);
    }

    /**
     * Writes all of a buffer's rest.
     *
     * @param channel of a file.
     * @param bytes   to be written.
     * @throws IOException if not all could be written.
     */
    public static void writeAll(final FileChannel channel, final ByteBuffer bytes) throws IOException
    {
        while (bytes.hasRemaining())
        {
            if (channel.write(bytes) <= 0)
            {
                throw new IOException("nothing was written: left=" + bytes.remaining());
            }
        }
    }

    /**
     * Fills a buffer's rest.
     *
     * @param channel of a file.
     * @param bytes   to be filled.
     * @throws EOFException if the file ends before.
     * @throws IOException  if it cannot be read.
     */
    public static void readAll(final FileChannel channel, final ByteBuffer bytes) throws IOException
    {
        while (bytes.hasRemaining())
        {
            if (channel.read(bytes) < 0)
            {
                throw new EOFException("the file ends too early: missing=" + bytes.remaining());
            }
        }
    }

    /**
     * Gives a file that was written and forced its own name, durably. What had the name before is gone.
     *
     * @param temporary name of the file now.
     * @param file      its name from now on, in the same directory.
     * @throws IOException if that failed: then either of them may be there after a crash.
     */
    public static void publish(final Path temporary, final Path file) throws IOException
    {
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        forceDirectory(directory(file));
    }

    /**
     * Replaces a short file, or makes it, durably and in one step.
     *
     * @param file  to be replaced.
     * @param bytes that it holds then, the buffer's rest.
     * @throws IOException if that failed: then the file holds what it held before, or the new bytes.
     */
    public static void replace(final Path file, final ByteBuffer bytes) throws IOException
    {
        final Path temporary = temporary(file);
        try
        {
            try (FileChannel channel = create(temporary))
            {
                writeAll(channel, bytes);
                channel.force(true);
            }
            publish(temporary, file);
        }
        catch (final IOException e)
        {
            deleteQuietly(temporary, e);
            throw e;
        }
    }

    /**
     * Removes a file because of a failure, which stays the one that is reported.
     *
     * @param file    to be removed, if it is there.
     * @param because failure to which one of removing it is added.
     */
    public static void deleteQuietly(final Path file, final Throwable because)
    {
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException e)
        {
            because.addSuppressed(e);
        }
    }

    /**
     * Removes a file, or a directory with all that is in it. Links are removed, not what they lead to.
     *
     * @param file to be removed, if it is there.
     * @throws IOException if something could not be removed.
     */
    public static void deleteTree(final Path file) throws IOException
    {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
        {
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(file))
            {
                for (final Path each : inside)
                {
                    deleteTree(each);
                }
            }
        }
        Files.deleteIfExists(file);
    }

    /**
     * Makes what was created, renamed and removed in a directory durable.
     *
     * @param directory to be forced.
     * @throws IOException if that failed.
     */
    public static void forceDirectory(final Path directory) throws IOException
    {
        force(directory);
    }

    /**
     * Makes what was written to a file durable, by whomever.
     *
     * @param file to be forced.
     * @throws IOException if that failed.
     */
    public static void force(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, READ))
        {
            channel.force(true);
        }
    }

    /**
     * Makes a directory that only the server's user may enter, and missing ones before it, durably. One that is there
     * stays as it is.
     *
     * @param directory to be made.
     * @throws IOException if that failed.
     */
    public static void createDirectories(final Path directory) throws IOException
    {
        if (Files.isDirectory(directory))
        {
            return;
        }
        final Path parent = directory(directory);
        createDirectories(parent);
        Files.createDirectory(directory, DIRECTORY_OF_OWNER);
        forceDirectory(parent);
    }

    private static Path directory(final Path file)
    {
        return file.toAbsolutePath().getParent();
    }
}

package org.onesided.server.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onesided.server.disk.DiskFiles;

/**
 * Gets hold of a data directory: makes it if it is missing, leaves alone what is somebody else's, and keeps other
 * servers and users out. Not thread-safe.
 */
final class DirectoryAccess
{
    /** Bytes for the directory's own files, with room to spare. */
    private static final long LEAST_ROOM = 64 << 10;
    /** Names of a foreign directory that a message gives. */
    private static final int NAMES = 3;

    private final Path path;
    private final DirectoryLayout layout;

    /**
     * @param path of the directory.
     */
    DirectoryAccess(final Path path)
    {
        this.path = path;
        layout = new DirectoryLayout(path);
    }

    /** Whether the path is missing, or an empty directory. */
    boolean isNew() throws IOException
    {
        if (Files.exists(layout.table()))
        {
            return false;
        }
        if (!Files.exists(path))
        {
            return true;
        }
        if (!Files.isDirectory(path))
        {
            throw new DataDirectoryException("data directory is not a directory: path=" + path);
        }
        final List<String> foreign;
        try (Stream<Path> files = Files.list(path))
        {
            foreign = files.map((file) -> file.getFileName().toString())
                .filter((name) -> !DirectoryLayout.isHarmless(name)).sorted().toList();
        }
        if (!foreign.isEmpty())
        {
            throw new DataDirectoryException("directory holds something else than a table, give an empty or missing " +
                "one: path=" + path + " holds=" + foreign.stream().limit(NAMES).collect(Collectors.joining(",")));
        }
        return true;
    }

    /**
     * @throws DataDirectoryException if it holds a table, or something else.
     */
    void checkNew() throws IOException
    {
        if (!isNew())
        {
            throw new DataDirectoryException(
                "data directory holds a table already, give an empty or missing one: path=" + path);
        }
    }

    /** Makes the directory unless it is there. A misspelled path must not become a tree of new directories. */
    boolean tryMake() throws IOException
    {
        if (Files.exists(path))
        {
            return false;
        }
        final Path parent = path.toAbsolutePath().getParent();
        if (parent != null && !Files.exists(parent))
        {
            throw new DataDirectoryException("data directory cannot be made, the directory that it is to be in is " +
                "missing, make that first: path=" + path + " missing=" + parent);
        }
        DiskFiles.createDirectories(path);
        return true;
    }

    DirectoryLock lock() throws IOException
    {
        if (!Files.isWritable(path))
        {
            throw new DataDirectoryException("data directory is not writable: path=" + path + user());
        }
        return DirectoryLock.take(path, layout.lock());
    }

    void closeToOthers() throws IOException
    {
        final PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (view != null && !view.readAttributes().permissions().equals(DiskFiles.OWNER_ONLY))
        {
            view.setPermissions(DiskFiles.OWNER_ONLY);
        }
    }

    /** On a full disk, a start needs the room that the logs have kept for it. Whether it was taken. */
    boolean tryUseReserve() throws IOException
    {
        return Files.getFileStore(path).getUsableSpace() < LEAST_ROOM && Files.deleteIfExists(layout.reserve());
    }

    /** What was left by a crash while a member was formed must not make another table that of a member. */
    void removeCluster() throws IOException
    {
        if (Files.deleteIfExists(layout.cluster()))
        {
            DiskFiles.forceDirectory(path);
        }
    }

    /** Removes a directory that was made for nothing. Whatever cannot be removed stays, and is that of a new table. */
    void remove()
    {
        try
        {
            for (final Path file : layout.all())
            {
                DiskFiles.deleteTree(file);
            }
            Files.deleteIfExists(path);
        }
        catch (final IOException ignored)
        {
            // The next start takes it.
        }
    }

    DataDirectoryException unusable(final IOException cause)
    {
        return new DataDirectoryException(
            "data directory cannot be used: path=" + path + user() + " cause=" + cause, cause);
    }

    /** For messages: most often the wrong user has started the command. */
    static String user()
    {
        return " user=" + System.getProperty("user.name");
    }
}

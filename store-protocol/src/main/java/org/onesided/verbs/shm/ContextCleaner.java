package org.onesided.verbs.shm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.agrona.UnsafeApi;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.posix.Posix;

/**
 * Removes what contexts of this user left behind whose process is dead. A directory is dead if a shared lock on its
 * control file can be had: only its owner's lock is in the way of that, not another who looks at the same time.
 */
final class ContextCleaner
{
    /**
     * Age at which a directory without a lockable control file counts as left behind; before, it may be in creation or
     * removal.
     */
    private static final long UNFINISHED_MS = 60_000;

    private ContextCleaner()
    {
    }

    static void cleanUp()
    {
        final String prefix = ContextPaths.prefix(Posix.userId());
        final DirectoryStream.Filter<Path> ours = (path) ->
        {
            final String name = path.getFileName().toString();
            return name.startsWith(prefix) || name.startsWith("." + prefix);
        };
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(ContextPaths.base(), ours))
        {
            for (final Path path : paths)
            {
                cleanUp(path);
            }
        }
        catch (final IOException ex)
        {
            // The directory cannot be listed. Then open_device cannot create a context in it, and reports that.
            return;
        }
    }

    /**
     * Removes a directory of files, as far as that can be done.
     */
    static void removeAll(final Path directory)
    {
        final int fd = Posix.openDirectory(directory);
        if (fd < 0)
        {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                final String name = file.getFileName().toString();
                if (!name.equals(FileNames.CONTROL))
                {
                    Posix.unlinkAt(fd, name);
                }
            }
            Posix.unlinkAt(fd, FileNames.CONTROL);
            Files.deleteIfExists(directory);
        }
        catch (final IOException ex)
        {
            // Another process is removing it at the same time, or the next start will.
            return;
        }
        finally
        {
            Posix.close(fd);
        }
    }

    private static void cleanUp(final Path path)
    {
        final int fd = Posix.openDirectory(path);
        if (fd < 0)
        {
            return;
        }
        int control = -1;
        try
        {
            if (!Posix.status(fd).isPrivateDirectory())
            {
                return;
            }
            control = Posix.openAt(fd, FileNames.CONTROL, Posix.O_RDWR);
            final boolean unfinished = path.getFileName().toString().startsWith(".") || control < 0;
            if (unfinished && isYoung(path) || control >= 0 && !Posix.lock(control, Posix.LOCK_SH | Posix.LOCK_NB))
            {
                return;
            }
            if (control >= 0)
            {
                markDead(control);
            }
            removeAll(path);
        }
        finally
        {
            Posix.close(control);
            Posix.close(fd);
        }
    }

    private static void markDead(final int control)
    {
        try (NativeArray word = new NativeArray(Long.BYTES))
        {
            UnsafeApi.putLong(word.range().address(), ControlDescriptor.DEAD);
            if (Posix.status(control).length() >= Long.BYTES)
            {
                Posix.writeAt(control, word.range().address(), Long.BYTES, ControlDescriptor.LIFE_OFFSET);
            }
        }
    }

    private static boolean isYoung(final Path path)
    {
        try
        {
            final FileTime made = Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS);
            return System.currentTimeMillis() - made.toMillis() < UNFINISHED_MS;
        }
        catch (final IOException ex)
        {
            return true;
        }
    }
}

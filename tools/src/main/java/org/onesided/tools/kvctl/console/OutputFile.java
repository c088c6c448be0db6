package org.onesided.tools.kvctl.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that is created or replaced once it is complete. Until then, a temporary file beside it holds the bytes and is
 * deleted if the process ends. Anything but a regular file, such as a device or a named pipe, is written directly.
 */
public final class OutputFile implements AutoCloseable
{
    private final Path target;
    private final Path temporary;
    private final FileChannel channel;
    private final Thread discarder;

    private OutputFile(final Path target, final Path temporary) throws IOException
    {
        this.target = target;
        this.temporary = temporary;
        discarder = new Thread(this::discard, "kvctl-discard");
        if (temporary == null)
        {
            channel = FileChannel.open(target, StandardOpenOption.WRITE);
        }
        else
        {
            channel = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            addDiscarder();
        }
    }

    private void addDiscarder()
    {
        try
        {
            Runtime.getRuntime().addShutdownHook(discarder);
        }
        catch (final IllegalStateException e)
        {
            // The process is ending while its last results are written: closing discards them if that fails.
            return;
        }
    }

    /**
     * Opens the temporary file.
     *
     * @param name of the file.
     * @return the file; the caller closes it.
     * @throws IOException if nothing can be written there.
     */
    public static OutputFile create(final String name) throws IOException
    {
        final Path given = Path.of(name);
        // Replaces the target of a symbolic link, not the link.
        final Path target = Files.exists(given) ? given.toRealPath() : given.toAbsolutePath();
        if (Files.isDirectory(target))
        {
            throw new IOException("it is a directory");
        }
        if (Files.exists(target) && !Files.isRegularFile(target))
        {
            return new OutputFile(target, null);
        }
        return new OutputFile(
            target, target.resolveSibling("." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part"));
    }

    /**
     * Lets nobody but its user read a new file. One that is replaced keeps its permissions.
     *
     * @throws IOException if that fails.
     */
    public void closeToOthers() throws IOException
    {
        if (temporary != null)
        {
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-------"));
        }
    }

    /**
     * The stream to write to.
     *
     * @return a stream that is closed with the file.
     */
    public OutputStream stream()
    {
        return Channels.newOutputStream(channel);
    }

    /**
     * Where the bytes are until they are complete.
     *
     * @return path of the temporary file; null if the bytes go to a device or a pipe.
     */
    public Path temporary()
    {
        return temporary;
    }

    /**
     * Moves the bytes written so far into place, and makes them durable; their name, too, where the file system can.
     *
     * @throws IOException if that fails.
     */
    public void complete() throws IOException
    {
        if (temporary != null)
        {
            channel.force(true);
            if (Files.exists(target))
            {
                Files.setPosixFilePermissions(temporary, Files.getPosixFilePermissions(target));
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            forceName();
        }
    }

    private void forceName()
    {
        try (FileChannel directory = FileChannel.open(target.getParent(), StandardOpenOption.READ))
        {
            directory.force(true);
        }
        catch (final IOException e)
        {
            // Not each file system can do that, and whoever may write a directory need not be able to read it. The file
            // is whole and has its name, so this is no failure: the system decides when the name is safe.
            return;
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
        if (temporary != null)
        {
            Files.deleteIfExists(temporary);
            try
            {
                Runtime.getRuntime().removeShutdownHook(discarder);
            }
            catch (final IllegalStateException e)
            {
                // The process is ending; the hook finds nothing to delete.
                return;
            }
        }
    }

    private void discard()
    {
        try
        {
            Files.deleteIfExists(temporary);
        }
        catch (final IOException e)
        {
            System.err.println("kvctl: cannot delete " + temporary + ": " + FileMessages.reason(e));
        }
    }
}

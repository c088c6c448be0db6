package org.onesided.server.raft.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that says that all logs of a member are there, so that one that is lost is missed. A member without it would
 * begin the log as its founders did, and forget for whom it has voted and what it has acknowledged.
 */
public final class LogsMark
{
    private static final String NAME = "begun";

    private LogsMark()
    {
    }

    /**
     * Marks that all logs are there. On the disk when this returns.
     *
     * @param root directory of all logs.
     * @throws IOException if the file system fails.
     */
    public static void write(final Path root) throws IOException
    {
        try
        {
            Files.createFile(root.resolve(NAME));
            LogFiles.forceDirectory(root);
        }
        catch (final FileAlreadyExistsException e)
        {
            // A former start has made it.
            return;
        }
    }

    /**
     * Checks that a log is there if it was.
     *
     * @param root      directory of all logs.
     * @param directory of the log.
     * @throws LogDamageException if it is lost.
     * @throws IOException        if the file system fails.
     */
    public static void check(final Path root, final Path directory) throws IOException
    {
        if (Files.exists(root.resolve(NAME)) && !Files.isDirectory(directory.resolve(LogFiles.CURRENT)))
        {
            throw new LogDamageException("the log of a partition is lost, and with it what this member has promised " +
                "to others, let this server join with an empty directory: directory=" + directory);
        }
    }
}

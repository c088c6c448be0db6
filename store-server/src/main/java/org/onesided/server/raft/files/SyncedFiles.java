package org.onesided.server.raft.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Changes of files that are on the disk when the call returns.
 */
final class SyncedFiles
{
    private SyncedFiles()
    {
    }

    /** Syncs a file, or the names in a directory. */
    static void force(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            channel.force(true);
        }
    }

    /** Cuts a file. */
    static void cut(final Path file, final long length) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.truncate(length);
            channel.force(true);
        }
    }
}

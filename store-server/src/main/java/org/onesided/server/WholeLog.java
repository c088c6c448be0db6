package org.onesided.server;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;

/**
 * A shard's log, which may have to stand for its snapshots. Nothing of it is purged as long as the shard has fewer than
 * two of them.
 */
final class WholeLog
{
    private final Path directory;

    /**
     * @param directory of the log.
     */
    WholeLog(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * Whether the log is good, and holds all entries from the very first one up to an index. A snapshot contains
     * nothing that was not forced to the log before, so what is missing up to its index has been lost.
     */
    boolean isWholeUpTo(final long index)
    {
        try
        {
            final LogReport report = LogFiles.check(directory, -1, false);
            return report.firstIndex() == 0 && report.lastIndex() >= index;
        }
        catch (final LogDamageException e)
        {
            return false;
        }
        catch (final IOException e)
        {
            throw new ServerException("log cannot be read: path=" + directory + " cause=" + e, e);
        }
    }
}

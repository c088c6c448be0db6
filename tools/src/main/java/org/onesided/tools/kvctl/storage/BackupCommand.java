package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ShardStatistics;
import org.onesided.server.ServerException;
import org.onesided.server.StoredBackup;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.OutputFile;
import org.onesided.tools.kvctl.console.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl backup}.
 */
@Command(
    name = "backup",
    description = "Copy the whole table of a server with --data, or of a cluster, to a file.",
    footer = {
        "",
        "Clients go on meanwhile. Of a server, it is the table of one moment: if a write that was acknowledged " +
            "before another one was begun is missing, then so is the other. The server's disk needs room for a copy " +
            "for a while. The file is created or replaced once it is complete and was read again; with -, only the " +
            "checksum at its end is compared. It holds all keys and values, but no secrets of clients or sessions.",
        "",
        "Of a cluster, it comes from one member, and has all that was acknowledged before the command began, as far " +
            "as the leaders know: a leader that was stopped or cut off, and has not noticed yet that another one " +
            "leads, tells too little. Each partition is as it was at one moment, but not all at the same. It needs a " +
            "FILE.",
        "",
        "Examples:",
        "  kvctl backup store.backup",
        "  kvctl backup - | gzip > store.backup.gz",
    })
public final class BackupCommand extends ClientCommand
{
    static final String STANDARD_STREAM = "-";
    private static final int THOUSAND = 1_000;
    /** A member that hears nothing else hears twice in this time what its leaders have committed. */
    private static final long HEARD_NS = TimeUnit.MILLISECONDS.toNanos(600);
    /** Between two tries at most: each writes a copy of the table. */
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(5);
    /** After this, no other try begins. */
    private static final long TRIES_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int LEAST_TRIES = 2;

    @Parameters(
        paramLabel = "FILE|-",
        description = "File to write, which is replaced if it exists, or - for standard output.")
    private String file;

    @Mixin
    private DoneOption output;

    private String step = "";
    private ProgressBar bar;

    @Override
    protected ExitCode run() throws IOException
    {
        final boolean isStandardOutput = STANDARD_STREAM.equals(file);
        if (isStandardOutput && output.form() != null)
        {
            throw new CommandException(ExitCode.USAGE, "the backup goes to standard output, so no result can: " +
                "leave -o away");
        }
        final long beganNs = System.nanoTime();
        final long bytes;
        final StoredBackup stored;
        try (ConnectedClient connected = connect())
        {
            final List<ShardStatistics> shards = connected.client().statistics();
            if (shards.stream().anyMatch((shard) -> shard.storage() == null))
            {
                throw new CommandException(ExitCode.FAILED, "this server keeps its store in memory only: copy it " +
                    "with kvctl export, or start the server with --data");
            }
            if (connected.client().isCluster())
            {
                if (isStandardOutput)
                {
                    throw needsFile();
                }
                stored = writeOfCluster(connected.client(), shards);
                bytes = stored.bytes();
            }
            else if (isStandardOutput)
            {
                bytes = take(connected.client(), output(), !surroundings().outIsTerminal());
                stored = null;
            }
            else
            {
                stored = write(connected.client(), List.of());
                bytes = stored == null ? 0 : stored.bytes();
            }
        }
        final double seconds = (System.nanoTime() - beganNs) / 1e9;
        if (stored != null && output.form() != null)
        {
            output.print(StoredBackups.figures(stored).add("seconds", seconds), this);
        }
        else if (output.form() != null)
        {
            output.print(new Figures().add("bytes", bytes).add("seconds", seconds), this);
        }
        else
        {
            tell(StoredBackups.summary(stored, bytes, seconds));
        }
        return ExitCode.DONE;
    }

    /** A member may not have heard yet of what was acknowledged last. */
    private StoredBackup writeOfCluster(final StoreClient client, final List<ShardStatistics> atLeaders)
    {
        final List<Long> wanted = atLeaders.stream().map((shard) -> shard.storage().appliedIndex()).toList();
        final long beganNs = System.nanoTime();
        long pauseNs = HEARD_NS;
        int tries = 0;
        while (tries < LEAST_TRIES || System.nanoTime() + pauseNs - beganNs < TRIES_NS)
        {
            LockSupport.parkNanos(pauseNs);
            final StoredBackup stored = write(client, wanted);
            if (stored != null)
            {
                return stored;
            }
            tries++;
            pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        }
        throw new CommandException(ExitCode.NOT_SERVED, "the member that was asked lacks what was acknowledged " +
            "before the command began, nothing was kept; see kvctl cluster status, and try again when all members " +
            "are in sync: attempts=" + tries);
    }

    private static boolean hasAll(final StoredBackup stored, final List<Long> wanted)
    {
        return IntStream.range(0, wanted.size()).allMatch((i) -> stored.indexes().get(i) >= wanted.get(i));
    }

    /**
     * Returns null if the backup went where it cannot be read again, or lacks an entry that is wanted; then it is not
     * kept.
     *
     * @param wanted indexes of entries that it must have; empty for none.
     */
    private StoredBackup write(final StoreClient client, final List<Long> wanted)
    {
        try (OutputFile target = OutputFile.create(file))
        {
            if (target.temporary() == null && !wanted.isEmpty())
            {
                throw needsFile();
            }
            target.closeToOthers();
            take(client, target.stream(), true);
            final Path temporary = target.temporary();
            final StoredBackup stored = temporary == null ? null :
                StoredBackups.during("checking", surroundings(), StoredBackups.size(temporary), 2,
                    (progress) -> StoredBackup.verify(temporary, progress));
            if (stored != null && !hasAll(stored, wanted))
            {
                return null;
            }
            target.complete();
            return stored;
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotWrite(file, e);
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, "backup is no good, nothing was kept: " + e.getMessage(), e);
        }
    }

    private static CommandException needsFile()
    {
        return new CommandException(ExitCode.USAGE, "the backup of a cluster is read again before it counts, so it " +
            "needs a FILE, no standard output and no device");
    }

    private long take(final StoreClient client, final OutputStream to, final boolean isShown) throws IOException
    {
        final CheckedOutput checked = new CheckedOutput(to);
        final long bytes;
        try
        {
            bytes = client.backup(checked, (taken, received, length) -> show(taken, received, length, isShown));
        }
        finally
        {
            endBar();
        }
        if (!checked.isGood())
        {
            throw new CommandException(ExitCode.FAILED, "what has come is damaged, its checksum is wrong: take " +
                "another backup");
        }
        return bytes;
    }

    private void show(final double taken, final long received, final long length, final boolean isShown)
    {
        if (!isShown)
        {
            return;
        }
        final String now = length == 0 ? "server writes" : "receiving MiB";
        if (!now.equals(step))
        {
            endBar();
            step = now;
            bar = progress(now, length == 0 ? THOUSAND : length >> StoredBackups.MIB_BITS);
        }
        bar.step(length == 0 ? (long)(THOUSAND * taken) : received >> StoredBackups.MIB_BITS);
    }

    private void endBar()
    {
        if (bar != null)
        {
            bar.close();
            bar = null;
            step = "";
        }
    }
}

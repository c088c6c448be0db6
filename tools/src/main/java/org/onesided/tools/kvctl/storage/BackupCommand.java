package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.onesided.client.StoreClient;
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
    description = "Copy the whole table of a server with --data to a file, as it is at one moment.",
    footer = {
        "",
        "Clients go on meanwhile. If a write that was acknowledged before another one was begun is missing, then so " +
            "is the other. The server's disk needs room for a copy for a while. The file is created or replaced once " +
            "it is complete and was read again; with -, only the checksum at its end is compared. It holds all keys " +
            "and values, but no secrets of clients or sessions.",
        "",
        "Examples:",
        "  kvctl backup store.backup",
        "  kvctl backup - | gzip > store.backup.gz",
    })
public final class BackupCommand extends ClientCommand
{
    static final String STANDARD_STREAM = "-";
    private static final int THOUSAND = 1_000;

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
        try (ConnectedClient connected =
            connectServer("a backup is that of one server, copy the pairs by kvctl export"))
        {
            if (connected.client().statistics().stream().anyMatch((shard) -> shard.storage() == null))
            {
                throw new CommandException(ExitCode.FAILED, "this server keeps its store in memory only: copy it " +
                    "with kvctl export, or start the server with --data");
            }
            if (isStandardOutput)
            {
                bytes = take(connected.client(), output(), !surroundings().outIsTerminal());
                stored = null;
            }
            else
            {
                stored = write(connected.client());
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

    private StoredBackup write(final StoreClient client)
    {
        try (OutputFile target = OutputFile.create(file))
        {
            target.closeToOthers();
            take(client, target.stream(), true);
            final Path temporary = target.temporary();
            final StoredBackup stored = temporary == null ? null :
                StoredBackups.during("checking", surroundings(), StoredBackups.size(temporary), 2,
                    (progress) -> StoredBackup.verify(temporary, progress));
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
        }
    }
}

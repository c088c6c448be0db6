package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.server.ServerException;
import org.onesided.server.StoredBackup;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl restore}.
 */
@Command(
    name = "restore",
    description = "Make a directory for kvctl server --data from a backup, or check one.",
    footer = {
        "",
        "All of the backup is read and compared with its checksums first. The directory must be missing or empty; if " +
            "the command fails, it holds no table. The new table has the records, versions and times of the backup, " +
            "but an id of its own: clients of the former server notice, and a version that they remember fits no key.",
        "",
        "Examples:",
        "  kvctl restore store.backup --data /var/lib/onesided",
        "  gunzip < store.backup.gz | kvctl restore - --data /var/lib/onesided --shards 4",
    })
public final class RestoreCommand extends KvctlCommand
{
    @Parameters(paramLabel = "FILE|-", description = "The backup, or - for standard input.")
    private String file;

    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Directory to make, missing or empty.")
    private Path directory;

    @Option(
        names = "--shards",
        paramLabel = "COUNT",
        description = "Shards of the new table; default: as many as the backup's.")
    private Integer shards;

    @Option(names = "--verify", description = "Only read the backup and compare all checksums.")
    private boolean isOnlyVerified;

    @Mixin
    private DoneOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        if (isOnlyVerified == (directory != null))
        {
            throw new CommandException(ExitCode.USAGE, "give either --data with the directory to make, or --verify");
        }
        if (shards != null && (isOnlyVerified || shards < 1 || shards > SuperblockDescriptor.MAX_SHARDS))
        {
            throw new CommandException(ExitCode.USAGE, isOnlyVerified ? "--shards is of no use with --verify" :
                "a table has 1 to " + SuperblockDescriptor.MAX_SHARDS + " shards: --shards=" + shards);
        }
        final long beganNs = System.nanoTime();
        final StoredBackup backup = BackupCommand.STANDARD_STREAM.equals(file) ? readStandardInput() :
            read(Path.of(file));
        final double seconds = (System.nanoTime() - beganNs) / 1e9;
        if (output.form() != null)
        {
            output.print(StoredBackups.figures(backup).add("seconds", seconds), this);
        }
        else
        {
            tell(StoredBackups.summary(backup, backup.bytes(), seconds) +
                (isOnlyVerified ? ", all good" : "") + ", of " + Instant.ofEpochMilli(backup.createdMs()));
        }
        return ExitCode.DONE;
    }

    /** What comes only once is kept in a file first: nothing is made of a backup that was not checked. */
    private StoredBackup readStandardInput()
    {
        final Path parent = isOnlyVerified ? Path.of(System.getProperty("java.io.tmpdir")) :
            directory.toAbsolutePath().getParent();
        Path copy = null;
        try
        {
            copy = Files.createTempFile(
                parent == null ? directory.toAbsolutePath() : parent, ".kvctl-restore-", ".part");
            copy.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(copy))
            {
                surroundings().in().transferTo(out);
            }
            return read(copy);
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "backup on standard input cannot be kept in a file while it " +
                "is checked: directory=" + parent + " cause=" + FileMessages.reason(e), e);
        }
        finally
        {
            delete(copy);
        }
    }

    private void delete(final Path copy)
    {
        if (copy != null)
        {
            try
            {
                Files.deleteIfExists(copy);
            }
            catch (final IOException e)
            {
                tell("cannot delete " + copy + ": " + FileMessages.reason(e));
            }
        }
    }

    private StoredBackup read(final Path path)
    {
        try
        {
            final long size = StoredBackups.size(path);
            return isOnlyVerified ?
                StoredBackups.during("checking", surroundings(), size, 2,
                    (progress) -> StoredBackup.verify(path, progress)) :
                StoredBackups.during("restoring", surroundings(), size, 3,
                    (progress) -> StoredBackup.restore(path, directory, shards == null ? 0 : shards, progress));
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, e.getMessage(), e);
        }
    }
}

package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl delete}.
 */
@Command(
    name = "delete",
    description = "Delete keys and their values.",
    footer = {
        "",
        "Absent keys are named on standard error, and the exit code is then 3; the other keys are deleted in any " +
            "case. -o prints each key, and whether it existed. If the key has not the expected version, nothing " +
            "changes, standard error names the one that it has, and the exit code is 5, also if it is absent.",
        "",
        "Examples:",
        "  kvctl delete greeting",
        "  kvctl delete photo-1 photo-2 photo-3",
    })
public final class DeleteCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", arity = "1..*", description = "1 to 4096 bytes each.")
    private List<String> words;

    @Mixin
    private KeyEncodingOption keys;

    @Option(
        names = VersionText.OPTION,
        paramLabel = "VERSION",
        converter = VersionText.class,
        description = "Delete a lone key only if it has this version, as kvctl get --show-version prints it.")
    private Version ifVersion;

    @Mixin
    private DoneOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        // Checks all keys before deleting the first.
        final List<byte[]> checked = new ArrayList<>();
        for (final String word : words)
        {
            checked.add(keys.key(word));
        }
        if (ifVersion != null && checked.size() > 1)
        {
            throw new CommandException(ExitCode.USAGE, "one key only with " + VersionText.OPTION);
        }

        final DeletePrinter printer = new DeletePrinter(output.form(), keys, output());
        ExitCode exitCode = ExitCode.DONE;
        try (ConnectedClient connected = connect();
            ProgressBar progress = progress("removing", checked.size()))
        {
            for (int i = 0; i < checked.size(); i++)
            {
                final boolean isDeleted = delete(connected.client(), checked.get(i));
                printer.print(checked.get(i), isDeleted);
                if (!isDeleted)
                {
                    progress.clear();
                    tell("not found: " + keys.text(checked.get(i)));
                    exitCode = ExitCode.NOT_FOUND;
                }
                progress.step(i + 1);
            }
        }
        finally
        {
            // Prints the deleted keys even if the command failed.
            printer.flush();
        }
        return exitCode;
    }

    private boolean delete(final StoreClient client, final byte[] key)
    {
        if (ifVersion == null)
        {
            return client.delete(key);
        }
        final WriteOutcome outcome = client.deleteIfVersion(key, ifVersion);
        if (!outcome.applied())
        {
            throw UnmetCondition.of("not deleted", keys.text(key), outcome.version(), true);
        }
        return true;
    }
}

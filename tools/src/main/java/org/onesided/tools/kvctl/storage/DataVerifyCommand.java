package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.server.StoredTable;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.WaitNotice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl data verify}.
 */
@Command(
    name = "verify",
    description = "Read all that the directory of a stopped server holds, and compare all checksums; change nothing.",
    footer = {
        "",
        "The exit code is 0 if all files are good, else 1: also for a damaged snapshot, although a server starts " +
            "from the one before it, or from the log alone. What a crash has left torn is good: the next start cuts " +
            "it off.",
        "",
        "Examples:",
        "  kvctl data verify /var/lib/onesided",
        "  kvctl data verify /var/lib/onesided -o json",
    })
final class DataVerifyCommand extends KvctlCommand
{
    @Parameters(paramLabel = "DIR", description = "The directory of kvctl server --data.")
    private Path directory;

    @Mixin
    private OutputOption form;

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        final StoredTable table = WaitNotice.during(
            surroundings(), "reading", () -> StoredTables.read(() -> StoredTable.verify(directory)));
        print(form.text(StoredTables.figures(table), () -> StoredTables.text(table)));
        final String problem = StoredTables.firstProblem(table);
        if (problem != null)
        {
            throw new CommandException(ExitCode.FAILED, problem);
        }
        if (form.or(OutputForm.TABLE) == OutputForm.TABLE)
        {
            print("\nAll files are good.\n");
        }
        return ExitCode.DONE;
    }
}

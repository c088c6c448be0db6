package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.server.StoredTable;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
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
        "The exit code is 0 if a server starts from the directory with all that was acknowledged, else 1. A damaged " +
            "snapshot is told of even if the one before it is good.",
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
        return ExitCode.DONE;
    }
}

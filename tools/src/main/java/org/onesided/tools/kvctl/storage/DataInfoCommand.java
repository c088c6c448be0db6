package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.server.StoredTable;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl data info}.
 */
@Command(
    name = "info",
    description = "Show what the directory of a stopped server holds.",
    footer = {
        "",
        "It reads the logs, and the headers of snapshots; kvctl data verify reads all.",
        "",
        "Examples:",
        "  kvctl data info /var/lib/onesided",
        "  kvctl data info /var/lib/onesided -o json",
    })
final class DataInfoCommand extends KvctlCommand
{
    @Parameters(paramLabel = "DIR", description = "The directory of kvctl server --data.")
    private Path directory;

    @Mixin
    private OutputOption form;

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        final StoredTable table = StoredTables.read(() -> StoredTable.info(directory));
        print(form.text(StoredTables.figures(table), () -> StoredTables.text(table)));
        return ExitCode.DONE;
    }
}

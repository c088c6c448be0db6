package org.onesided.tools.kvctl.storage;

import org.onesided.tools.kvctl.command.CommandGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/**
 * {@code kvctl data}: commands about the directory of a server that does not run.
 */
@Command(
    name = "data",
    description = "Show and check what the directory of kvctl server --data holds.",
    abbreviateSynopsis = true,
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
        DataInfoCommand.class,
        DataVerifyCommand.class,
        HelpCommand.class,
    },
    footer = {
        "",
        "Examples:",
        "  kvctl data info /var/lib/onesided",
        "  kvctl data verify /var/lib/onesided",
    })
public final class DataCommand extends CommandGroup
{
}

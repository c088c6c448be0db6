package org.onesided.tools.kvctl.rdma;

import org.onesided.tools.kvctl.command.CommandGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/**
 * {@code kvctl rdma}: commands about RDMA devices, none of which needs a store.
 */
@Command(
    name = "rdma",
    description = "List, check and try the RDMA devices of this machine.",
    abbreviateSynopsis = true,
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
        RdmaDevicesCommand.class,
        RdmaDoctorCommand.class,
        RdmaPingpongCommand.class,
        RdmaExampleCommand.class,
        RdmaShellCommand.class,
        HelpCommand.class,
    },
    footer = {
        "",
        "Examples:",
        "  kvctl rdma doctor",
        "  kvctl rdma pingpong 192.0.2.7",
    })
public final class RdmaCommand extends CommandGroup
{
}

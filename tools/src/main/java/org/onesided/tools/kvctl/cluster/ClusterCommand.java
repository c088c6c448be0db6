package org.onesided.tools.kvctl.cluster;

import org.onesided.tools.kvctl.command.CommandGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/**
 * {@code kvctl cluster}: commands about several servers that keep one table together.
 */
@Command(
    name = "cluster",
    description = "Form a cluster of servers that wait with --peer-listen, show its state, change its members, and " +
        "move leaders and replicas.",
    abbreviateSynopsis = true,
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
        ClusterCreateCommand.class,
        ClusterStatusCommand.class,
        ClusterTransferCommand.class,
        ClusterRebalanceCommand.class,
        ClusterAddCommand.class,
        ClusterRemoveCommand.class,
        ClusterReplaceCommand.class,
        ClusterRescueCommand.class,
        ClusterMoveCommand.class,
        ClusterDrainCommand.class,
        ClusterDemoCommand.class,
        HelpCommand.class,
    },
    footer = {
        "",
        "Examples:",
        "  kvctl cluster demo",
        "  kvctl cluster create 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003",
    })
public final class ClusterCommand extends CommandGroup
{
}

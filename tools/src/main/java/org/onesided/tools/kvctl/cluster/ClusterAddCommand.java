package org.onesided.tools.kvctl.cluster;

import org.onesided.client.types.ClusterState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster add}.
 */
@Command(
    name = "add",
    description = "Make a blank server a member of a cluster, which gets a copy of all partitions if others have one.",
    footer = {
        "",
        "A server is blank if it runs with --peer-listen and an empty or missing --data. Clients work on meanwhile. " +
            "If the command is cut, repeat it: it goes on where it was. Members of an even number survive no more " +
            "losses than one fewer does. Where partitions are on some members only, the new one keeps none, until " +
            "kvctl cluster rebalance or move gives it some.",
        "",
        "Examples:",
        "  kvctl cluster add --server 127.0.0.1:7001 127.0.0.1:7004",
        "  kvctl cluster add --dry-run --server 127.0.0.1:7001 127.0.0.1:7004",
    })
final class ClusterAddCommand extends MembersCommand
{
    @Parameters(
        paramLabel = "HOST:PORT",
        description = "Where clients connect to the blank server. Clients are told this address.")
    private String server;

    @Override
    String added()
    {
        return server;
    }

    @Override
    ClusterState.Member removed(final ClusterView view)
    {
        return null;
    }
}

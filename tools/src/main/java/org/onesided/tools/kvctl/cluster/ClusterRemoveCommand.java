package org.onesided.tools.kvctl.cluster;

import org.onesided.client.types.ClusterState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster remove}.
 */
@Command(
    name = "remove",
    description = "Remove a member from a cluster, whether it runs or not.",
    footer = {
        "",
        "Partitions that it leads get another leader first. At least two members stay. Where partitions are on some " +
            "members only, a member is removed that keeps none; kvctl cluster drain moves those that it keeps. Its " +
            "number is not given again, so a server that has lost its disk is removed, and comes back by kvctl " +
            "cluster add. If the command is cut, repeat it.",
        "",
        "Examples:",
        "  kvctl cluster remove --server 127.0.0.1:7001 127.0.0.1:7003",
        "  kvctl cluster remove --server 127.0.0.1:7001 3",
    })
final class ClusterRemoveCommand extends MembersCommand
{
    @Parameters(
        paramLabel = "MEMBER",
        description = "Number of the member, or HOST:PORT where clients connect to it.")
    private String member;

    @Override
    String added()
    {
        return null;
    }

    @Override
    ClusterState.Member removed(final ClusterView view)
    {
        return MembersChange.member(view, member);
    }
}

package org.onesided.tools.kvctl.cluster;

import org.onesided.client.types.ClusterState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster replace}.
 */
@Command(
    name = "replace",
    description = "Put a blank server into the place of a member, whether that one runs or not.",
    footer = {
        "",
        "As kvctl cluster add and remove, but for each partition one comes, and then the other leaves. " +
            "The new server needs addresses of its own. If the command is cut, repeat it.",
        "",
        "Examples:",
        "  kvctl cluster replace --server 127.0.0.1:7001 127.0.0.1:7003 127.0.0.1:7004",
        "  kvctl cluster replace --server 127.0.0.1:7001 3 127.0.0.1:7004",
    })
final class ClusterReplaceCommand extends MembersCommand
{
    @Parameters(
        index = "0",
        paramLabel = "MEMBER",
        description = "Number of the member that goes, or HOST:PORT where clients connect to it.")
    private String member;

    @Parameters(
        index = "1",
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
        return MembersChange.member(view, member);
    }
}

package org.onesided.client;

import java.util.List;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.ClusterMap;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.types.ClusterState;

/**
 * Asks a member of a cluster what it knows of that.
 */
final class ClusterInquiry
{
    private static final long NS_PER_MS = 1_000_000;

    private ClusterInquiry()
    {
    }

    /** As {@link StoreClientBuilder#clusterState()}. */
    static @Nullable ClusterState ask(final ClientConfiguration configuration)
    {
        final HostAndPort address = HostAndPort.parse(configuration.server());
        BootstrapConnection connection = null;
        try
        {
            connection = new BootstrapConnection(
                address, configuration.tls(), System.nanoTime() + configuration.deadlineNs(), null);
            final ClusterMap map = connection.askOffer(configuration.token()).cluster();
            return map == null ? null : state(map);
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
        finally
        {
            CloseHelper.quietClose(connection);
        }
    }

    private static ClusterState state(final ClusterMap map)
    {
        final List<ClusterState.Member> members = map.members().entrySet().stream()
            .map((member) -> new ClusterState.Member(member.getKey(), member.getValue().toString())).toList();
        final List<ClusterState.Partition> partitions = map.leaders().stream()
            .map((leader) -> new ClusterState.Partition(leader.term(), leader.member(), leader.isServing())).toList();
        return new ClusterState(map.self(), map.tableId(), map.leaseNs() / NS_PER_MS, members, partitions);
    }
}

package org.onesided.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.ClusterConnection;
import org.onesided.client.bootstrap.ClusterMap;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.bootstrap.MemberStand;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.types.ClusterState;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * Asks a member of a cluster what it knows of that, and what it is to do.
 */
final class ClusterInquiry
{
    private static final long NS_PER_MS = 1_000_000;
    /** A member takes no longer for a transfer, and a little for the way. */
    private static final long TRANSFER_NS = TimeUnit.SECONDS.toNanos(15);

    private ClusterInquiry()
    {
    }

    /** As {@link StoreClientBuilder#clusterState()}. */
    static @Nullable ClusterState ask(final ClientConfiguration configuration)
    {
        final HostAndPort address = HostAndPort.parse(configuration.server());
        final long endNs = System.nanoTime() + configuration.deadlineNs();
        try
        {
            final ClusterMap map;
            try (BootstrapConnection connection = connect(address, configuration, endNs))
            {
                map = connection.askOffer(configuration.token()).cluster();
            }
            if (map == null)
            {
                return null;
            }
            try (ClusterConnection connection = new ClusterConnection(connect(address, configuration, endNs)))
            {
                return state(map, connection.askFollowers(configuration.token(), map.shards()));
            }
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
        catch (final IOException e)
        {
            throw new StoreConnectException(
                "connection cannot be closed", FailureContext.ofServer(address.toString()), e);
        }
    }

    /** As {@link StoreClientBuilder#transferPartition}. */
    static Optional<String> transfer(final ClientConfiguration configuration, final int partition, final long member)
    {
        final HostAndPort address = HostAndPort.parse(configuration.server());
        final long endNs = System.nanoTime() + configuration.deadlineNs();
        try (ClusterConnection connection = new ClusterConnection(connect(address, configuration, endNs)))
        {
            connection.askFollowers(configuration.token(), SuperblockDescriptor.MAX_SHARDS);
            connection.transfer(partition, member, System.nanoTime() + Math.max(
                TRANSFER_NS, configuration.deadlineNs()));
            return Optional.empty();
        }
        catch (final AttachFailedException e)
        {
            if (e.kind() == AttachFailedException.Kind.OPERATION)
            {
                return Optional.of(e.getMessage());
            }
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
        catch (final IOException e)
        {
            throw new StoreConnectException(
                "connection cannot be closed", FailureContext.ofServer(address.toString()), e);
        }
    }

    private static BootstrapConnection connect(
        final HostAndPort address, final ClientConfiguration configuration, final long endNs)
        throws AttachFailedException
    {
        return new BootstrapConnection(address, configuration.tls(), endNs, null);
    }

    private static ClusterState state(final ClusterMap map, final MemberStand stand)
    {
        final List<ClusterState.Member> members = map.members().entrySet().stream()
            .map((member) -> new ClusterState.Member(member.getKey(), member.getValue().toString())).toList();
        final List<ClusterState.Partition> partitions = new ArrayList<>();
        for (int i = 0; i < map.shards(); i++)
        {
            final ClusterMap.Leader leader = map.leaders().get(i);
            partitions.add(new ClusterState.Partition(
                leader.term(), leader.member(), leader.isServing(), stand.kept().contains(i),
                stand.followers().get(i), stand.reigns().get(i)));
        }
        return new ClusterState(
            map.self(), map.tableId(), map.leaseNs() / NS_PER_MS, members, partitions, stand.diskFree(),
            stand.zone().isEmpty() ? null : stand.zone());
    }
}

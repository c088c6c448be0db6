package org.onesided.server.raft.peers;

import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * The settings of Ratis that differ between a group of one and a group of several members.
 */
public final class PeerSettings
{
    private static final int SNAPSHOT_CHUNK = 4 << 20;

    private PeerSettings()
    {
    }

    /**
     * Changes settings for a group of one into those for several members.
     *
     * @param properties to change.
     * @param peers      the members.
     */
    public static void apply(final RaftProperties properties, final Peers peers)
    {
        transport(properties, peers.self());
        elections(properties);
        snapshots(properties);
        // Members that lag a little are served from memory.
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
    }

    /**
     * The objects that Ratis needs besides.
     *
     * @param peers the members.
     * @return who may connect, and the protection of the connections.
     */
    public static Parameters parameters(final Peers peers)
    {
        return PeerPort.parameters(peers);
    }

    private static void transport(final RaftProperties properties, final Peer self)
    {
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
        GrpcConfigKeys.Server.setHost(properties, self.address().getHostString());
        GrpcConfigKeys.Server.setPort(properties, self.address().getPort());
        // By default there are twice as many threads as cores for each.
        GrpcConfigKeys.Server.setWorkerGroupSize(properties, 2);
        GrpcConfigKeys.Server.setBossGroupSize(properties, 1);
        // A chunk of a snapshot is the longest. The default of 64 MiB fills a small heap.
        GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(2 * SNAPSHOT_CHUNK));
    }

    private static void elections(final RaftProperties properties)
    {
        // Others may lead already: a member that starts waits as long as one that hears nothing from its leader.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, milliseconds(500));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, milliseconds(1000));
        // A leader that reaches no majority stops for its clients, too, so that they look elsewhere.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, milliseconds(10_000));
        // Ratis' own lease, which proves nothing to us.
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, false);
        RaftServerConfigKeys.setStagingTimeout(properties, milliseconds(60_000));
    }

    private static void snapshots(final RaftProperties properties)
    {
        // Only a notification otherwise, which never ends in this version of Ratis (RATIS-2500).
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, true);
        // The default of 16 MiB fills a small heap.
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(properties, SizeInBytes.valueOf(SNAPSHOT_CHUNK));
        // Eight times this is how long a snapshot may take.
        GrpcConfigKeys.Server.setInstallSnapshotRequestTimeout(properties, milliseconds(300_000));
    }

    private static TimeDuration milliseconds(final long time)
    {
        return TimeDuration.valueOf(time, TimeUnit.MILLISECONDS);
    }
}

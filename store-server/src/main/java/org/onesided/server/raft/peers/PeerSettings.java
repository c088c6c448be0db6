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
    /**
     * How long a leader sleeps after each failed attempt to send to a member, with how often. By default it is 1 s from
     * the 11th time on, 5 s from the 31st, and no time at all from the 1031st: a member that was down for half a minute
     * would count for no majority for up to 7 s after its return, and one that is down for hours keep a core busy.
     */
    private static final String RETRIES = "1ms,5, 100ms,50, 250ms,2000000000";

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
        // While a follower of Ratis 3.3 writes entries, it takes a longer list with the same beginning for what it
        // is writing: it acknowledges the rest, but never writes it. An acknowledged write could be lost.
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
    }

    /**
     * Changes what the server has read for itself into what its groups are to read, which are added from now on.
     *
     * @param properties to change.
     */
    public static void applyToGroups(final RaftProperties properties)
    {
        // A leader that reaches no majority for a second steps down. By default it asks for no votes for 10 s then, and
        // may be the only one that the others could elect.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, milliseconds(1000));
    }

    /**
     * The objects that Ratis needs besides.
     *
     * @param peers  the members.
     * @param groups of this member.
     * @return who may connect, and the protection of the connections.
     */
    public static Parameters parameters(final Peers peers, final OpenGroups groups)
    {
        return PeerPort.parameters(peers, groups);
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
        // For the server, how long the process may pause without stepping down; groups take another value.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, milliseconds(10_000));
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, RETRIES);
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

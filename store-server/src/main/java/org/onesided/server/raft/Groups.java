package org.onesided.server.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.peers.OpenGroups;
import org.onesided.server.raft.peers.PeerSettings;
import org.onesided.server.raft.peers.Peers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of Ratis, and the names of its groups.
 */
final class Groups implements OpenGroups
{
    private static final RaftPeerId MEMBER = RaftPeerId.valueOf(LogFiles.MEMBER);
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final long OPEN_MINUTES = 30;

    private static final Logger LOGGER = LoggerFactory.getLogger(Groups.class);

    private final RaftServer server;
    /** Null in groups of one. */
    private final Peers peers;
    private volatile boolean isOpen;

    /**
     * @param options       of the logs.
     * @param stateMachines gives a group's state machine when the group is opened.
     * @throws IOException if Ratis does not start.
     */
    Groups(final RaftLogOptions options, final StateMachine.Registry stateMachines) throws IOException
    {
        peers = options.peers();
        final RaftProperties properties = RaftSettings.create(options);
        // Ratis opens all groups that it finds when it is made. We open each after we have looked at its files.
        RaftSettings.directory(properties, options.directory().resolve("none"));
        server = RaftServer.newBuilder()
            .setServerId(self())
            .setStateMachineRegistry(stateMachines)
            .setOption(RaftStorage.StartupOption.RECOVER)
            .setProperties(properties)
            .setParameters(peers == null ? null : PeerSettings.parameters(peers, this))
            .setThreadGroup(new RaftThreads(self().toString()))
            .build();
        RaftSettings.directory(properties, options.directory());
        if (peers != null)
        {
            PeerSettings.applyToGroups(properties);
        }
        server.start();
    }

    RaftServer server()
    {
        return server;
    }

    /** Id of the group of a shard: the same for each start, and different for each table. */
    static RaftGroupId id(final long tableId, final int shard)
    {
        return RaftGroupId.valueOf(new UUID(tableId, tableId * SPREAD + shard));
    }

    private RaftPeerId self()
    {
        return peers == null ? MEMBER : peers.id();
    }

    /** The only member of a group of one. */
    static RaftGroupMemberId member(final RaftGroupId group)
    {
        return RaftGroupMemberId.valueOf(MEMBER, group);
    }

    RaftGroupMemberId self(final RaftGroupId group)
    {
        return RaftGroupMemberId.valueOf(self(), group);
    }

    static Path directory(final Path root, final RaftGroupId group)
    {
        return root.resolve(group.getUuid().toString());
    }

    /** Closes all groups. May wait for long. */
    void close()
    {
        try
        {
            server.close();
        }
        catch (final IOException e)
        {
            LOGGER.warn("logs were not closed in order", e);
        }
    }

    @Override
    public boolean areOpen()
    {
        return isOpen;
    }

    @Override
    public long writtenIndex(final ByteString group)
    {
        try
        {
            return server.getDivision(RaftGroupId.valueOf(group)).getRaftLog().getFlushIndex();
        }
        catch (final IOException e)
        {
            // It is not here, or not any more.
            return RaftLog.INVALID_LOG_INDEX;
        }
    }

    /** Lets other members reach the groups, all of which are open. */
    void admit()
    {
        isOpen = true;
    }

    /**
     * Opens a group and reads its log. It hands entries over, when this returns, but takes part only when admitted.
     *
     * @param shard whose group it is; of no meaning in groups of one.
     */
    void open(final RaftGroupId group, final int shard) throws IOException, InterruptedException
    {
        final RaftGroup members = peers != null ? peers.group(group, shard) :
            RaftGroup.valueOf(group, RaftPeer.newBuilder().setId(MEMBER).build());
        final CompletableFuture<RaftClientReply> added = server.groupManagementAsync(GroupManagementRequest.newAdd(
            ClientId.emptyClientId(), self(), 0, members, false));
        try
        {
            added.get(OPEN_MINUTES, TimeUnit.MINUTES);
        }
        catch (final ExecutionException e)
        {
            throw new IOException("Ratis could not open the log: group=" + group.getUuid() + ", reason=" +
                DiskErrors.reason(e), e);
        }
        catch (final TimeoutException e)
        {
            throw new IOException("Ratis did not open the log in time: group=" + group.getUuid() + ", minutes=" +
                OPEN_MINUTES, e);
        }
    }
}

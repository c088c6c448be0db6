package org.onesided.server.raft;

import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;

/**
 * Transport of a group that has one member: nothing listens, and nothing is ever sent. Ratis makes it by its name.
 */
public final class NoTransport implements RpcType
{
    /**
     * Called by Ratis.
     */
    public NoTransport()
    {
    }

    @Override
    public String name()
    {
        return NoTransport.class.getSimpleName();
    }

    @Override
    public ServerFactory newFactory(final Parameters parameters)
    {
        return new Factory(this);
    }

    private record Factory(NoTransport type) implements ServerFactory
    {
        @Override
        public RpcType getRpcType()
        {
            return type;
        }

        @Override
        public RaftServerRpc newRaftServerRpc(final RaftServer server)
        {
            return new Rpc(type);
        }
    }

    private record Rpc(NoTransport type) implements RaftServerRpc
    {
        @Override
        public RpcType getRpcType()
        {
            return type;
        }

        @Override
        public void start()
        {
        }

        @Override
        public InetSocketAddress getInetSocketAddress()
        {
            // Ratis wants an address to put into the group's description. Nobody connects to it.
            return InetSocketAddress.createUnresolved("localhost", 0);
        }

        @Override
        public void handleException(final RaftPeerId serverId, final Exception e, final boolean reconnect)
        {
        }

        @Override
        public void addRaftPeers(final Collection<RaftPeer> peers)
        {
        }

        @Override
        public RequestVoteReplyProto requestVote(final RequestVoteRequestProto request)
        {
            throw nobody();
        }

        @Override
        public AppendEntriesReplyProto appendEntries(final AppendEntriesRequestProto request)
        {
            throw nobody();
        }

        @Override
        public InstallSnapshotReplyProto installSnapshot(final InstallSnapshotRequestProto request)
        {
            throw nobody();
        }

        @Override
        public StartLeaderElectionReplyProto startLeaderElection(final StartLeaderElectionRequestProto request)
        {
            throw nobody();
        }

        @Override
        public void close()
        {
        }

        private static UnsupportedOperationException nobody()
        {
            return new UnsupportedOperationException("the group has no other member");
        }
    }
}

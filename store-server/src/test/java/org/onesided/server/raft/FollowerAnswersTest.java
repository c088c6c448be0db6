package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.server.cluster.ShardSnapshotFiles;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;
import org.onesided.server.snapshot.SnapshotStore;

/** What a follower says to have, as a leader sees it. The test plays the leader. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FollowerAnswersTest
{
    private static final long TABLE_ID = 77;
    private static final long TERM = 1;
    private static final int ROUNDS = 100;
    private static final int ENTRY_LENGTH = 1000;
    private static final int PATIENCE_S = 60;

    @TempDir
    private Path directory;
    private final BlockingQueue<AppendEntriesReplyProto> replies = new LinkedBlockingQueue<>();
    private final List<Throwable> failures = new ArrayList<>();
    private RaftLogs logs;
    private ManagedChannel channel;
    private StreamObserver<AppendEntriesRequestProto> stream;
    private long callId;

    @BeforeEach
    void setUp() throws Exception
    {
        final List<Peer> peers = new ArrayList<>();
        for (int number = 1; number <= 3; number++)
        {
            peers.add(new Peer(number, new InetSocketAddress("127.0.0.1", FreePorts.take())));
        }
        final SnapshotStore snapshots = new SnapshotStore(directory.resolve("snapshots"), TABLE_ID, 0, 1);
        logs = RaftLogs.open(
            new RaftLogOptions(directory.resolve("raft"), TABLE_ID).reserveBytes(0).peers(
                Peers.founding(1, peers), (shard) -> new ShardSnapshotFiles(snapshots)),
            List.of(LogStart.withoutSnapshot(() -> { })));
        channel = NettyChannelBuilder.forAddress(peers.get(0).address()).usePlaintext().build();
        stream = RaftServerProtocolServiceGrpc.newStub(channel).appendEntries(new StreamObserver<>()
        {
            @Override
            public void onNext(final AppendEntriesReplyProto reply)
            {
                replies.add(reply);
            }

            @Override
            public void onError(final Throwable failure)
            {
                synchronized (failures)
                {
                    failures.add(failure);
                }
            }

            @Override
            public void onCompleted()
            {
            }
        });
    }

    @AfterEach
    void tearDown() throws Exception
    {
        channel.shutdownNow();
        assertTrue(channel.awaitTermination(PATIENCE_S, TimeUnit.SECONDS));
        logs.close();
    }

    /** Sends entries of consecutive indices; none is a heartbeat. Nothing is committed: what is, is refused. */
    private void send(final long first, final int count)
    {
        final AppendEntriesRequestProto.Builder request = AppendEntriesRequestProto.newBuilder()
            .setServerRequest(RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf("2").toByteString())
                .setReplyId(RaftPeerId.valueOf("1").toByteString())
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(Groups.id(TABLE_ID, 0).toByteString()))
                .setCallId(++callId))
            .setLeaderTerm(TERM)
            .setLeaderCommit(RaftLog.INVALID_LOG_INDEX);
        if (first > 0)
        {
            request.setPreviousLog(TermIndexProto.newBuilder().setTerm(TERM).setIndex(first - 1));
        }
        for (long index = first; index < first + count; index++)
        {
            request.addEntries(LogEntryProto.newBuilder().setTerm(TERM).setIndex(index).setStateMachineLogEntry(
                StateMachineLogEntryProto.newBuilder()
                    .setLogData(ByteString.copyFrom(new byte[ENTRY_LENGTH]))
                    .setClientId(ClientId.randomId().toByteString())
                    .setCallId(index)));
        }
        stream.onNext(request.build());
    }

    private AppendEntriesReplyProto await() throws InterruptedException
    {
        final AppendEntriesReplyProto reply = replies.poll(PATIENCE_S, TimeUnit.SECONDS);
        synchronized (failures)
        {
            assertEquals(List.of(), failures);
        }
        assertTrue(reply != null, "there is no answer");
        return reply;
    }

    /** A leader sends entries again when it hears that they are missing, and with them those that came since. */
    @Test
    void shouldHaveWhatItAcknowledgesThoughABeginningOfItIsOnItsWay() throws Exception
    {
        long next = 0;
        for (int i = 0; i < ROUNDS; i++)
        {
            send(next, 2);
            send(next, 3);
            await();
            final AppendEntriesReplyProto second = await();
            assertEquals(AppendResult.SUCCESS, second.getResult());
            assertEquals(next + 2, second.getMatchIndex());
            next += 3;
            send(next, 0);
            assertEquals(AppendResult.SUCCESS, await().getResult(), "acknowledged, but not there: " + (next - 1));
        }
    }
}

package org.onesided.server.raft.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;

class WrittenFirstTest
{
    private static final long NEVER_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final ByteString GROUP = ByteString.copyFromUtf8("a group");

    private final List<String> seen = new ArrayList<>();
    /** What is written by the time of each question; the last one stays. */
    private final List<Long> written = new ArrayList<>();

    private final class Disk implements OpenGroups
    {
        @Override
        public boolean areOpen()
        {
            return true;
        }

        @Override
        public long writtenIndex(final ByteString group)
        {
            assertEquals(GROUP, group);
            final long index = written.size() > 1 ? written.remove(0) : written.get(0);
            seen.add("written " + index);
            return index;
        }
    }

    private WrittenFirst<AppendEntriesRequestProto, AppendEntriesReplyProto> call(final long longestNs)
    {
        return new WrittenFirst<>(
            new RecordedCall<>(RaftServerProtocolServiceGrpc.getAppendEntriesMethod(), seen), new Disk(), longestNs);
    }

    private static AppendEntriesReplyProto reply(final AppendResult result, final long index)
    {
        return AppendEntriesReplyProto.newBuilder()
            .setServerReply(RaftRpcReplyProto.newBuilder()
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(GROUP)))
            .setResult(result).setMatchIndex(index).setIsHearbeat(index < 0).build();
    }

    @Test
    void shouldSendAnAcknowledgementWhenItsEntriesAreWritten()
    {
        written.addAll(List.of(-1L, 6L, 7L, 8L));
        final WrittenFirst<AppendEntriesRequestProto, AppendEntriesReplyProto> call = call(Long.MAX_VALUE);
        call.sendMessage(reply(AppendResult.SUCCESS, 7));
        call.sendMessage(reply(AppendResult.SUCCESS, 8));
        assertEquals(List.of("written -1", "written 6", "written 7", "message", "written 8", "message"), seen);
    }

    @Test
    void shouldSendOtherAnswersAtOnce()
    {
        final WrittenFirst<AppendEntriesRequestProto, AppendEntriesReplyProto> call = call(Long.MAX_VALUE);
        call.sendMessage(reply(AppendResult.INCONSISTENCY, 7));
        call.sendMessage(reply(AppendResult.NOT_LEADER, 7));
        call.sendMessage(reply(AppendResult.SUCCESS, -1));
        call.close(Status.OK, new Metadata());
        assertEquals(List.of("message", "message", "message", "OK"), seen);
    }

    @Test
    void shouldEndTheCallOnceIfEntriesAreNotWritten()
    {
        written.add(6L);
        final WrittenFirst<AppendEntriesRequestProto, AppendEntriesReplyProto> call = call(NEVER_NS);
        call.sendMessage(reply(AppendResult.SUCCESS, 7));
        call.sendMessage(reply(AppendResult.SUCCESS, 6));
        call.close(Status.OK, new Metadata());
        seen.removeIf((line) -> line.equals("written 6"));
        assertEquals(List.of("UNAVAILABLE"), seen);
    }
}

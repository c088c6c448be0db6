package org.onesided.server.raft.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.junit.jupiter.api.Test;

class MembersOnlyTest
{
    private final List<String> seen = new ArrayList<>();
    private boolean isOpen;
    private final MembersOnly gate = new MembersOnly(new OpenGroups()
    {
        @Override
        public boolean areOpen()
        {
            return isOpen;
        }

        @Override
        public long writtenIndex(final ByteString group)
        {
            return -1;
        }
    });

    private <T, R> void call(final MethodDescriptor<T, R> method)
    {
        gate.interceptCall(new RecordedCall<>(method, seen), new Metadata(), (taken, headers) ->
        {
            seen.add("taken");
            return new ServerCall.Listener<>() { };
        });
    }

    @Test
    void shouldLetMembersInWhenAllGroupsAreOpen()
    {
        call(RaftServerProtocolServiceGrpc.getAppendEntriesMethod());
        call(RaftServerProtocolServiceGrpc.getRequestVoteMethod());
        isOpen = true;
        call(RaftServerProtocolServiceGrpc.getAppendEntriesMethod());
        call(RaftServerProtocolServiceGrpc.getRequestVoteMethod());
        assertEquals(List.of("UNAVAILABLE", "UNAVAILABLE", "taken", "taken"), seen);
    }

    @Test
    void shouldRefuseWhatIsForClientsOfRatis()
    {
        call(AdminProtocolServiceGrpc.getGroupManagementMethod());
        isOpen = true;
        call(AdminProtocolServiceGrpc.getGroupManagementMethod());
        assertEquals(List.of("PERMISSION_DENIED", "PERMISSION_DENIED"), seen);
    }
}

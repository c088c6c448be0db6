package org.onesided.server.raft.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;

class MembersOnlyTest
{
    private final List<String> seen = new ArrayList<>();
    private boolean isOpen;
    private final MembersOnly gate = new MembersOnly(() -> isOpen);

    private <T, R> void call(final MethodDescriptor<T, R> method)
    {
        final ServerCall<T, R> call = new ServerCall<>()
        {
            @Override
            public void request(final int count)
            {
                seen.add("request");
            }

            @Override
            public void sendHeaders(final Metadata headers)
            {
                seen.add("headers");
            }

            @Override
            public void sendMessage(final R message)
            {
                seen.add("message");
            }

            @Override
            public void close(final Status status, final Metadata trailers)
            {
                seen.add(status.getCode().toString());
            }

            @Override
            public boolean isCancelled()
            {
                return false;
            }

            @Override
            public MethodDescriptor<T, R> getMethodDescriptor()
            {
                return method;
            }
        };
        gate.interceptCall(call, new Metadata(), (taken, headers) ->
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

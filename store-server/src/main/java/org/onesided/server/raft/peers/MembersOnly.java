package org.onesided.server.raft.peers;

import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Which calls of a connection reach Ratis. Ratis offers at the same port what its own clients use: to write entries,
 * and to change and remove groups. Our clients never come here.
 */
final class MembersOnly implements ServerInterceptor
{
    private final OpenGroups groups;

    /**
     * @param groups of this member. Until they are open, calls of members are refused as if there were no process: a
     *               leader that reaches a group while Ratis opens it makes it a follower a second time, which ends the
     *               start ("previous != null").
     */
    MembersOnly(final OpenGroups groups)
    {
        this.groups = groups;
    }

    @Override
    public <T, R> ServerCall.Listener<T> interceptCall(
        final ServerCall<T, R> call, final Metadata headers, final ServerCallHandler<T, R> next)
    {
        if (!RaftServerProtocolServiceGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName()))
        {
            return refuse(call, Status.PERMISSION_DENIED.withDescription("for members only"));
        }
        if (!groups.areOpen())
        {
            return refuse(call, Status.UNAVAILABLE.withDescription("logs are being opened"));
        }
        return next.startCall(new WrittenFirst<>(call, groups, WrittenFirst.LONGEST_NS), headers);
    }

    private static <T, R> ServerCall.Listener<T> refuse(final ServerCall<T, R> call, final Status why)
    {
        call.close(why, new Metadata());
        return new ServerCall.Listener<>() { };
    }
}

package org.onesided.server.raft.peers;

import java.util.List;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;

/** A call of another member whose connection is a list of what is done with it. */
final class RecordedCall<T, R> extends ServerCall<T, R>
{
    private final MethodDescriptor<T, R> method;
    private final List<String> seen;

    RecordedCall(final MethodDescriptor<T, R> method, final List<String> seen)
    {
        this.method = method;
        this.seen = seen;
    }

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
}

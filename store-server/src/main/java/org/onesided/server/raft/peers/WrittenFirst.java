package org.onesided.server.raft.peers;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Holds an acknowledgement back until its entries are written. Ratis acknowledges entries that a leader sends again on
 * a new connection at once, as it knows them already, although it may not have written them yet.
 */
final class WrittenFirst<T, R> extends SimpleForwardingServerCall<T, R>
{
    /** How long entries may take to be written. The leader sends them again after that. */
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final OpenGroups groups;
    private final long longestNs;
    private boolean isClosed;

    WrittenFirst(final ServerCall<T, R> call, final OpenGroups groups, final long longestNs)
    {
        super(call);
        this.groups = groups;
        this.longestNs = longestNs;
    }

    @Override
    public void sendMessage(final R message)
    {
        if (isClosed)
        {
            return;
        }
        if (message instanceof AppendEntriesReplyProto reply && !awaitWritten(reply))
        {
            close(Status.UNAVAILABLE.withDescription("entries are not written yet"), new Metadata());
            return;
        }
        super.sendMessage(message);
    }

    @Override
    public void close(final Status status, final Metadata trailers)
    {
        if (!isClosed)
        {
            isClosed = true;
            super.close(status, trailers);
        }
    }

    /** Waits until acknowledged entries are written; false if that takes too long, or the call has ended. */
    private boolean awaitWritten(final AppendEntriesReplyProto reply)
    {
        if (reply.getIsHearbeat() || reply.getResult() != AppendResult.SUCCESS)
        {
            return true;
        }
        final long beganNs = System.nanoTime();
        while (groups.writtenIndex(reply.getServerReply().getRaftGroupId().getId()) < reply.getMatchIndex())
        {
            if (System.nanoTime() - beganNs >= longestNs || isCancelled() || Thread.currentThread().isInterrupted())
            {
                return false;
            }
            LockSupport.parkNanos(INTERVAL_NS);
        }
        return true;
    }
}

package org.onesided.verbs.tcp;

import static org.onesided.verbs.SendRequestDescriptor.OPCODE_OFFSET;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.Transport;
import org.onesided.verbs.soft.WorkQueues;

/**
 * A TCP connection between two queue pairs, for the threads that post, poll or wait; {@link QueuePairService} is the
 * progress thread's part. The side that does not listen connects; if both listen, the side with the lesser port, number
 * and secret connects.
 */
final class TcpTransport implements Transport
{
    private final WorkQueues queues;
    private final Link link;
    private final Rendezvous rendezvous;
    private final QueuePairService service;
    private final Runnable readyToClaim;

    /**
     * @param queues   of the queue pair.
     * @param parts    of the context.
     * @param maxReads that the queue pair may have under way at a time.
     */
    TcpTransport(final WorkQueues queues, final SharedParts parts, final int maxReads)
    {
        this.queues = queues;
        readyToClaim = parts.readyToClaim();
        rendezvous = new Rendezvous(parts.progress(), parts.port(), maxReads, queues.number(),
            queues.initAttributes().untrustedPeer());
        link = new Link(queues, rendezvous, parts);
        service = new QueuePairService(queues, link, rendezvous, parts);
    }

    @Override
    public byte[] deviceBytes()
    {
        return rendezvous.deviceBytes().encode();
    }

    @Override
    public String failureReason()
    {
        return link.failureReason();
    }

    /**
     * @return the connection, or null.
     */
    Connection connection()
    {
        return link.connection();
    }

    /**
     * @return the progress thread's part.
     */
    QueuePairService service()
    {
        return service;
    }

    @Override
    public boolean executesAtOnce()
    {
        return false;
    }

    @Override
    public int check(final long request)
    {
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        return opcode == Opcode.SEND || opcode == Opcode.RDMA_READ || opcode == Opcode.RDMA_WRITE ?
            0 : Errno.EOPNOTSUPP;
    }

    @Override
    public int execute(final long request, final long totalLength)
    {
        final boolean reading = UnsafeApi.getInt(request + OPCODE_OFFSET) == Opcode.RDMA_READ;
        if (totalLength > SegmentDescriptor.MAX_MESSAGE_LENGTH)
        {
            return CompletionStatus.LOC_LEN_ERR;
        }
        if (!queues.memory().mayUseFor(request, reading ? Access.LOCAL_WRITE : 0))
        {
            if (link.stream() != null)
            {
                link.stream().requester().abandon();
            }
            return CompletionStatus.LOC_PROT_ERR;
        }
        if (reading && queues.attributes().maxReadAtomic() == 0)
        {
            return CompletionStatus.LOC_QP_OP_ERR;
        }
        if (link.isGone())
        {
            return CompletionStatus.RETRY_EXC_ERR;
        }
        final Connection current = link.connection();
        if (current == null || !current.isEstablished())
        {
            final int status = queues.retryTimer().waitForPeer(queues.attributes(), QueuePairService.LEAST_PATIENCE_NS);
            if (status != BLOCKED)
            {
                link.because(current == null ? rendezvous.describe() : "peer connected, and then said nothing: peer=" +
                    Sockets.peer(current.socket()));
            }
            return status;
        }
        if (reading && current.peerReadDepth() == 0)
        {
            return CompletionStatus.REM_INV_REQ_ERR;
        }
        try
        {
            if (link.stream().requester().issue(request, totalLength, link.readDepth()) == Requester.AGAIN)
            {
                return queues.retryTimer().waitForRoom();
            }
        }
        catch (final VerbsException ex)
        {
            if (!queues.sends().hasIssued())
            {
                // Otherwise the request is retried after those in flight, when memory may be available.
                link.noMemory(ex);
            }
            throw ex;
        }
        current.expect(link.stream().unansweredMessages() == (reading ? 0 : 1));
        return PENDING;
    }

    @Override
    public boolean isDone(final long request)
    {
        return link.stream() == null || link.stream().isDone(request);
    }

    @Override
    public void posted()
    {
        service.push();
    }

    @Override
    public boolean lookForArrivals()
    {
        final Connection current = link.connection();
        return current != null && current.isActive() && current.countPoll();
    }

    @Override
    public boolean lookForArrivalsBeforePosting()
    {
        // Checking costs a system call; the next poll checks anyway.
        return false;
    }

    @Override
    public void receive()
    {
        final Connection current = link.connection();
        if (current != null && (service.isServing() || current.isActive()))
        {
            try
            {
                link.stream().receive();
            }
            catch (final VerbsException ex)
            {
                link.starve(ex);
            }
        }
    }

    @Override
    public boolean isPeerGone()
    {
        return link.isGone();
    }

    @Override
    public Runnable connect(final QueuePairAttributes values)
    {
        rendezvous.begin(values, service);
        link.restart();
        return null;
    }

    @Override
    public Runnable detach(final boolean again)
    {
        final Stream old = link.detach(again);
        if (queues.sharedReceives() instanceof TcpSharedReceiveQueue shared)
        {
            shared.forget(service);
        }
        return old == null ? null : old::close;
    }

    @Override
    public void publish()
    {
        final QueuePairState state = queues.state();
        if (state == QueuePairState.ERR)
        {
            link.endConnection();
        }
        else if (state == QueuePairState.RTR && rendezvous.isPassive())
        {
            readyToClaim.run();
        }
    }

    @Override
    public void publishWakeUps(final int wakeUps)
    {
        // The thread that adds a completion knows which threads to wake.
    }

    @Override
    public void receivesPosted()
    {
        if (link.connection() != null)
        {
            link.stream().receivesPosted();
        }
    }
}

package org.onesided.verbs.shm;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.soft.LocalMemory;
import org.onesided.verbs.soft.RetryTimer;
import org.onesided.verbs.soft.Transport;
import org.onesided.verbs.soft.WorkQueues;

/**
 * Shared memory between two queue pairs. Requests go through the file that both have mapped, and through the peer's
 * memory.
 *
 * <p>Differences from hardware: a dead peer is reported at once, not after the retries; a message longer than the ring
 * waits for a stopped peer without limit.
 */
final class ShmTransport implements Transport
{
    private final WorkQueues queues;
    private volatile Connection connection;
    private RemoteAccess remoteAccess;
    private MessageSender sender;
    private MessageReceiver receiver;
    private final LocalMemory localMemory;
    private final RetryTimer retryTimer;
    private final PostedReceives posted;
    private final Rendezvous rendezvous;

    /**
     * @param queues     of the queue pair.
     * @param rendezvous of the queue pair.
     */
    ShmTransport(final WorkQueues queues, final Rendezvous rendezvous)
    {
        this.queues = queues;
        this.rendezvous = rendezvous;
        localMemory = queues.memory();
        retryTimer = queues.retryTimer();
        posted = new PostedReceives(queues.receives(), localMemory);
        rendezvous.makeFile();
        posted.restart();
    }

    @Override
    public byte[] deviceBytes()
    {
        return rendezvous.deviceBytes().encode();
    }

    /**
     * From any thread.
     *
     * @return whether messages from its peer can still be received.
     */
    boolean isConnected()
    {
        return connection != null;
    }

    /**
     * A peer's process died: wakes threads that wait for this queue pair. From any thread.
     */
    void peerGone(final PeerContext peer)
    {
        final Connection current = connection;
        if (current != null && current.peer() == peer)
        {
            queues.ringChannels();
        }
    }

    @Override
    public int execute(final long request, final long totalLength)
    {
        int status = attempt(request, totalLength);
        if (status == BLOCKED && (connection.pair().own().wakeUps() & WAKE_SEND) == 0)
        {
            // The peer may have acted just before it could see that this side waits.
            connection.pair().own().addWakeUps(WAKE_SEND);
            status = attempt(request, totalLength);
        }
        return status == MessageSender.NO_RECEIVE ?
            retryTimer.waitForReceive(queues.attributes(), connection.pair().peer().rnrTimer()) : status;
    }

    @Override
    public void fetchAhead(final long workRequest)
    {
        if (connection != null && remoteAccess != null)
        {
            remoteAccess.fetchAhead(workRequest);
        }
    }

    @Override
    public boolean lookForArrivals()
    {
        final Connection current = connection;
        return current != null &&
            (current.pair().reader().hasMore() || current.pair().peer().fault() != 0 || current.hasNewClaim());
    }

    @Override
    public void receive()
    {
        if (connection == null || connection.hasNewClaim() && !acceptClaim() || !connection.isClaimed())
        {
            return;
        }
        if (connection.pair().reader().hasMore())
        {
            final MessageReceiver.Outcome outcome = receiver.receive();
            if (outcome != MessageReceiver.Outcome.GOOD)
            {
                queues.fail(outcome == MessageReceiver.Outcome.BROKEN ? AsyncEvent.Type.QP_FATAL : null);
                return;
            }
            receivesPosted();
            connection.wake(0, WAKE_SEND);
        }
        final int fault = connection.pair().peer().fault();
        if (fault != 0)
        {
            queues.fail(fault == PairSideDescriptor.FAULT_ACCESS ?
                AsyncEvent.Type.QP_ACCESS_ERR : AsyncEvent.Type.QP_REQ_ERR);
        }
    }

    @Override
    public boolean isPeerGone()
    {
        return connection != null && connection.isPeerGone();
    }

    @Override
    public Runnable connect(final QueuePairAttributes values)
    {
        return rendezvous.meet(values, this::begin);
    }

    @Override
    public Runnable detach(final boolean again)
    {
        final Connection old = connection;
        final MessageSender oldSender = sender;
        final RemoteAccess oldAccess = remoteAccess;
        final PairFile oldPair = old == null ? rendezvous.ownFile() : old.pair();
        final String oldName = rendezvous.ownFileName();
        if (again)
        {
            rendezvous.makeFile();
            posted.restart();
        }
        connection = null;
        sender = null;
        receiver = null;
        remoteAccess = null;
        oldPair.own().state(PairSideDescriptor.GONE);
        rendezvous.unlink(oldName);
        if (old != null)
        {
            old.wake(0, WAKE_SEND);
            if (queues.sharedReceives() instanceof ShmSharedReceiveQueue shared)
            {
                shared.reclaim();
            }
        }
        return () ->
        {
            if (old != null)
            {
                if (oldSender != null)
                {
                    oldSender.close();
                }
                oldAccess.close();
                rendezvous.part(old);
            }
            oldPair.close();
        };
    }

    @Override
    public void publish()
    {
        final Connection current = connection;
        final PairSide own = current == null ? rendezvous.ownFile().own() : current.pair().own();
        own.attributes(
            queues.attributes().accessFlags(),
            queues.protectionDomain().number(),
            queues.attributes().minRnrTimer(),
            queues.attributes().maxDestinationReadAtomic());
        own.state(queues.state().ordinal());
        if (current != null)
        {
            current.wake(0, WAKE_SEND);
        }
    }

    @Override
    public void publishWakeUps(final int wakeUps)
    {
        final Connection current = connection;
        if (current != null && current.pair().own().wakeUps() != wakeUps)
        {
            current.pair().own().wakeUps(wakeUps);
        }
    }

    @Override
    public void receivesPosted()
    {
        posted.tell(connection == null ? rendezvous.ownFile() : connection.pair());
    }

    private int attempt(final long request, final long totalLength)
    {
        if (totalLength > FrameDescriptor.MAX_MESSAGE_LENGTH)
        {
            return CompletionStatus.LOC_LEN_ERR;
        }
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        final boolean reading = opcode >= Opcode.RDMA_READ;
        if (!localMemory.mayUseFor(request, reading ? Access.LOCAL_WRITE : 0))
        {
            return CompletionStatus.LOC_PROT_ERR;
        }
        if (reading && queues.attributes().maxReadAtomic() == 0)
        {
            return CompletionStatus.LOC_QP_OP_ERR;
        }
        if (opcode == Opcode.RDMA_READ && remoteAccess.readPlainly(request, totalLength))
        {
            return CompletionStatus.SUCCESS;
        }
        if (opcode >= Opcode.ATOMIC_CMP_AND_SWP && totalLength != Long.BYTES)
        {
            return CompletionStatus.LOC_LEN_ERR;
        }
        if (connection.isPeerGone() || connection.isOver())
        {
            return CompletionStatus.RETRY_EXC_ERR;
        }
        if (!connection.isReady())
        {
            return retryTimer.waitForPeer(queues.attributes(), 0);
        }
        return switch (opcode)
        {
            case Opcode.RDMA_READ -> remoteAccess.read(request, totalLength);
            case Opcode.RDMA_WRITE -> remoteAccess.write(request, totalLength);
            case Opcode.RDMA_WRITE_WITH_IMM -> writeWithNotice(request, totalLength);
            case Opcode.SEND, Opcode.SEND_WITH_IMM -> send(request, totalLength);
            default -> remoteAccess.atomic(request, opcode);
        };
    }

    private int send(final long request, final long totalLength)
    {
        final MessageSender messageSender = sender();
        final int status = messageSender == null ? CompletionStatus.RETRY_EXC_ERR :
            messageSender.send(request, totalLength);
        return status == MessageSender.NO_ROOM ? retryTimer.waitForRoom() : status;
    }

    private int writeWithNotice(final long request, final long totalLength)
    {
        final MessageSender messageSender = sender();
        int status = messageSender == null ? CompletionStatus.RETRY_EXC_ERR : messageSender.beginNotice();
        if (status == CompletionStatus.SUCCESS)
        {
            status = remoteAccess.write(request, totalLength);
            if (status == CompletionStatus.SUCCESS)
            {
                messageSender.endNotice(request, totalLength);
            }
        }
        return status == MessageSender.NO_ROOM ? retryTimer.waitForRoom() : status;
    }

    /**
     * @return the sender, which can be made only once the peer's words are there; null if its shared queue is gone.
     */
    private MessageSender sender()
    {
        if (sender == null)
        {
            final PairSide peer = connection.pair().peer();
            PeerSharedQueue shared = null;
            if (peer.sharedQueue() != 0 && !queues.initAttributes().untrustedPeer())
            {
                shared = PeerSharedQueue.open(connection.peer(), peer.sharedQueue(), peer.sharedCapacity(),
                    queues.attributes().destinationQueuePair());
                if (shared == null)
                {
                    return null;
                }
            }
            sender = new MessageSender(connection, shared);
        }
        return sender;
    }

    private boolean acceptClaim()
    {
        if (!connection.acceptClaim())
        {
            queues.fail(AsyncEvent.Type.QP_FATAL);
            return false;
        }
        // The peer may wait for this state, and could not be woken for it before.
        connection.wake(0, WAKE_SEND);
        return true;
    }

    private Runnable begin(final Connection begun)
    {
        rendezvous.tellQueues(begun.pair().own());
        final ShmSharedReceiveQueue shared = (ShmSharedReceiveQueue)queues.sharedReceives();
        receiver = new MessageReceiver(
            queues, begun.pair().reader(), shared == null ? queues.receives() : shared.slots(), shared);
        remoteAccess = new RemoteAccess(begun);
        posted.repeat();
        connection = begun;
        return begun.pair().isHost() ? null : rendezvous.dropFile()::close;
    }
}

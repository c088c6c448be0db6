package org.onesided.verbs.shm;

import static org.onesided.verbs.SendRequestDescriptor.*;

import java.security.SecureRandom;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.soft.ReceiveQueue;
import org.onesided.verbs.soft.SoftCompletionQueue;
import org.onesided.verbs.soft.SoftProtectionDomain;
import org.onesided.verbs.soft.SoftQueuePair;

/**
 * A queue pair over shared memory. Two connected ones share the file that one of them, the host, made: the one that
 * does not trust its peer, else the one with the lesser GID and number.
 *
 * <p>Departures from hardware: a peer that is gone is reported at once and not after the retries; a message longer
 * than the ring waits for a peer that is stopped, for as long as it is.
 */
final class ShmQueuePair extends SoftQueuePair
{
    /** Wake-ups for receives, when the message is solicited or stands for an error. */
    static final int RECEIVES = WAKE_RECEIVE | WAKE_SOLICITED;
    /** Wake-ups for receives, when the message is not solicited. */
    static final int RECEIVES_NOT_SOLICITED = WAKE_RECEIVE;
    /** Told in place of a receive's length: its memory may not be written. */
    static final int UNUSABLE_RECEIVE = Integer.MIN_VALUE;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ShmContext context;
    private volatile DeviceBytes identity;
    /** The file this side made; null once it uses the peer's instead. */
    private PairFile ownFile;
    private volatile Connection connection;
    private MessageSender sender;
    private MessageReceiver receiver;
    private RemoteAccess remoteAccess;
    private long firstReceive;
    private long toldReceives;

    ShmQueuePair(
        final ShmContext context,
        final SoftProtectionDomain domain,
        final QueuePairInitAttributes attributes,
        final int number)
    {
        super(context, domain, attributes, number);
        this.context = context;
        makeFile();
    }

    @Override
    public byte[] deviceBytes()
    {
        return identity.encode();
    }

    /**
     * @return how the length of a receive is told to senders.
     */
    static int receiveLength(final long length, final boolean usable)
    {
        return usable ? (int)Math.min(length, ShmContext.MAX_MESSAGE_LENGTH) : UNUSABLE_RECEIVE;
    }

    /**
     * @return whether messages from its peer can still be received.
     */
    boolean isConnected()
    {
        return connection != null;
    }

    boolean mayReceiveInto(final long elements, final int count)
    {
        return mayUse(elements, count, Access.LOCAL_WRITE);
    }

    void completed(
        final long id,
        final int status,
        final int opcode,
        final int byteLength,
        final int immediate,
        final int flags,
        final boolean solicited)
    {
        completeReceive(id, status, opcode, byteLength, immediate, flags, solicited);
    }

    /**
     * A peer's process died: those who wait for this queue pair must look.
     */
    void peerGone(final PeerContext peer)
    {
        final Connection current = connection;
        if (current != null && current.peer() == peer)
        {
            ringChannels();
        }
    }

    @Override
    protected int execute(final long request, final long totalLength)
    {
        int status = attempt(request, totalLength);
        if (status == BLOCKED && (connection.pair().own().wakeUps() & WAKE_SEND) == 0)
        {
            // The peer may have done what is waited for just before it could see that this side wants to know.
            connection.pair().own().addWakeUps(WAKE_SEND);
            status = attempt(request, totalLength);
        }
        return status == MessageSender.NO_RECEIVE ? waitForReceive(connection.pair().peer().rnrTimer()) : status;
    }

    @Override
    protected void fetchAhead(final long workRequest)
    {
        if (connection != null && remoteAccess != null)
        {
            remoteAccess.fetchAhead(workRequest);
        }
    }

    @Override
    protected boolean hasArrived()
    {
        final Connection current = connection;
        return current != null &&
            (current.pair().reader().hasMore() || current.pair().peer().fault() != 0 || current.hasNewClaim());
    }

    @Override
    protected void receive()
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
                fail(outcome == MessageReceiver.Outcome.BROKEN ? AsyncEvent.Type.QP_FATAL : null);
                return;
            }
            receivesPosted();
            connection.wake(0, WAKE_SEND);
        }
        final int fault = connection.pair().peer().fault();
        if (fault != 0)
        {
            fail(fault == PairSideDescriptor.FAULT_ACCESS ?
                AsyncEvent.Type.QP_ACCESS_ERR : AsyncEvent.Type.QP_REQ_ERR);
        }
    }

    @Override
    protected boolean isPeerGone()
    {
        return connection != null && connection.isPeerGone();
    }

    @Override
    protected Runnable connect(final QueuePairAttributes values)
    {
        final AddressVector path = values.addressVector();
        final Gid gid = path.gid();
        if (gid == null)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, "the address vector has no GID");
        }
        final DeviceBytes peerIdentity = DeviceBytes.decode(path.deviceBytes());
        final int peerNumber = values.destinationQueuePair();
        final boolean untrusting = initAttributes().untrustedPeer();
        if (untrusting && peerIdentity.untrusting())
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                "neither side trusts the other, one must to share memory: dest_qp_num=" + peerNumber);
        }
        if (sharedReceives() != null && peerIdentity.untrusting())
        {
            throw new VerbsException("modify_qp", Errno.EOPNOTSUPP,
                "a peer that does not trust cannot use a shared receive queue: dest_qp_num=" + peerNumber);
        }
        final int order = compare(context.gid(), number(), gid, peerNumber);
        final boolean host = untrusting || !peerIdentity.untrusting() && order <= 0;
        final PeerContext peer = context.join(gid, peerIdentity.userId());
        boolean success = false;
        PairFile claimed = null;
        PeerMemory memory = null;
        try
        {
            memory = peer.isGone() ? new LostPeerMemory() :
                untrusting ? new FilePeerMemory(peer) : new MappedPeerMemory(peer);
            // The claim last: it cannot be taken back.
            final String name = PairFile.name(peerNumber, peerIdentity.generation());
            final int fd = host || peer.isGone() ? -Errno.ENOENT : Posix.openAt(peer.directory(), name, Posix.O_RDWR);
            if (fd < 0 && fd != -Errno.ENOENT)
            {
                throw new VerbsException("modify_qp", -fd, "cannot open the peer's queue pair: file=" + name);
            }
            claimed = fd < 0 ? null : claim(fd, peerIdentity, peerNumber);
            final PairFile pair = claimed != null ? claimed : order == 0 ? ownFile.loopback() : ownFile;
            final Runnable leftOver = begin(new Connection(pair, peer, memory, peerNumber, identity.secret(),
                claimed != null || order == 0, claimed == null && !host));
            success = true;
            return leftOver;
        }
        finally
        {
            if (!success)
            {
                if (memory != null)
                {
                    memory.close();
                }
                if (claimed != null)
                {
                    claimed.close();
                }
                context.leave(peer);
            }
        }
    }

    @Override
    protected Runnable detach(final boolean again)
    {
        final Connection old = connection;
        final PairFile oldFile = ownFile;
        final MessageSender oldSender = sender;
        final RemoteAccess oldAccess = remoteAccess;
        final PairFile oldPair = old == null ? oldFile : old.pair();
        final String oldName = PairFile.name(number(), identity.generation());
        if (again)
        {
            makeFile();
        }
        connection = null;
        sender = null;
        receiver = null;
        remoteAccess = null;
        oldPair.own().state(PairSideDescriptor.GONE);
        context.directory().unlink(oldName);
        if (old != null)
        {
            old.wake(0, WAKE_SEND);
            if (sharedReceives() instanceof ShmSharedReceiveQueue shared)
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
                old.close();
                context.leave(old.peer());
            }
            oldPair.close();
        };
    }

    @Override
    protected void publish()
    {
        final Connection current = connection;
        final PairSide own = current == null ? ownFile.own() : current.pair().own();
        own.attributes(
            attributes().accessFlags(),
            protectionDomain().number(),
            attributes().minRnrTimer(),
            attributes().maxDestinationReadAtomic());
        own.state(currentState().ordinal());
        if (current != null)
        {
            current.wake(0, WAKE_SEND);
        }
    }

    @Override
    protected void publishWakeUps(final int wakeUps)
    {
        final Connection current = connection;
        if (current != null && current.pair().own().wakeUps() != wakeUps)
        {
            current.pair().own().wakeUps(wakeUps);
        }
    }

    @Override
    protected void receivesPosted()
    {
        final ReceiveQueue receives = receives();
        if (receives == null)
        {
            return;
        }
        final PairFile pair = connection == null ? ownFile : connection.pair();
        final long end = Math.min(receives.posted(), receives.consumed() + pair.window());
        if (toldReceives < end)
        {
            for (; toldReceives < end; toldReceives++)
            {
                final boolean usable =
                    mayReceiveInto(receives.elements(toldReceives), receives.elementCount(toldReceives));
                pair.ownReceiveLength(
                    toldReceives - firstReceive, receiveLength(receives.totalLength(toldReceives), usable));
            }
            pair.own().posted(toldReceives - firstReceive);
        }
    }

    private int attempt(final long request, final long totalLength)
    {
        if (totalLength > ShmContext.MAX_MESSAGE_LENGTH)
        {
            return CompletionStatus.LOC_LEN_ERR;
        }
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        final boolean reading = opcode >= Opcode.RDMA_READ;
        if (!mayUseBuffers(request, reading ? Access.LOCAL_WRITE : 0))
        {
            return CompletionStatus.LOC_PROT_ERR;
        }
        if (reading && attributes().maxReadAtomic() == 0)
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
            return waitForPeer();
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
        return status == MessageSender.NO_ROOM ? waitForRoom() : status;
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
        return status == MessageSender.NO_ROOM ? waitForRoom() : status;
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
            if (peer.sharedQueue() != 0 && !initAttributes().untrustedPeer())
            {
                shared = PeerSharedQueue.open(connection.peer(), peer.sharedQueue(), peer.sharedCapacity(),
                    attributes().destinationQueuePair());
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
            fail(AsyncEvent.Type.QP_FATAL);
            return false;
        }
        // The peer waits for a state that it could not be woken for before.
        connection.wake(0, WAKE_SEND);
        return true;
    }

    private PairFile claim(final int fd, final DeviceBytes peer, final int peerNumber)
    {
        try
        {
            return PairFile.claim(
                fd, PairFile.name(peerNumber, peer.generation()), context.gid(), number(), peer.secret());
        }
        finally
        {
            Posix.close(fd);
        }
    }

    private Runnable begin(final Connection begun)
    {
        final ShmSharedReceiveQueue shared = (ShmSharedReceiveQueue)sharedReceives();
        final PairFile dropped = begun.pair().isHost() ? null : ownFile;
        tellQueues(begun.pair().own());
        receiver = new MessageReceiver(
            this, begun.pair().reader(), shared == null ? receives() : shared.slots(), shared);
        remoteAccess = new RemoteAccess(begun);
        if (receives() != null)
        {
            toldReceives = firstReceive;
        }
        connection = begun;
        if (dropped == null)
        {
            return null;
        }
        ownFile = null;
        context.directory().unlink(PairFile.name(number(), identity.generation()));
        return dropped::close;
    }

    private void makeFile()
    {
        final byte[] secret = new byte[PairFile.SECRET_LENGTH];
        RANDOM.nextBytes(secret);
        final DeviceBytes next =
            new DeviceBytes(initAttributes().untrustedPeer(), Posix.userId(), context.nextGeneration(), secret);
        ownFile = PairFile.create(context.directory(), PairFile.name(number(), next.generation()), secret);
        identity = next;
        tellQueues(ownFile.own());
        if (receives() != null)
        {
            // All that were posted before are flushed or forgotten when a file is made.
            firstReceive = receives().posted();
            toldReceives = firstReceive;
        }
    }

    private void tellQueues(final PairSide own)
    {
        final ShmSharedReceiveQueue shared = (ShmSharedReceiveQueue)sharedReceives();
        final int sendChannel = channelNumber(sendCompletions());
        final int receiveChannel = channelNumber(receiveCompletions());
        own.queues(
            sendChannel != 0 ? sendChannel : receiveChannel,
            receiveChannel,
            shared == null ? 0 : shared.number(),
            shared == null ? 0 : shared.capacity());
    }

    private static int channelNumber(final SoftCompletionQueue completionQueue)
    {
        return completionQueue.channel() instanceof ShmCompletionChannel channel ? channel.number() : 0;
    }

    private static int compare(final Gid gid, final int number, final Gid otherGid, final int otherNumber)
    {
        final int high = Long.compareUnsigned(gid.high(), otherGid.high());
        final int low = Long.compareUnsigned(gid.low(), otherGid.low());
        return high != 0 ? high : low != 0 ? low : Integer.compare(number, otherNumber);
    }
}

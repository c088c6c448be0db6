package org.onesided.verbs.tcp;

import static org.onesided.verbs.SendRequestDescriptor.*;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.SoftMemoryRegion;
import org.onesided.verbs.soft.SoftProtectionDomain;
import org.onesided.verbs.soft.Timers;

/**
 * A queue pair over a TCP connection. The side that does not listen connects to the one that does; if both listen, the
 * one with the lesser port, number and secret.
 */
final class TcpQueuePair extends ConnectedQueuePair
{
    /** Where a request in the send queue says which READ's end it waits for. */
    static final int DEVICE_WORD = DEVICE_WORD_OFFSET;

    /**
     * However soon the attributes give up: a lost SYN is sent again only after 1 and after 3 seconds, and a machine
     * with too much to do must not be taken for one that is gone.
     */
    private static final long LEAST_PATIENCE_NS = TimeUnit.SECONDS.toNanos(4);

    /**
     * A peer whose frame is unfinished for so long is cut off, unless the attributes leave it longer: the slowest
     * network that counts, see {@link Silence}, brings the longest frame in half a second, and where packets are lost,
     * they are sent again several times within this.
     */
    private static final long FRAME_PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final Rendezvous rendezvous;
    private boolean serving;
    /** Guarded by the progress thread's queue. */
    private boolean queued;

    TcpQueuePair(
        final TcpContext context,
        final SoftProtectionDomain domain,
        final QueuePairInitAttributes attributes,
        final int number)
    {
        super(context, domain, attributes, number);
        rendezvous = new Rendezvous(context, this, attributes.untrustedPeer());
    }

    @Override
    public byte[] deviceBytes()
    {
        return rendezvous.deviceBytes().encode();
    }

    Progress progress()
    {
        return context.progress();
    }

    boolean isQueued()
    {
        return queued;
    }

    void queued(final boolean value)
    {
        queued = value;
    }

    boolean hasMoreToSend()
    {
        final Stream current = stream;
        return current != null && current.hasMoreToSend();
    }

    boolean mayUseBuffers(final long elements, final int count, final int access)
    {
        return mayUse(elements, count, access);
    }

    void received(final long id, final int status, final int byteLength, final boolean solicited)
    {
        completeReceive(id, status, CompletionOpcode.RECV, byteLength, 0, 0, solicited);
    }

    /**
     * Looks whether the peer may do something to this side's memory.
     *
     * @return what is wrong with it, or null.
     */
    Fault findFault(
        final int key, final long address, final long length, final int access, final Fault ofKey, final Fault ofRange)
    {
        final SoftMemoryRegion region = region(key);
        return region == null ? ofKey :
            region.protectionDomain() != protectionDomain() ?
                ofKey == Fault.WRITE_KEY ? Fault.WRITE_DOMAIN : Fault.READ_DOMAIN :
            (region.access() & attributes().accessFlags() & access) == 0 ? Fault.ACCESS :
            region.range().contains(address - region.range().address(), length) ? null : ofRange;
    }

    /**
     * @return the oldest WRITE under way that touches an address, or 0.
     */
    long findWrite(final int key, final long address)
    {
        return findIssued((request) -> UnsafeApi.getInt(request + OPCODE_OFFSET) == Opcode.RDMA_WRITE &&
            UnsafeApi.getInt(request + REMOTE_KEY_OFFSET) == key &&
            Long.compareUnsigned(address - UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET),
                messageLength(request)) <= 0);
    }

    /**
     * Looks after a connection; for the progress thread.
     */
    void serve(final Connection served)
    {
        boolean more = false;
        boolean over = true;
        lock().acquire();
        try
        {
            if (!isClosed() && connection == served)
            {
                serving = true;
                makeProgress();
                over = connection != served;
                more = !over && stream.hasMoreNow();
            }
        }
        catch (final RuntimeException ex)
        {
            // Unforeseen; it must not end the thread that all others need.
            over = true;
            lostPeer("error unforeseen, " + ex);
        }
        finally
        {
            serving = false;
            lock().release();
        }
        if (!over)
        {
            served.updateInterest();
            if (more)
            {
                progress().attend(this);
            }
        }
    }

    /**
     * Looks whether the peer finishes the frame that it has begun, and gives a sign of what it was sent, and ends the
     * connection if it has had its time; for the progress thread.
     *
     * @param passedNs since the last call, in nanoseconds.
     */
    void watch(final Connection watched, final long passedNs)
    {
        lock().acquire();
        try
        {
            final long limitNs = Timers.answerNs(attributes().timeout(), attributes().retryCount());
            if (isClosed() || connection != watched || hasEndedUnfinished(watched, passedNs, limitNs) ||
                !watched.isEstablished() || limitNs == Timers.FOR_EVER_NS)
            {
                return;
            }
            if (!stream.isUnanswered(passedNs, Math.max(LEAST_PATIENCE_NS, limitNs), readDepth()))
            {
                posted();
                return;
            }
            makeProgress();
            if (connection == watched && !watched.silence().hasEnded())
            {
                context.counters().unanswered();
                watched.abandon();
                lostPeer(
                    "peer gave no sign for " + TimeUnit.NANOSECONDS.toSeconds(watched.silence().passedNs()) + " s");
                failOldest(CompletionStatus.RETRY_EXC_ERR, null);
            }
        }
        catch (final VerbsException ex)
        {
            // Of asking the peer.
            starve(ex);
        }
        catch (final RuntimeException ex)
        {
            // Unforeseen; it must not end the thread that all others need.
            lostPeer("error unforeseen, " + ex);
        }
        finally
        {
            lock().release();
        }
    }

    /**
     * Does what somebody asked the progress thread for.
     */
    void attend()
    {
        final Connection current = connection;
        if (current != null)
        {
            serve(current);
        }
    }

    /**
     * The connection that this side asked for is there, or not.
     *
     * @param asked        by whom.
     * @param socket       of the connection.
     * @param key          of the socket with the progress thread's selector, or null if the connection failed.
     * @param peerDepth    READs that the peer answers at a time.
     * @return whether the queue pair takes it.
     */
    boolean connected(
        final Initiator asked, final SocketChannel socket, final SelectionKey key, final int peerDepth)
    {
        lock().acquire();
        try
        {
            if (isClosed() || !rendezvous.end(asked))
            {
                return false;
            }
            if (key == null)
            {
                lost(asked.describe());
                makeProgress();
                return false;
            }
            begin(new Connection(this, socket, key, context.stagingPool(), true, peerDepth));
            key.attach(connection);
            stream.sendFirst();
            progress().attendance().add(connection);
            progress().silences().add(connection);
            connection.enter(sendCompletions().channel(), receiveCompletions().channel());
            makeProgress();
            return true;
        }
        catch (final VerbsException ex)
        {
            // No memory to begin with. What has no connection of its own is the caller's to close.
            final boolean taken = connection != null;
            noMemory(ex);
            lost(ex.getMessage());
            makeProgress();
            return taken;
        }
        finally
        {
            lock().release();
        }
    }

    /**
     * A peer asks for this queue pair.
     *
     * @param start  its request.
     * @param socket it came on.
     * @param key    of the socket with the progress thread's selector.
     * @return what becomes of it.
     */
    Claim.Outcome claim(final MpaStart start, final SocketChannel socket, final SelectionKey key)
    {
        lock().acquire();
        try
        {
            if (isClosed())
            {
                return Claim.Outcome.GONE;
            }
            if (!rendezvous.hasSecret(start))
            {
                return Claim.Outcome.WRONG_SECRET;
            }
            final QueuePairState state = currentState();
            if (state == QueuePairState.RESET || state == QueuePairState.INIT)
            {
                return Claim.Outcome.WAITING;
            }
            if (!rendezvous.isPassive() || connection != null || gone || state == QueuePairState.ERR ||
                attributes().destinationQueuePair() != start.initiator())
            {
                return Claim.Outcome.UNWANTED;
            }
            if (!rendezvous.accept(start, socket, attributes().maxDestinationReadAtomic()))
            {
                return Claim.Outcome.LOST;
            }
            begin(new Connection(this, socket, key, context.stagingPool(), false, start.ird()));
            key.attach(connection);
            connection.updateInterest();
            progress().silences().add(connection);
            return Claim.Outcome.ACCEPTED;
        }
        catch (final IOException ex)
        {
            return Claim.Outcome.LOST;
        }
        finally
        {
            lock().release();
        }
    }

    @Override
    protected boolean executesAtOnce()
    {
        return false;
    }

    @Override
    protected int check(final long request)
    {
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        return opcode == Opcode.SEND || opcode == Opcode.RDMA_READ || opcode == Opcode.RDMA_WRITE ?
            0 : Errno.EOPNOTSUPP;
    }

    @Override
    protected int execute(final long request, final long totalLength)
    {
        final boolean reading = UnsafeApi.getInt(request + OPCODE_OFFSET) == Opcode.RDMA_READ;
        if (totalLength > TcpContext.MAX_MESSAGE_LENGTH)
        {
            return CompletionStatus.LOC_LEN_ERR;
        }
        if (!mayUseBuffers(request, reading ? Access.LOCAL_WRITE : 0))
        {
            if (stream != null)
            {
                stream.requester().abandon();
            }
            return CompletionStatus.LOC_PROT_ERR;
        }
        if (reading && attributes().maxReadAtomic() == 0)
        {
            return CompletionStatus.LOC_QP_OP_ERR;
        }
        if (gone)
        {
            return CompletionStatus.RETRY_EXC_ERR;
        }
        final Connection current = connection;
        if (current == null || !current.isEstablished())
        {
            final int status = waitForPeer(LEAST_PATIENCE_NS);
            if (status != BLOCKED)
            {
                because(current == null ? rendezvous.describe() : "peer connected, and then said nothing: peer=" +
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
            if (stream.requester().issue(request, totalLength, readDepth()) == Requester.AGAIN)
            {
                return waitForRoom();
            }
        }
        catch (final VerbsException ex)
        {
            if (!hasIssued())
            {
                // Otherwise it is tried again once those under way are done, and may have what it takes by then.
                noMemory(ex);
            }
            throw ex;
        }
        current.expect();
        return PENDING;
    }

    @Override
    protected boolean isDone(final long request)
    {
        return stream == null || stream.isDone(request);
    }

    @Override
    protected void posted()
    {
        final Connection current = connection;
        if (current == null || !current.isEstablished())
        {
            return;
        }
        try
        {
            stream.requester().acknowledge(readDepth());
        }
        catch (final VerbsException ex)
        {
            starve(ex);
            return;
        }
        if (!current.out().isEmpty())
        {
            current.flush();
        }
        if (current.wantsWrite())
        {
            if (!current.isActive() || current.isUnattended())
            {
                if (!serving)
                {
                    progress().attend(this);
                }
            }
            else if (current.isSleptOn())
            {
                ringChannels();
            }
        }
    }

    @Override
    protected boolean hasArrived()
    {
        final Connection current = connection;
        return current != null && current.isActive() && current.isDue();
    }

    @Override
    protected boolean hasArrivedBeforePosting()
    {
        // Looking costs a system call; whoever polls next will see.
        return false;
    }

    @Override
    protected void receive()
    {
        final Connection current = connection;
        if (current != null && (serving || current.isActive()))
        {
            try
            {
                stream.receive();
            }
            catch (final VerbsException ex)
            {
                starve(ex);
            }
        }
    }

    @Override
    protected boolean isPeerGone()
    {
        return gone;
    }

    @Override
    protected Runnable connect(final QueuePairAttributes values)
    {
        rendezvous.begin(values);
        gone = false;
        return null;
    }

    @Override
    protected Runnable detach(final boolean again)
    {
        final Stream old = stream;
        endConnection();
        stream = null;
        gone = false;
        rendezvous.forget(again);
        if (again)
        {
            forgetReason();
        }
        if (sharedReceives() instanceof TcpSharedReceiveQueue shared)
        {
            shared.forget(this);
        }
        return old == null ? null : old::close;
    }

    @Override
    protected void publish()
    {
        final QueuePairState state = currentState();
        if (state == QueuePairState.ERR)
        {
            endConnection();
        }
        else if (state == QueuePairState.RTR && rendezvous.isPassive())
        {
            progress().claimsMayGoOn();
        }
    }

    @Override
    protected void publishWakeUps(final int wakeUps)
    {
        // Whoever adds a completion knows what it is to wake.
    }

    @Override
    protected void receivesPosted()
    {
        if (connection != null)
        {
            stream.receivesPosted();
        }
    }

    @Override
    String describeConnecting()
    {
        return rendezvous.isConnecting() ? rendezvous.describe() : null;
    }

    @Override
    void stopConnecting()
    {
        rendezvous.cancel();
    }

    /** Even a peer that has for ever to answer has not for a frame: what came of it is kept all the time. */
    private boolean hasEndedUnfinished(final Connection watched, final long passedNs, final long limitNs)
    {
        final long longestNs =
            limitNs == Timers.FOR_EVER_NS ? FRAME_PATIENCE_NS : Math.max(FRAME_PATIENCE_NS, limitNs);
        if (!stream.isUnfinished(passedNs, longestNs))
        {
            return false;
        }
        // The rest may be there already.
        serving = true;
        try
        {
            makeProgress();
        }
        finally
        {
            serving = false;
        }
        if (connection == watched && watched.in().isStillUnfinished())
        {
            terminate(Fault.FRAME_UNFINISHED, 0, 0);
        }
        return connection != watched;
    }

    private int readDepth()
    {
        return Math.min(attributes().maxReadAtomic(), connection.peerReadDepth());
    }

    private void begin(final Connection begun)
    {
        stream = new Stream(this, begun, attributes().maxDestinationReadAtomic(), new MessageReceiver(
            this, receives(), (TcpSharedReceiveQueue)sharedReceives()));
        connection = begun;
    }
}

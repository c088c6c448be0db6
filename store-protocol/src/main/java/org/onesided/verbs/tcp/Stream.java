package org.onesided.verbs.tcp;

import static org.onesided.verbs.tcp.SegmentDescriptor.*;

import java.io.IOException;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.SendRequestDescriptor;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.MemoryCopy;
import org.onesided.verbs.soft.SendQueue;
import org.onesided.verbs.soft.WorkQueues;

/**
 * The protocol over a connection: takes frames in, checks each before use, and passes it to the requester, responder or
 * receiver. The queue pair's lock guards it.
 */
final class Stream implements AutoCloseable
{
    private final WorkQueues queues;
    private final PeerRights rights;
    private final StreamEnd end;
    private final Connection connection;
    private final Requester requester;
    private final Responder responder;
    private final MessageReceiver messages;
    private boolean filled;
    /** Address of the WRITE that the peer refused, or 0. */
    private long refused;

    /**
     * @param queues   of the queue pair.
     * @param depth    READs of the peer that may wait for their answers.
     * @param messages takes the peer's SENDs.
     * @param end      ends the connection.
     */
    Stream(
        final WorkQueues queues,
        final Connection connection,
        final int depth,
        final MessageReceiver messages,
        final StreamEnd end)
    {
        this.queues = queues;
        this.end = end;
        this.connection = connection;
        this.messages = messages;
        requester = new Requester(queues.memory(), connection);
        rights = new PeerRights(queues);
        responder = new Responder(rights, connection, depth, end);
    }

    Requester requester()
    {
        return requester;
    }

    boolean hasMoreToSend()
    {
        return responder.hasWork() || requester.isInside();
    }

    /**
     * @return whether there is more to do without waiting for the socket.
     */
    boolean hasMoreNow()
    {
        return filled || hasMoreToSend() && connection.out().isEmpty();
    }

    /**
     * @return how many more messages have been sent than received, where each is answered by one.
     */
    int unansweredMessages()
    {
        return requester.sentMessages() - messages.receivedMessages();
    }

    boolean isDone(final long request)
    {
        return requester.isDone(request) || refused != 0 && request != refused &&
            UnsafeApi.getInt(request + SendRequestDescriptor.OPCODE_OFFSET) != Opcode.RDMA_READ;
    }

    /**
     * Sends an RDMA WRITE of length 0, which shows the peer that this side is alive.
     */
    void sendFirst()
    {
        tagged(connection.out().begin(), WRITE, true, 0, 0);
        connection.out().end(TAGGED_LENGTH);
        connection.flush();
    }

    /**
     * Reads once, processes the received frames, and answers requests.
     */
    void receive()
    {
        connection.looked();
        filled = false;
        final int count;
        try
        {
            count = connection.in().fill(connection.socket());
        }
        catch (final IOException ex)
        {
            end.lostPeer("connection lost, " + Sockets.text(ex));
            return;
        }
        if (count < 0)
        {
            end.lostPeer("peer closed the connection");
            return;
        }
        filled = connection.in().wasFilled();
        if (count > 0)
        {
            if (!takeFrames())
            {
                return;
            }
            connection.heard(requester.hasReads() || !connection.out().isEmpty());
        }
        if (messages.hasEarly() && !takeEarly())
        {
            return;
        }
        responder.answer();
    }

    /**
     * Counts the time for which the peer has given no sign, and asks it for one when that is due.
     *
     * @param passedNs since the last call.
     * @param limitNs  that the peer has.
     * @param depth    READs that may be under way.
     * @return whether the peer's time is up.
     */
    boolean countSilence(final long passedNs, final long limitNs, final int depth)
    {
        final int verdict = connection.silence().pass(
            passedNs, requester.hasReads() || !connection.out().isEmpty(), limitNs, connection.out().staged());
        if (verdict == Silence.ASK)
        {
            requester.ask(depth);
        }
        return verdict == Silence.OVER;
    }

    /**
     * Counts the time for which the peer has not finished a frame.
     *
     * @param passedNs since the last call.
     * @param limitNs  that it may take.
     * @return whether it has taken longer.
     */
    boolean countUnfinished(final long passedNs, final long limitNs)
    {
        return connection.in().unfinishedNs(passedNs) >= limitNs;
    }

    void receivesPosted()
    {
        if (messages.hasEarly())
        {
            takeEarly();
        }
    }

    /**
     * Puts a TERMINATE behind all that is in the stream, if there is room and memory.
     */
    void terminate(final Fault fault, final long segment, final int length)
    {
        if (connection.isEstablished() &&
            connection.makeRoom(UNTAGGED_LENGTH + TerminateDescriptor.MAX_LENGTH))
        {
            final long message;
            try
            {
                message = connection.out().begin();
            }
            catch (final VerbsException ex)
            {
                // The connection ends anyway, and the peer's fault is the cause, not this failure.
                return;
            }
            untagged(message, TERMINATE, true, TERMINATE_QUEUE, 1, 0);
            connection.out().end(UNTAGGED_LENGTH +
                TerminateDescriptor.encode(message + UNTAGGED_LENGTH, fault, segment, length));
        }
    }

    /**
     * The connection ends: what is in the stream goes out if it can.
     */
    void end()
    {
        connection.flush();
        messages.abandon();
    }

    /**
     * Frees the memory; nothing may go on any more.
     */
    @Override
    public void close()
    {
        responder.close();
        messages.close();
    }

    /** Whether the connection still exists. */
    private boolean takeFrames()
    {
        final FrameReader in = connection.in();
        int length = in.next();
        while (length >= 0)
        {
            final long segment = in.ulpdu();
            if (!take(segment, length) || !end.isAlive())
            {
                return false;
            }
            in.consume(length);
            length = in.next();
        }
        if (length == FrameReader.BAD_CRC)
        {
            end.terminate(Fault.CRC, 0, 0);
            return false;
        }
        in.release();
        return true;
    }

    private boolean takeEarly()
    {
        final Fault fault = messages.takeEarly();
        // The completion of this request may have overrun its queue, which ended the connection before.
        if (fault != null && end.isAlive())
        {
            end.terminate(fault, 0, 0);
        }
        return fault == null && end.isAlive();
    }

    private boolean take(final long segment, final int length)
    {
        connection.establish();
        if (length < TAGGED_LENGTH || length < headerLength(segment))
        {
            end.terminate(Fault.FRAME_LENGTH, 0, 0);
            return false;
        }
        final int payload = length - headerLength(segment);
        Fault fault = versionFault(segment);
        if (fault == null)
        {
            fault = isTagged(segment) ? takeTagged(segment, length, payload) : takeUntagged(segment, length, payload);
        }
        if (fault != null && end.isAlive())
        {
            answerBeforeEnd();
            if (end.isAlive())
            {
                end.terminate(fault, segment, length);
            }
        }
        return fault == null && end.isAlive();
    }

    /** Answers earlier requests first, if there is memory for them. */
    private void answerBeforeEnd()
    {
        try
        {
            responder.answer();
        }
        catch (final VerbsException ex)
        {
            // The end of the connection tells the peer that it gets no answer.
        }
    }

    private static Fault versionFault(final long segment)
    {
        return ddpVersion(segment) != DDP_VERSION ?
            isTagged(segment) ? Fault.TAGGED_VERSION : Fault.UNTAGGED_VERSION :
            rdmapVersion(segment) != RDMAP_VERSION ? Fault.RDMAP_VERSION : null;
    }

    private Fault takeTagged(final long segment, final int length, final int payload)
    {
        final int opcode = opcode(segment);
        if (opcode == READ_RESPONSE)
        {
            final Fault fault = requester.response(segment, payload);
            if (fault == Fault.CATASTROPHIC)
            {
                end.failPlacing(segment, length);
            }
            return fault;
        }
        return opcode == WRITE ? write(segment, payload) : Fault.OPCODE;
    }

    private Fault write(final long segment, final int payload)
    {
        if (payload == 0)
        {
            return null;
        }
        final long address = Wire.getLong(segment + TAGGED_OFFSET_OFFSET);
        final Fault fault = rights.findFault(Wire.getInt(segment + STAG_OFFSET), address, payload,
            Access.REMOTE_WRITE, Fault.WRITE_KEY, Fault.WRITE_RANGE);
        if (fault == null)
        {
            MemoryCopy.write(segment + TAGGED_LENGTH, address, payload);
        }
        return fault;
    }

    private Fault takeUntagged(final long segment, final int length, final int payload)
    {
        final int opcode = opcode(segment);
        final int queue = Wire.getInt(segment + QUEUE_OFFSET);
        if (queue < SEND_QUEUE || queue > TERMINATE_QUEUE)
        {
            return Fault.QUEUE;
        }
        if ((opcode == SegmentDescriptor.SEND || opcode == SEND_SOLICITED) && queue == SEND_QUEUE)
        {
            return messages.segment(segment, payload);
        }
        if (opcode == READ_REQUEST && queue == READ_QUEUE)
        {
            return responder.request(segment, length);
        }
        if (opcode == TERMINATE && queue == TERMINATE_QUEUE)
        {
            terminated(segment + UNTAGGED_LENGTH, payload);
            return null;
        }
        return Fault.OPCODE;
    }

    private void terminated(final long payload, final int length)
    {
        if (length < Integer.BYTES)
        {
            end.terminatedMutely();
            return;
        }
        final long header = TerminateDescriptor.header(payload, length);
        if (header != 0 && isTagged(header))
        {
            refused = findWrite(
                Wire.getInt(header + STAG_OFFSET), Wire.getLong(header + TAGGED_OFFSET_OFFSET));
        }
        final boolean aboutRequest = refused != 0 || requester.hasReads() &&
            (header == 0 || !isTagged(header) && opcode(header) == READ_REQUEST);
        end.terminated(aboutRequest, Wire.getInt(payload));
    }

    /** Returns the oldest WRITE under way that touches an address, or 0. */
    private long findWrite(final int key, final long address)
    {
        return queues.sends().findIssued((request) ->
            UnsafeApi.getInt(request + SendRequestDescriptor.OPCODE_OFFSET) == Opcode.RDMA_WRITE &&
            UnsafeApi.getInt(request + SendRequestDescriptor.REMOTE_KEY_OFFSET) == key &&
            Long.compareUnsigned(address - UnsafeApi.getLong(request + SendRequestDescriptor.REMOTE_ADDRESS_OFFSET),
                SendQueue.totalLength(request)) <= 0);
    }
}

package org.onesided.verbs.shm;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.soft.Transport;

/**
 * Puts messages into the ring to the peer: SENDs, and notices of WRITEs with immediate. It knows the lengths of the
 * peer's receives before it sends the first byte.
 */
final class MessageSender
{
    /** Result: the peer has no receive. */
    static final int NO_RECEIVE = -2;
    /** Result: the ring is full. */
    static final int NO_ROOM = -3;

    /** Minimum length of a piece of a message, unless the rest or the ring is shorter. */
    private static final int MIN_PIECE_LENGTH = 1024;
    private static final int NONE = -1;
    /** Wake-ups for a message that is solicited, incomplete or an error. */
    private static final int RECEIVES = Transport.WAKE_RECEIVE | Transport.WAKE_SOLICITED;

    private final Connection connection;
    private final RingWriter writer;
    private final PeerSharedQueue sharedQueue;
    private long messages;
    private boolean begun;
    private int slot;
    private long sent;
    /** Ring position at the last wake-up of the peer for a full ring. */
    private long fullAt = NONE;

    /**
     * @param sharedQueue the peer's shared receive queue, or null if it has receives of its own.
     */
    MessageSender(final Connection connection, final PeerSharedQueue sharedQueue)
    {
        this.connection = connection;
        this.sharedQueue = sharedQueue;
        writer = connection.pair().writer();
    }

    /**
     * @return whether a message is on its way, and its buffers were checked.
     */
    boolean hasBegun()
    {
        return begun;
    }

    /**
     * Sends a message, or its next part.
     *
     * @return a completion status, {@link #NO_RECEIVE} or {@link #NO_ROOM}.
     */
    int send(final long request, final long totalLength)
    {
        if (!begun)
        {
            final int status = begin(totalLength, false);
            if (status != CompletionStatus.SUCCESS)
            {
                return status;
            }
        }
        do
        {
            final long room = writer.room() - FrameDescriptor.HEADER_LENGTH;
            final long left = totalLength - sent;
            if (room < Math.min(left, MIN_PIECE_LENGTH))
            {
                return room < -FrameDescriptor.HEADER_LENGTH ? broken() : noRoom();
            }
            final int piece = (int)Math.min(left, room);
            final int flags = (sent == 0 ? FrameDescriptor.FIRST : 0) |
                (piece == left ? FrameDescriptor.LAST | lastFlags(request) : 0);
            writer.header(piece, flags, UnsafeApi.getInt(request + IMMEDIATE_OFFSET), (int)totalLength, slot);
            gather(request, sent, piece);
            writer.commit(piece);
            sent += piece;
            if (sent < totalLength)
            {
                connection.wake(RECEIVES, 0);
            }
        }
        while (sent < totalLength);
        end(request);
        return CompletionStatus.SUCCESS;
    }

    /**
     * Makes sure that the peer has a receive for a WRITE with immediate, and room for the notice.
     *
     * @return a completion status, {@link #NO_RECEIVE} or {@link #NO_ROOM}.
     */
    int beginNotice()
    {
        return begun ? CompletionStatus.SUCCESS : begin(0, true);
    }

    /**
     * Tells the peer that a WRITE with immediate was written.
     */
    void endNotice(final long request, final long totalLength)
    {
        final int flags = FrameDescriptor.FIRST | FrameDescriptor.LAST | FrameDescriptor.WRITE | lastFlags(request);
        writer.header(0, flags, UnsafeApi.getInt(request + IMMEDIATE_OFFSET), (int)totalLength, slot);
        writer.commit(0);
        end(request);
    }

    void close()
    {
        if (sharedQueue != null)
        {
            sharedQueue.close();
        }
    }

    private int begin(final long totalLength, final boolean notice)
    {
        final long room = writer.room();
        if (room < FrameDescriptor.HEADER_LENGTH)
        {
            return room < 0 ? broken() : noRoom();
        }
        final int capacity = claimReceive();
        if (capacity == NONE)
        {
            return NO_RECEIVE;
        }
        if (!notice && capacity == ReceiveLength.UNUSABLE)
        {
            return refuse(FrameDescriptor.UNUSABLE, CompletionStatus.REM_OP_ERR);
        }
        if (!notice && totalLength > capacity)
        {
            return refuse(FrameDescriptor.TOO_LONG, CompletionStatus.REM_INV_REQ_ERR);
        }
        begun = true;
        sent = 0;
        return CompletionStatus.SUCCESS;
    }

    /**
     * @return bytes that the message's receive can take, or {@link #NONE}.
     */
    private int claimReceive()
    {
        if (sharedQueue != null)
        {
            slot = sharedQueue.claim();
            return slot < 0 ? NONE : sharedQueue.length(slot);
        }
        final PairFile pair = connection.pair();
        return pair.peer().posted() - messages > 0 ? pair.peerReceiveLength(messages) : NONE;
    }

    private int refuse(final int flag, final int status)
    {
        writer.header(0, FrameDescriptor.FIRST | FrameDescriptor.LAST | flag, 0, 0, slot);
        writer.commit(0);
        messages++;
        connection.wake(RECEIVES, 0);
        return status;
    }

    /**
     * Only the peer can make room, so it is woken once for what is in the ring now, whatever it sleeps for.
     */
    private int noRoom()
    {
        if (fullAt != writer.position())
        {
            fullAt = writer.position();
            connection.wakeForRoom();
        }
        return NO_ROOM;
    }

    /**
     * The peer's words make no sense.
     */
    private int broken()
    {
        connection.fault(PairSideDescriptor.FAULT_REQUEST);
        return CompletionStatus.REM_OP_ERR;
    }

    private void end(final long request)
    {
        messages++;
        begun = false;
        final boolean solicited = (UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.SOLICITED) != 0;
        connection.wake(solicited ? RECEIVES : Transport.WAKE_RECEIVE, 0);
    }

    private void gather(final long request, final long from, final long length)
    {
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        long skip = from;
        long done = 0;
        for (int i = 0; i < count && done < length; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long elementLength = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (skip < elementLength)
            {
                final long part = Math.min(elementLength - skip, length - done);
                writer.payload(done, UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET) + skip, part);
                done += part;
                skip = 0;
            }
            else
            {
                skip -= elementLength;
            }
        }
    }

    private static int lastFlags(final long request)
    {
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        final boolean solicited = (UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.SOLICITED) != 0;
        return (opcode == Opcode.SEND_WITH_IMM || opcode == Opcode.RDMA_WRITE_WITH_IMM ?
            FrameDescriptor.WITH_IMMEDIATE : 0) | (solicited ? FrameDescriptor.SOLICITED : 0);
    }
}

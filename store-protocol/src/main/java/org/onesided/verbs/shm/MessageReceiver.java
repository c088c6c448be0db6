package org.onesided.verbs.shm;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.soft.ReceiveQueue;
import org.onesided.verbs.soft.WorkQueues;

/**
 * Takes messages out of the ring from the peer and scatters them into the receives. Checks everything that the peer
 * wrote.
 */
final class MessageReceiver
{
    /** Result of {@link #receive}. */
    enum Outcome
    {
        /** Success. */
        GOOD,
        /** A receive completed with an error. */
        FAILED,
        /** The peer violates the protocol. */
        BROKEN
    }

    private final WorkQueues queues;
    private final RingReader reader;
    private final ReceiveQueue receives;
    private final ShmSharedReceiveQueue sharedReceives;
    private boolean inMessage;
    private long position;
    private long received;

    /**
     * @param receives       the queue pair's own, or the slots of the shared ones.
     * @param sharedReceives or null.
     */
    MessageReceiver(
        final WorkQueues queues,
        final RingReader reader,
        final ReceiveQueue receives,
        final ShmSharedReceiveQueue sharedReceives)
    {
        this.queues = queues;
        this.reader = reader;
        this.receives = receives;
        this.sharedReceives = sharedReceives;
    }

    /**
     * Takes what is in the ring now.
     */
    Outcome receive()
    {
        long available = reader.available();
        while (available > 0)
        {
            final long frameLength = reader.fetch(available);
            if (frameLength < 0)
            {
                return Outcome.BROKEN;
            }
            final Outcome outcome = takeFrame();
            if (outcome != Outcome.GOOD)
            {
                return outcome;
            }
            reader.release(frameLength);
            available -= frameLength;
        }
        return available < 0 ? Outcome.BROKEN : Outcome.GOOD;
    }

    private Outcome takeFrame()
    {
        if (reader.has(FrameDescriptor.FIRST) == inMessage || reader.has(FrameDescriptor.FIRST) && !begin())
        {
            return Outcome.BROKEN;
        }
        if (reader.has(FrameDescriptor.TOO_LONG))
        {
            return fail(CompletionStatus.LOC_LEN_ERR);
        }
        if (reader.has(FrameDescriptor.UNUSABLE))
        {
            return fail(CompletionStatus.LOC_PROT_ERR);
        }
        if (reader.has(FrameDescriptor.WRITE))
        {
            complete(CompletionOpcode.RECV_RDMA_WITH_IMM, reader.total());
            return Outcome.GOOD;
        }
        if (received + reader.payloadLength() > receives.totalLength(position))
        {
            return fail(CompletionStatus.LOC_LEN_ERR);
        }
        if (!queues.memory().mayUse(
            receives.elements(position), receives.elementCount(position), Access.LOCAL_WRITE))
        {
            return fail(CompletionStatus.LOC_PROT_ERR);
        }
        scatter();
        received += reader.payloadLength();
        if (reader.has(FrameDescriptor.LAST))
        {
            complete(CompletionOpcode.RECV, (int)received);
        }
        return Outcome.GOOD;
    }

    private boolean begin()
    {
        if (sharedReceives == null)
        {
            if (receives.isEmpty())
            {
                return false;
            }
            position = receives.consumed();
        }
        else
        {
            position = reader.sharedPosition();
            if (!sharedReceives.isClaimed(position, queues.number()))
            {
                return false;
            }
        }
        inMessage = true;
        received = 0;
        return true;
    }

    private void complete(final int opcode, final int byteLength)
    {
        final long id = consume();
        queues.completeReceive(
            id,
            CompletionStatus.SUCCESS,
            opcode,
            byteLength,
            reader.immediate(),
            reader.has(FrameDescriptor.WITH_IMMEDIATE) ? CompletionDescriptor.WITH_IMMEDIATE : 0,
            reader.has(FrameDescriptor.SOLICITED));
    }

    private Outcome fail(final int status)
    {
        final long id = consume();
        queues.completeReceive(id, status, CompletionOpcode.RECV, 0, 0, 0, true);
        return Outcome.FAILED;
    }

    private long consume()
    {
        final long id = receives.id(position);
        inMessage = false;
        if (sharedReceives == null)
        {
            receives.consume();
        }
        else
        {
            sharedReceives.consume((int)position);
        }
        return id;
    }

    private void scatter()
    {
        final long elements = receives.elements(position);
        final int count = receives.elementCount(position);
        final long length = reader.payloadLength();
        long skip = received;
        long done = 0;
        for (int i = 0; i < count && done < length; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long elementLength = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (skip < elementLength)
            {
                final long part = Math.min(elementLength - skip, length - done);
                reader.payload(done, UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET) + skip, part);
                done += part;
                skip = 0;
            }
            else
            {
                skip -= elementLength;
            }
        }
    }
}

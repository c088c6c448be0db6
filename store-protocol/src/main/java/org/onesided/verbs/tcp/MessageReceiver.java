package org.onesided.verbs.tcp;

import static org.onesided.verbs.tcp.SegmentDescriptor.*;

import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.soft.ReceiveQueue;
import org.onesided.verbs.soft.WorkQueues;

/**
 * The peer's SENDs. The first segment of each takes a receive, or the message waits for one. The queue pair's lock
 * guards it.
 */
final class MessageReceiver implements AutoCloseable
{
    private final WorkQueues queues;
    private final Attended attended;
    /** The queue pair's own, or null with shared ones. */
    private final ReceiveQueue receives;
    private final TcpSharedReceiveQueue shared;
    private final NativeArray sharedElements;
    private final EarlyMessages early = new EarlyMessages();
    private int nextMessage = 1;
    /** Position within an incomplete message. */
    private int offset;
    private boolean inside;
    /** Whether that message has a receive. */
    private boolean placing;
    private long id;
    private long room;
    private long elements;
    private int elementCount;

    /**
     * @param queues   of the queue pair.
     * @param attended is attended to when a shared receive is there for a message that waits.
     */
    MessageReceiver(final WorkQueues queues, final Attended attended)
    {
        this.queues = queues;
        this.attended = attended;
        receives = queues.receives();
        shared = (TcpSharedReceiveQueue)queues.sharedReceives();
        sharedElements = shared == null ? null : new NativeArray(shared.elementsLength());
    }

    /**
     * Takes in a segment of a SEND.
     *
     * @param segment address of the segment, whose queue was checked.
     * @param payload length of what it carries.
     * @return what is wrong with it, or null.
     */
    Fault segment(final long segment, final int payload)
    {
        if (Wire.getInt(segment + MESSAGE_OFFSET) != nextMessage)
        {
            return Fault.MESSAGE_NUMBER;
        }
        if (Wire.getInt(segment + MESSAGE_OFFSET_OFFSET) != offset || offset + payload < 0 ||
            payload == 0 && !isLast(segment))
        {
            return Fault.MESSAGE_OFFSET;
        }
        if (!inside)
        {
            inside = true;
            placing = early.isEmpty() && takeReceive();
            if (!placing && !early.begin())
            {
                return Fault.NO_RECEIVE;
            }
        }
        final Fault fault = placing ? place(segment + UNTAGGED_LENGTH, payload) :
            early.add(segment + UNTAGGED_LENGTH, payload) ? null : Fault.NO_RECEIVE;
        if (fault != null)
        {
            return fault;
        }
        offset += placing ? 0 : payload;
        if (isLast(segment))
        {
            final boolean solicited = opcode(segment) == SEND_SOLICITED;
            nextMessage++;
            if (placing)
            {
                complete(solicited);
            }
            else
            {
                early.end(solicited);
            }
            inside = false;
            placing = false;
            offset = 0;
        }
        return null;
    }

    int receivedMessages()
    {
        return nextMessage - 1;
    }

    boolean hasEarly()
    {
        return !early.isEmpty();
    }

    /**
     * Gives messages that wait to the receives there are now.
     *
     * @return what is wrong with one, or null.
     */
    Fault takeEarly()
    {
        while (!early.isEmpty() && queues.state() != QueuePairState.ERR && takeReceive())
        {
            final int current = offset;
            final boolean whole = early.isWhole();
            final boolean solicited = early.isSolicited();
            offset = 0;
            placing = true;
            final Fault fault = place(early.bytes(), early.length());
            if (fault != null)
            {
                return fault;
            }
            early.remove();
            if (whole)
            {
                complete(solicited);
                placing = false;
                offset = current;
            }
        }
        return null;
    }

    /**
     * The connection ends: a shared receive that a message was being placed into is not used any more.
     */
    void abandon()
    {
        if (placing && shared != null)
        {
            placing = false;
            received(CompletionStatus.WR_FLUSH_ERR, 0, false);
        }
    }

    @Override
    public void close()
    {
        early.close();
        if (sharedElements != null)
        {
            sharedElements.close();
        }
    }

    private boolean takeReceive()
    {
        if (shared != null)
        {
            elements = sharedElements.range().address();
            elementCount = shared.take(attended, elements);
            if (elementCount < 0)
            {
                return false;
            }
            id = shared.takenId();
            room = shared.takenLength();
            shared.endTake();
            return true;
        }
        if (receives.isEmpty())
        {
            return false;
        }
        final long position = receives.consumed();
        id = receives.id(position);
        room = receives.totalLength(position);
        elements = receives.elements(position);
        elementCount = receives.elementCount(position);
        return true;
    }

    private Fault place(final long source, final int length)
    {
        if (offset + (long)length > room)
        {
            return failed(CompletionStatus.LOC_LEN_ERR, Fault.TOO_LONG);
        }
        if (length != 0)
        {
            if (!queues.memory().mayUse(elements, elementCount, Access.LOCAL_WRITE))
            {
                return failed(CompletionStatus.LOC_PROT_ERR, Fault.CATASTROPHIC);
            }
            Elements.scatter(elements, elementCount, offset, source, length);
            offset += length;
        }
        return null;
    }

    private void complete(final boolean solicited)
    {
        consume();
        received(CompletionStatus.SUCCESS, offset, solicited);
    }

    private Fault failed(final int status, final Fault fault)
    {
        consume();
        placing = false;
        received(status, 0, true);
        return fault;
    }

    private void consume()
    {
        if (shared == null)
        {
            receives.consume();
        }
    }

    private void received(final int status, final int byteLength, final boolean solicited)
    {
        queues.completeReceive(id, status, CompletionOpcode.RECV, byteLength, 0, 0, solicited);
    }
}

package org.onesided.verbs.tcp;

import static org.onesided.verbs.SendRequestDescriptor.*;
import static org.onesided.verbs.tcp.SegmentDescriptor.*;

import java.util.concurrent.ThreadLocalRandom;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.soft.LocalMemory;
import org.onesided.verbs.soft.Transport;

/**
 * This side's requests. They are put into the stream one after the other; answers of READs come in order. A WRITE is
 * done when a later READ is answered, which proves that the peer has taken it; without a later READ, one of length 0
 * follows. A SEND is done when it is in the stream. The queue pair's lock guards it.
 */
final class Requester
{
    /** Result of {@link #issue}: the whole request is in the stream. */
    static final int ISSUED = 0;
    /** Result of {@link #issue}: call it again, because there is no room or this call has done its share. */
    static final int AGAIN = 1;

    /**
     * Bytes of a message in one segment: long enough that headers, checksums and calls hardly count, and short enough
     * to be in the nearest cache from one copy to the next, and for the peer to work on one while the next is made.
     */
    static final int MAX_PAYLOAD = 16 * 1024;

    private static final long DONE = -1;
    /** More than twice the maximum READ depth, because READs of length 0 take places, too. */
    private static final int RING_LENGTH = 512;
    private static final int RING_MASK = RING_LENGTH - 1;

    private final LocalMemory localMemory;
    private final Connection connection;
    private final long[] requests = new long[RING_LENGTH];
    private final int[] tags = new int[RING_LENGTH];
    private final int[] lengths = new int[RING_LENGTH];
    private int lastTag = ThreadLocalRandom.current().nextInt();
    private long issuedReads;
    private long completedReads;
    /** Bytes received for the oldest READ. */
    private int readOffset;
    private int sendMessage = 1;
    private int readMessage = 1;
    /** Bytes in the stream of an incomplete message. */
    private long staged;
    private boolean unacknowledged;

    Requester(final LocalMemory localMemory, final Connection connection)
    {
        this.localMemory = localMemory;
        this.connection = connection;
    }

    /**
     * @return whether the first part of a message is in the stream and the rest is not.
     */
    boolean isInside()
    {
        return staged != 0;
    }

    /**
     * The rest of a message is not sent: its request fails once the requests issued before are done.
     */
    void abandon()
    {
        staged = 0;
    }

    int sentMessages()
    {
        return sendMessage - 1;
    }

    boolean hasReads()
    {
        return issuedReads != completedReads;
    }

    /**
     * @param request     address of the {@code ibv_send_wr}, whose buffers were checked.
     * @param totalLength of its message.
     * @param depth       READs that may be under way.
     * @return {@link #ISSUED} or {@link #AGAIN}.
     */
    int issue(final long request, final long totalLength, final int depth)
    {
        final int opcode = UnsafeApi.getInt(request + OPCODE_OFFSET);
        if ((UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.FENCE) != 0 && hasReads())
        {
            return AGAIN;
        }
        if (opcode == Opcode.RDMA_READ)
        {
            if (!mayRead(depth))
            {
                return AGAIN;
            }
            UnsafeApi.putLong(request + Transport.DEVICE_WORD_OFFSET, issuedReads);
            read(request, (int)totalLength, UnsafeApi.getInt(request + REMOTE_KEY_OFFSET),
                UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET));
            return ISSUED;
        }
        if (!stage(request, opcode, totalLength))
        {
            return AGAIN;
        }
        final boolean acknowledges = opcode == Opcode.RDMA_WRITE && depth != 0;
        UnsafeApi.putLong(request + Transport.DEVICE_WORD_OFFSET, acknowledges ? issuedReads : DONE);
        unacknowledged |= acknowledges;
        return ISSUED;
    }

    /**
     * @param request that is issued.
     */
    boolean isDone(final long request)
    {
        return completedReads > UnsafeApi.getLong(request + Transport.DEVICE_WORD_OFFSET);
    }

    /**
     * Has WRITEs that no READ is behind acknowledged, as soon as that can be.
     */
    void acknowledge(final int depth)
    {
        if (unacknowledged)
        {
            ask(depth);
        }
    }

    /**
     * Has the peer prove that it has got all that was sent, as soon as that can be.
     */
    void ask(final int depth)
    {
        if (staged == 0 && mayRead(depth))
        {
            read(0, 0, 0, 0);
        }
    }

    /**
     * Takes in a segment of a READ's response, which must be the next of the oldest.
     *
     * @param segment address of the segment.
     * @param payload length of what it carries.
     * @return what is wrong with it, or null.
     */
    Fault response(final long segment, final int payload)
    {
        final int index = (int)completedReads & RING_MASK;
        if (!hasReads() || tags[index] != Wire.getInt(segment + STAG_OFFSET))
        {
            return Fault.WRITE_KEY;
        }
        final int left = lengths[index] - readOffset;
        if (Wire.getLong(segment + TAGGED_OFFSET_OFFSET) != readOffset || payload > left ||
            isLast(segment) != (payload == left) || payload == 0 && left != 0)
        {
            return Fault.WRITE_RANGE;
        }
        if (payload != 0)
        {
            final long elements = UnsafeApi.getLong(requests[index] + ELEMENTS_OFFSET);
            final int count = UnsafeApi.getInt(requests[index] + ELEMENT_COUNT_OFFSET);
            if (!localMemory.mayUse(elements, count, Access.LOCAL_WRITE))
            {
                return Fault.CATASTROPHIC;
            }
            Elements.scatter(elements, count, readOffset, segment + TAGGED_LENGTH, payload);
        }
        readOffset += payload;
        if (payload == left)
        {
            readOffset = 0;
            connection.silence().answered(completedReads);
            completedReads++;
        }
        return null;
    }

    private boolean mayRead(final int depth)
    {
        return issuedReads - completedReads < depth &&
            connection.makeRoom(UNTAGGED_LENGTH + ReadRequestDescriptor.LENGTH);
    }

    private void read(final long request, final int length, final int sourceTag, final long sourceOffset)
    {
        // Allocate first: without this memory, nothing must be sent.
        final long segment = connection.out().begin();
        final int index = (int)issuedReads & RING_MASK;
        requests[index] = request;
        tags[index] = ++lastTag;
        lengths[index] = length;
        connection.silence().asked(issuedReads, connection.out().staged());
        issuedReads++;
        unacknowledged = false;
        final long payload = segment + UNTAGGED_LENGTH;
        untagged(segment, READ_REQUEST, true, READ_QUEUE, readMessage++, 0);
        Wire.putInt(payload + ReadRequestDescriptor.SINK_STAG_OFFSET, lastTag);
        Wire.putLong(payload + ReadRequestDescriptor.SINK_OFFSET_OFFSET, 0);
        Wire.putInt(payload + ReadRequestDescriptor.LENGTH_OFFSET, length);
        Wire.putInt(payload + ReadRequestDescriptor.SOURCE_STAG_OFFSET, sourceTag);
        Wire.putLong(payload + ReadRequestDescriptor.SOURCE_OFFSET_OFFSET, sourceOffset);
        connection.out().end(UNTAGGED_LENGTH + ReadRequestDescriptor.LENGTH);
    }

    /** Puts a SEND or WRITE into the stream; whether it is complete. */
    private boolean stage(final long request, final int opcode, final long totalLength)
    {
        final boolean tagged = opcode == Opcode.RDMA_WRITE;
        final int headerLength = tagged ? TAGGED_LENGTH : UNTAGGED_LENGTH;
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        final int count = UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET);
        final boolean solicited = (UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.SOLICITED) != 0;
        int budget = StagingBuffer.CAPACITY;
        while (budget > 0)
        {
            final int length = (int)Math.min(MAX_PAYLOAD, totalLength - staged);
            if (!connection.makeRoom(headerLength + length))
            {
                return false;
            }
            final long segment = connection.out().begin();
            final boolean last = staged + length == totalLength;
            if (tagged)
            {
                tagged(segment, WRITE, last, UnsafeApi.getInt(request + REMOTE_KEY_OFFSET),
                    UnsafeApi.getLong(request + REMOTE_ADDRESS_OFFSET) + staged);
            }
            else
            {
                untagged(segment, solicited ? SEND_SOLICITED : SegmentDescriptor.SEND, last, SEND_QUEUE, sendMessage,
                    (int)staged);
            }
            Elements.gather(elements, count, staged, segment + headerLength, length);
            connection.out().end(headerLength + length);
            connection.silence().sent();
            staged += length;
            budget -= length + headerLength;
            if (last)
            {
                staged = 0;
                sendMessage += tagged ? 0 : 1;
                return true;
            }
        }
        return false;
    }
}

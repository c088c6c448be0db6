package org.onesided.verbs.tcp;

import static org.onesided.verbs.tcp.SegmentDescriptor.*;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.soft.MemoryCopy;

/**
 * The peer's READs: kept in order, and answered in pieces as fast as the peer takes the answers. Each piece is copied
 * while the memory may be changing. The queue pair's lock guards it.
 */
final class Responder implements AutoCloseable
{
    private static final int STRIDE = 64;
    private static final int REQUEST_LENGTH = UNTAGGED_LENGTH + ReadRequestDescriptor.LENGTH;

    private final PeerRights rights;
    private final StreamEnd end;
    private final Connection connection;
    private final int depth;
    private final int mask;
    private final NativeArray memory;
    private final long base;
    private int nextMessage = 1;
    private long accepted;
    private long answered;
    /** Bytes of the oldest READ that are answered. */
    private int offset;

    Responder(final PeerRights rights, final Connection connection, final int depth, final StreamEnd end)
    {
        this.rights = rights;
        this.end = end;
        this.connection = connection;
        this.depth = depth;
        final int slots = BitUtil.findNextPositivePowerOfTwo(Math.max(1, depth));
        mask = slots - 1;
        memory = new NativeArray((long)slots * STRIDE);
        base = memory.range().address();
    }

    boolean hasWork()
    {
        return accepted != answered;
    }

    /**
     * @param segment address of a READ request, whose queue was checked.
     * @param length  of the segment.
     * @return what is wrong with it, or null.
     */
    Fault request(final long segment, final int length)
    {
        if (Wire.getInt(segment + MESSAGE_OFFSET) != nextMessage)
        {
            return Fault.MESSAGE_NUMBER;
        }
        if (Wire.getInt(segment + MESSAGE_OFFSET_OFFSET) != 0 || !isLast(segment))
        {
            return Fault.MESSAGE_OFFSET;
        }
        if (length != REQUEST_LENGTH)
        {
            return Fault.READ_LENGTH;
        }
        if (accepted - answered >= depth)
        {
            return Fault.TOO_MANY_READS;
        }
        nextMessage++;
        UnsafeApi.copyMemory(segment, entry(accepted++), REQUEST_LENGTH);
        return null;
    }

    /**
     * Puts answers into the stream while there is room, up to as much as is good to do at a time.
     */
    void answer()
    {
        int budget = StagingBuffer.CAPACITY;
        while (hasWork() && budget > 0)
        {
            final long request = entry(answered) + UNTAGGED_LENGTH;
            final long left = (Wire.getInt(request + ReadRequestDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL) -
                (offset & 0xFFFF_FFFFL);
            final int piece = (int)Math.min(Requester.MAX_PAYLOAD, left);
            if (!connection.makeRoom(TAGGED_LENGTH + piece))
            {
                return;
            }
            final int tag = Wire.getInt(request + ReadRequestDescriptor.SOURCE_STAG_OFFSET);
            final long source = Wire.getLong(request + ReadRequestDescriptor.SOURCE_OFFSET_OFFSET) +
                (offset & 0xFFFF_FFFFL);
            final Fault fault = piece == 0 ? null :
                rights.findFault(tag, source, left, Access.REMOTE_READ, Fault.READ_KEY, Fault.READ_RANGE);
            if (fault != null)
            {
                end.terminate(fault, entry(answered), REQUEST_LENGTH);
                return;
            }
            final long segment = connection.out().begin();
            tagged(segment, READ_RESPONSE, piece == left,
                Wire.getInt(request + ReadRequestDescriptor.SINK_STAG_OFFSET),
                Wire.getLong(request + ReadRequestDescriptor.SINK_OFFSET_OFFSET) + (offset & 0xFFFF_FFFFL));
            MemoryCopy.read(source, segment + TAGGED_LENGTH, piece);
            connection.out().end(TAGGED_LENGTH + piece);
            if (piece != 0)
            {
                // An empty answer needs no proof of its arrival, or two sides would ask each other for ever.
                connection.silence().sent();
            }
            budget -= TAGGED_LENGTH + piece;
            offset += piece;
            if (piece == left)
            {
                offset = 0;
                answered++;
            }
        }
    }

    @Override
    public void close()
    {
        memory.close();
    }

    private long entry(final long position)
    {
        return base + (position & mask) * STRIDE;
    }
}

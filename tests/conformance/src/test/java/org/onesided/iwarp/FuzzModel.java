package org.onesided.iwarp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What the RFCs say that a receiver does with a stream: a second, slow reading of them, which knows the memory that
 * peers may WRITE to, and tells when a connection must end. Not thread-safe.
 */
final class FuzzModel
{
    static final int RECEIVE_LENGTH = 250;
    static final int RECEIVES = 60;

    /** How things stand. */
    enum State
    {
        /** All was in order so far, up to the last frame that is there whole. */
        ALIVE,
        /** The last frame must end the connection with a TERMINATE, and nothing behind it counts. */
        DEAD,
        /** As before, but what follows may be taken in before that is found out. */
        DYING,
        /** The peer ended it. */
        ENDED,
        /** The RFCs leave it open. */
        OPEN
    }

    final byte[] region;
    final int regionStag;
    final long regionAddress;
    /** Messages that came whole. */
    final List<byte[]> messages = new ArrayList<>();
    /** What READs brought that are done. */
    final List<byte[]> responses = new ArrayList<>();
    /** Frames that were looked at. */
    int frames;

    private final int depth;
    private final Deque<ReadRequest> outstanding = new ArrayDeque<>();
    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private final ByteArrayOutputStream response = new ByteArrayOutputStream();
    private State state = State.ALIVE;
    private int nextMessage = 1;
    private int nextRead = 1;
    /** The first of this round. */
    private int firstMessage = 1;
    private int firstRead = 1;

    FuzzModel(final byte[] region, final int regionStag, final long regionAddress, final int depth)
    {
        this.region = region;
        this.regionStag = regionStag;
        this.regionAddress = regionAddress;
        this.depth = depth;
    }

    /** The receiver has asked for this. */
    void asked(final ReadRequest request)
    {
        outstanding.add(request);
    }

    ReadRequest oldest()
    {
        return outstanding.peek();
    }

    int responseOffset()
    {
        return response.size();
    }

    int nextMessage()
    {
        return nextMessage;
    }

    int messageOffset()
    {
        return message.size();
    }

    int nextRead()
    {
        return nextRead;
    }

    boolean mayRead()
    {
        return nextRead - firstRead < depth;
    }

    State state()
    {
        return state;
    }

    /** Whether a frame has begun and not ended. */
    boolean isInside()
    {
        return stream.size() > 0;
    }

    /** Whether all that came was dealt with, so that another round may begin. */
    boolean isSettled()
    {
        return state == State.ALIVE && !isInside() && messages.size() <= RECEIVES && message.size() == 0;
    }

    /** The receiver has answered one more READ, and is behind with none. */
    void probed()
    {
        nextRead++;
        firstRead = nextRead;
    }

    /** A round begins: the receiver has as many receives again as at first. */
    void begin()
    {
        messages.clear();
        responses.clear();
        firstMessage = nextMessage;
    }

    /** Takes more of the stream. */
    void take(final byte[] bytes)
    {
        stream.writeBytes(bytes);
        final byte[] all = stream.toByteArray();
        int taken = 0;
        while (state == State.ALIVE && all.length - taken >= Fpdu.LENGTH_LENGTH)
        {
            final int length = (all[taken] & 0xFF) << 8 | all[taken + 1] & 0xFF;
            final int padded = Fpdu.LENGTH_LENGTH + length + 3 & ~3;
            if (all.length - taken < padded + Fpdu.CRC_LENGTH)
            {
                break;
            }
            final CRC32C crc = new CRC32C();
            crc.update(all, taken, padded);
            final boolean isGood =
                ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getInt(taken + padded) == (int)crc.getValue();
            final byte[] ulpdu = Arrays.copyOfRange(all, taken + 2, taken + 2 + length);
            taken += padded + Fpdu.CRC_LENGTH;
            frames++;
            state = isGood ? segment(ulpdu) : State.DEAD;
        }
        stream.reset();
        stream.write(all, taken, all.length - taken);
    }

    private State segment(final byte[] ulpdu)
    {
        if (ulpdu.length < Segment.TAGGED_LENGTH)
        {
            return State.DEAD;
        }
        final boolean isTagged = ulpdu[0] < 0;
        if ((ulpdu[0] & 3) != 1 || (ulpdu[1] >> 6 & 3) != 1 || !isTagged && ulpdu.length < Segment.UNTAGGED_LENGTH)
        {
            return State.DEAD;
        }
        // Without what is reserved.
        final byte[] plain = ulpdu.clone();
        plain[0] &= (byte)0xC3;
        plain[1] &= (byte)0xCF;
        final Segment segment = Segment.of(plain);
        return isTagged ? tagged(segment) : untagged(segment);
    }

    private State tagged(final Segment segment)
    {
        final byte[] payload = segment.payload();
        if (segment.opcode() == Segment.READ_RESPONSE)
        {
            return response(segment);
        }
        if (segment.opcode() != Segment.WRITE)
        {
            return State.DEAD;
        }
        if (payload.length == 0)
        {
            return State.ALIVE;
        }
        if (!isInside(segment.stag(), segment.to(), payload.length))
        {
            return State.DEAD;
        }
        System.arraycopy(payload, 0, region, (int)(segment.to() - regionAddress), payload.length);
        return State.ALIVE;
    }

    private boolean isInside(final int stag, final long to, final long length)
    {
        final long offset = to - regionAddress;
        return stag == regionStag && offset >= 0 && offset <= region.length && length <= region.length - offset;
    }

    private State response(final Segment segment)
    {
        final ReadRequest oldest = outstanding.peek();
        final byte[] payload = segment.payload();
        if (oldest == null || segment.stag() != oldest.sinkStag() ||
            segment.to() != oldest.sinkTo() + response.size() ||
            payload.length > oldest.size() - response.size())
        {
            return State.DEAD;
        }
        final boolean isWhole = response.size() + payload.length == oldest.size();
        if (isWhole != segment.isLast())
        {
            return payload.length == 0 || isWhole ? State.OPEN : State.DEAD;
        }
        response.writeBytes(payload);
        if (isWhole)
        {
            outstanding.remove();
            responses.add(response.toByteArray());
            response.reset();
        }
        return payload.length == 0 && !isWhole ? State.OPEN : State.ALIVE;
    }

    private State untagged(final Segment segment)
    {
        final int opcode = segment.opcode();
        final int queue = segment.queue();
        if ((opcode == Segment.SEND || opcode == Segment.SEND_SOLICITED) && queue == Segment.SEND_QUEUE)
        {
            return message(segment);
        }
        if (opcode == Segment.READ_REQUEST && queue == Segment.READ_QUEUE)
        {
            return read(segment);
        }
        if (opcode == Segment.TERMINATE && queue == Segment.TERMINATE_QUEUE)
        {
            return State.ENDED;
        }
        return State.DEAD;
    }

    private State message(final Segment segment)
    {
        final byte[] payload = segment.payload();
        if (segment.msn() != nextMessage || segment.offset() != message.size())
        {
            return State.DEAD;
        }
        if (message.size() + payload.length > RECEIVE_LENGTH)
        {
            // Without a receive it is too long only once there is one.
            return nextMessage - firstMessage < RECEIVES ? State.DEAD : State.OPEN;
        }
        if (payload.length == 0 && !segment.isLast())
        {
            return State.OPEN;
        }
        message.writeBytes(payload);
        if (segment.isLast())
        {
            messages.add(message.toByteArray());
            message.reset();
            nextMessage++;
        }
        return State.ALIVE;
    }

    private State read(final Segment segment)
    {
        if (segment.msn() != nextRead || segment.offset() != 0 || !segment.isLast() ||
            segment.payload().length != ReadRequest.LENGTH)
        {
            return State.DEAD;
        }
        if (!mayRead())
        {
            // Whether it is too many depends on how fast the others were answered.
            return State.OPEN;
        }
        nextRead++;
        final ReadRequest request = ReadRequest.of(segment);
        final long size = request.size() & 0xFFFF_FFFFL;
        return size == 0 || isInside(request.sourceStag(), request.sourceTo(), size) ? State.ALIVE : State.DYING;
    }
}

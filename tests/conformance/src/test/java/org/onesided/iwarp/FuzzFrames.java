package org.onesided.iwarp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Makes frames that a peer might send, and changes them: most so that they stay good, some in any way. Seeded. Not
 * thread-safe.
 */
final class FuzzFrames
{
    private static final int MAX_PAYLOAD = 200;
    private static final int MAX_READ = 3000;
    private static final long[] VALUES = {
        0, 1, -1, 2, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, Integer.MAX_VALUE, Integer.MIN_VALUE,
        0xFFFF_FFFFL, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 8};

    private final Random random;
    private final FuzzModel model;
    /** ULPDUs that the device sent once. */
    private final List<byte[]> recorded;
    private final int wild;
    private byte[] last = {};

    /**
     * @param wild one frame in so many is changed in any way.
     */
    FuzzFrames(final Random random, final FuzzModel model, final List<byte[]> recorded, final int wild)
    {
        this.wild = wild;
        this.random = random;
        this.model = model;
        this.recorded = recorded;
    }

    /** The next frame to send, whole or what is left of it. */
    byte[] next()
    {
        final byte[] ulpdu = good();
        tame(ulpdu);
        final byte[] frame = random.nextInt(wild) == 0 ? wild(ulpdu) : Fpdu.encode(ulpdu);
        last = frame;
        return frame;
    }

    /** The frame that ends the message begun last. */
    byte[] end()
    {
        last = Fpdu.encode(message(random.nextInt(FuzzModel.RECEIVE_LENGTH - model.messageOffset() + 1), true));
        return last;
    }

    private byte[] good()
    {
        switch (random.nextInt(8))
        {
            case 0, 1, 2:
                return write();
            case 3, 4:
                return message();
            case 5:
                return model.mayRead() ? read() : write();
            case 6:
                return recording();
            default:
                return model.oldest() != null ? response() : message();
        }
    }

    private byte[] write()
    {
        final int length = random.nextInt(MAX_PAYLOAD);
        final long to = model.regionAddress + random.nextInt(model.region.length - length + 1);
        return Segment.tagged(Segment.WRITE, random.nextBoolean(), model.regionStag, to, noise(length)).bytes();
    }

    private byte[] message()
    {
        final int room = FuzzModel.RECEIVE_LENGTH - model.messageOffset();
        final int length = random.nextInt(room + 1);
        return message(length, length == 0 || random.nextInt(3) > 0);
    }

    private byte[] message(final int length, final boolean isLast)
    {
        return Segment.untagged(
            random.nextBoolean() ? Segment.SEND : Segment.SEND_SOLICITED, isLast, Segment.SEND_QUEUE,
            model.nextMessage(), model.messageOffset(), noise(length)).bytes();
    }

    private byte[] read()
    {
        final int length = random.nextInt(MAX_READ);
        final long from = model.regionAddress + random.nextInt(model.region.length - length + 1);
        return Segment.untagged(
            Segment.READ_REQUEST, true, Segment.READ_QUEUE, model.nextRead(), 0,
            new ReadRequest(random.nextInt(), random.nextLong(), length, model.regionStag, from).bytes()).bytes();
    }

    private byte[] response()
    {
        final ReadRequest oldest = model.oldest();
        final int left = oldest.size() - model.responseOffset();
        final int length = left == 0 ? 0 : 1 + random.nextInt(left);
        return Segment.tagged(
            Segment.READ_RESPONSE, length == left, oldest.sinkStag(), oldest.sinkTo() + model.responseOffset(),
            noise(length)).bytes();
    }

    /** What the device itself sent in a like place, with the numbers of this conversation. */
    private byte[] recording()
    {
        final byte[] ulpdu = recorded.get(random.nextInt(recorded.size())).clone();
        final ByteBuffer fields = ByteBuffer.wrap(ulpdu);
        final Segment segment = Segment.of(ulpdu);
        if (segment.isTagged())
        {
            final int length = segment.payload().length;
            fields.putInt(2, model.regionStag);
            fields.putLong(6, model.regionAddress + random.nextInt(model.region.length - length + 1));
        }
        else if (segment.opcode() == Segment.READ_REQUEST)
        {
            if (!model.mayRead())
            {
                return write();
            }
            fields.putInt(10, model.nextRead());
            fields.putInt(Segment.UNTAGGED_LENGTH + 16, model.regionStag);
            fields.putLong(Segment.UNTAGGED_LENGTH + 20, model.regionAddress);
        }
        else
        {
            if (segment.payload().length > FuzzModel.RECEIVE_LENGTH - model.messageOffset())
            {
                return message();
            }
            fields.putInt(10, model.nextMessage()).putInt(14, model.messageOffset());
        }
        return ulpdu;
    }

    /** Changes what no receiver may look at. */
    private void tame(final byte[] ulpdu)
    {
        ulpdu[0] |= (byte)(random.nextInt(16) << 2);
        ulpdu[1] |= (byte)(random.nextInt(4) << 4);
        if (ulpdu[0] >= 0)
        {
            ByteBuffer.wrap(ulpdu).putInt(2, random.nextInt());
        }
    }

    private byte[] wild(final byte[] ulpdu)
    {
        switch (random.nextInt(12))
        {
            case 10, 11:
                return Fpdu.encode(edge());
            case 0, 1, 2:
                for (int i = random.nextInt(3); i >= 0; i--)
                {
                    ulpdu[random.nextInt(Math.min(ulpdu.length, 46))] ^= (byte)(1 << random.nextInt(8));
                }
                return Fpdu.encode(ulpdu);
            case 3, 4:
                return Fpdu.encode(withValue(ulpdu));
            case 5:
                final byte[] flipped = Fpdu.encode(ulpdu);
                flipped[random.nextInt(flipped.length)] ^= (byte)(1 << random.nextInt(8));
                return flipped;
            case 6:
                return Fpdu.encode(Arrays.copyOf(ulpdu, random.nextInt(ulpdu.length + 20)));
            case 7:
                final byte[] frame = Fpdu.encode(ulpdu);
                return Arrays.copyOf(frame, random.nextInt(frame.length + 1));
            case 8:
                return last.clone();
            default:
                return noise(random.nextInt(300));
        }
    }

    /** A WRITE or READ that ends or begins about where the region does. */
    private byte[] edge()
    {
        final boolean isRead = model.mayRead() && random.nextBoolean();
        final int length = 1 + random.nextInt(MAX_PAYLOAD);
        final long to = model.regionAddress + random.nextInt(5) - 2 +
            (random.nextInt(4) > 0 ? model.region.length - length : 0);
        return isRead ? Segment.untagged(
            Segment.READ_REQUEST, true, Segment.READ_QUEUE, model.nextRead(), 0,
            new ReadRequest(random.nextInt(), random.nextLong(), length, model.regionStag, to).bytes()).bytes() :
            Segment.tagged(Segment.WRITE, random.nextBoolean(), model.regionStag, to, noise(length)).bytes();
    }

    private byte[] withValue(final byte[] ulpdu)
    {
        long value = VALUES[random.nextInt(VALUES.length)];
        value += random.nextInt(4) == 0 ? model.regionAddress + model.region.length : 0;
        final ByteBuffer fields = ByteBuffer.wrap(ulpdu);
        final int width = 1 << random.nextInt(4);
        final int offset = random.nextInt(Math.max(1, Math.min(ulpdu.length, 46) - width + 1));
        if (ulpdu.length < offset + width)
        {
            return ulpdu;
        }
        switch (width)
        {
            case 1 -> fields.put(offset, (byte)value);
            case 2 -> fields.putShort(offset, (short)value);
            case 4 -> fields.putInt(offset, (int)value);
            default -> fields.putLong(offset, value);
        }
        return ulpdu;
    }

    private byte[] noise(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}

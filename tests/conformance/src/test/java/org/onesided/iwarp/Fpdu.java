package org.onesided.iwarp;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * MPA's frames without markers (RFC 5044, 4): a length of 16 bits, the ULPDU, padding to a multiple of 4, and the
 * CRC32C of all that, which goes over the wire as iSCSI's does, least significant byte first.
 */
final class Fpdu
{
    static final int LENGTH_LENGTH = 2;
    static final int CRC_LENGTH = 4;

    private Fpdu()
    {
    }

    static byte[] encode(final byte[] ulpdu)
    {
        return encode(ulpdu, 0);
    }

    /**
     * @param damage XORed with the CRC; 0 for a good one.
     */
    static byte[] encode(final byte[] ulpdu, final int damage)
    {
        final int padded = padded(ulpdu.length);
        final ByteBuffer frame = ByteBuffer.allocate(padded + CRC_LENGTH);
        frame.putShort((short)ulpdu.length).put(ulpdu);
        frame.order(ByteOrder.LITTLE_ENDIAN).putInt(padded, crc(frame.array(), padded) ^ damage);
        return frame.array();
    }

    /** Reads one frame and checks its CRC; null at the end of the stream. */
    static byte[] read(final DataInputStream input) throws IOException
    {
        final int high = input.read();
        if (high < 0)
        {
            return null;
        }
        final int length = high << 8 | input.readUnsignedByte();
        final int padded = padded(length);
        final byte[] frame = new byte[padded + CRC_LENGTH];
        frame[0] = (byte)high;
        frame[1] = (byte)length;
        input.readFully(frame, LENGTH_LENGTH, frame.length - LENGTH_LENGTH);
        final int sent = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(padded);
        if (sent != crc(frame, padded))
        {
            throw new ProtocolException("wrong CRC: length=" + length);
        }
        for (int i = LENGTH_LENGTH + length; i < padded; i++)
        {
            if (frame[i] != 0)
            {
                throw new ProtocolException("padding is not zero: length=" + length);
            }
        }
        return Arrays.copyOfRange(frame, LENGTH_LENGTH, LENGTH_LENGTH + length);
    }

    private static int padded(final int ulpduLength)
    {
        return LENGTH_LENGTH + ulpduLength + 3 & ~3;
    }

    private static int crc(final byte[] frame, final int length)
    {
        final CRC32C crc = new CRC32C();
        crc.update(frame, 0, length);
        return (int)crc.getValue();
    }
}

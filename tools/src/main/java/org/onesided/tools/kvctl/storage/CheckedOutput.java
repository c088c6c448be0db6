package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/**
 * Passes a backup on, and compares the checksum at its end with its bytes.
 */
final class CheckedOutput extends OutputStream
{
    private final OutputStream output;
    private final CRC32C crc = new CRC32C();
    /** The last bytes, which may be the checksum. */
    private final byte[] held = new byte[Integer.BYTES];
    private int heldLength;

    CheckedOutput(final OutputStream output)
    {
        this.output = output;
    }

    @Override
    public void write(final int value) throws IOException
    {
        write(new byte[]{(byte)value}, 0, 1);
    }

    @Override
    public void write(final byte[] bytes, final int offset, final int length) throws IOException
    {
        output.write(bytes, offset, length);
        final int over = heldLength + length - held.length;
        final int ofHeld = Math.max(0, Math.min(heldLength, over));
        crc.update(held, 0, ofHeld);
        System.arraycopy(held, ofHeld, held, 0, heldLength - ofHeld);
        heldLength -= ofHeld;
        final int ofBytes = Math.max(0, over - ofHeld);
        crc.update(bytes, offset, ofBytes);
        System.arraycopy(bytes, offset + ofBytes, held, heldLength, length - ofBytes);
        heldLength += length - ofBytes;
    }

    /** Whether the bytes so far are a whole backup. */
    boolean isGood()
    {
        int stated = 0;
        for (int i = held.length - 1; i >= 0; i--)
        {
            stated = stated << Byte.SIZE | held[i] & 0xFF;
        }
        return heldLength == held.length && stated == (int)crc.getValue();
    }
}

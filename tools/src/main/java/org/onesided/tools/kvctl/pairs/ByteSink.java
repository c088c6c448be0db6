package org.onesided.tools.kvctl.pairs;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * Collects bytes up to a limit; counts those beyond it without keeping them.
 */
final class ByteSink extends OutputStream
{
    private static final byte[] NOTHING = {};

    private final int maxLength;
    private byte[] bytes = NOTHING;
    private long length;

    ByteSink(final int maxLength)
    {
        this.maxLength = maxLength;
    }

    void clear()
    {
        length = 0;
    }

    /**
     * @return bytes written, those beyond the limit included.
     */
    long length()
    {
        return length;
    }

    boolean isOverfull()
    {
        return length > maxLength;
    }

    /**
     * @return the bytes, if none were beyond the limit; the sink is empty afterwards.
     */
    byte[] take()
    {
        final int taken = (int)length;
        length = 0;
        // Returns a full array without a copy, since values may be large.
        if (taken == bytes.length)
        {
            final byte[] whole = bytes;
            bytes = NOTHING;
            return whole;
        }
        return Arrays.copyOf(bytes, taken);
    }

    @Override
    public void write(final int value)
    {
        if (length < maxLength)
        {
            ensureCapacity(length + 1);
            bytes[(int)length] = (byte)value;
        }
        length++;
    }

    @Override
    public void write(final byte[] source, final int offset, final int count)
    {
        if (length < maxLength)
        {
            final int kept = (int)Math.min(count, maxLength - length);
            ensureCapacity(length + kept);
            System.arraycopy(source, offset, bytes, (int)length, kept);
        }
        length += count;
    }

    private void ensureCapacity(final long needed)
    {
        if (needed > bytes.length)
        {
            bytes = Arrays.copyOf(bytes, (int)Math.min(maxLength, Math.max(needed, Math.max(64, 2L * bytes.length))));
        }
    }
}

package org.onesided.tools.kvctl.rdma.talk;

import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.onesided.verbs.MemoryRange;

/**
 * The shell's own buffer, which the user reads and writes.
 */
final class LocalBuffer
{
    private static final int BYTES_PER_LINE = 16;

    private final MemoryRange range;

    LocalBuffer(final MemoryRange range)
    {
        this.range = range;
    }

    /** Refuses a range outside of the buffer. */
    static void check(final String whose, final long offset, final long length, final long bufferLength)
    {
        if (length < 1 || offset > bufferLength || length > bufferLength - offset)
        {
            throw new IllegalArgumentException("outside " + whose + " buffer: offset=" + offset + " length=" + length +
                " buffer=" + bufferLength);
        }
    }

    void set(final long offset, final byte[] bytes)
    {
        check("this side's", offset, bytes.length, range.length());
        final long address = range.addressOf(offset, bytes.length);
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(address + i, bytes[i]);
        }
    }

    void fill(final long offset, final long length, final byte value)
    {
        check("this side's", offset, length, range.length());
        UnsafeApi.setMemory(null, range.addressOf(offset, length), length, value);
    }

    /** Lines of offset, bytes and text. */
    void show(final long offset, final long length, final Consumer<String> out)
    {
        check("this side's", offset, length, range.length());
        for (long line = 0; line < length; line += BYTES_PER_LINE)
        {
            out.accept(line(offset + line, (int)Math.min(BYTES_PER_LINE, length - line)));
        }
    }

    private String line(final long offset, final int length)
    {
        final StringBuilder hex = new StringBuilder();
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++)
        {
            final int value = UnsafeApi.getByte(range.addressOf(offset + i, 1)) & 0xFF;
            hex.append(i == BYTES_PER_LINE / 2 ? "  " : " ").append(String.format("%02x", value));
            text.append(value >= ' ' && value <= '~' ? (char)value : '.');
        }
        return String.format("%06x %-49s |%s|", offset, hex, text);
    }
}

package org.onesided.tools.kvctl.pairs;

import java.io.IOException;
import java.io.InputStream;

/**
 * An input that ends at the end of each line. A line feed ends a line; the last line may lack it.
 */
final class LineInput extends InputStream
{
    private static final int BUFFER_LENGTH = 64 << 10;

    private final InputStream input;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;
    private boolean atLineEnd = true;
    private long line;
    private long bytesTaken;

    LineInput(final InputStream input)
    {
        this.input = input;
    }

    /**
     * Skips the rest of this line and goes to the next.
     *
     * @return whether there is a next line.
     */
    boolean nextLine() throws IOException
    {
        while (!atLineEnd)
        {
            read();
        }
        if (position == limit && !fill())
        {
            return false;
        }
        atLineEnd = false;
        line++;
        return true;
    }

    long line()
    {
        return line;
    }

    long bytesTaken()
    {
        return bytesTaken - (limit - position);
    }

    @Override
    public int read() throws IOException
    {
        if (atLineEnd)
        {
            return -1;
        }
        if (position == limit && !fill())
        {
            atLineEnd = true;
            return -1;
        }
        final byte next = buffer[position++];
        if (next == '\n')
        {
            atLineEnd = true;
            return -1;
        }
        return next & 0xFF;
    }

    /**
     * Copies what is in the buffer of the line, up to the first byte that a field may end or escape with.
     *
     * @return bytes copied; 0 does not say that the line is over.
     */
    int copyPlain(final ByteSink sink)
    {
        int end = position;
        while (!atLineEnd && end < limit && isPlain(buffer[end]))
        {
            end++;
        }
        final int count = end - position;
        sink.write(buffer, position, count);
        position = end;
        return count;
    }

    /** Whether a byte is neither a backslash nor one of those from the tab to the carriage return. */
    private static boolean isPlain(final byte next)
    {
        return next != '\\' && (next < '\t' || next > '\r');
    }

    @Override
    public int read(final byte[] target, final int offset, final int length) throws IOException
    {
        int count = 0;
        while (count < length)
        {
            // Returns buffered bytes without blocking.
            if (count > 0 && position == limit)
            {
                break;
            }
            final int next = read();
            if (next < 0)
            {
                break;
            }
            target[offset + count++] = (byte)next;
        }
        return count == 0 && length > 0 ? -1 : count;
    }

    private boolean fill() throws IOException
    {
        final int count = input.read(buffer, 0, BUFFER_LENGTH);
        if (count <= 0)
        {
            return false;
        }
        position = 0;
        limit = count;
        bytesTaken += count;
        return true;
    }
}

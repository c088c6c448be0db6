package org.onesided.tools.kvctl.pairs;

import java.io.IOException;

/**
 * Reads what {@link TsvWriter} writes. Takes bytes that are not printable as they are, too, but for a tab in a value
 * and a carriage return at the end of a line: both are likely to be mistakes, and have an escape.
 */
final class TsvReader implements PairReader
{
    private static final int END = -1;

    private final LineInput input;
    private final PairLimits limits;
    private final ByteSink keySink;
    private final ByteSink valueSink;
    private byte[] key;
    private byte[] value;

    TsvReader(final LineInput input, final PairLimits limits)
    {
        this.input = input;
        this.limits = limits;
        keySink = new ByteSink(limits.maxKeyLength());
        valueSink = new ByteSink(limits.maxValueLength());
    }

    @Override
    public boolean next() throws BrokenLineException, IOException
    {
        if (!input.nextLine())
        {
            return false;
        }
        keySink.clear();
        valueSink.clear();

        if (readField(keySink) == END)
        {
            throw broken("there is no tab between key and value");
        }
        if (keySink.length() == 0)
        {
            throw broken("the key is empty");
        }
        if (readField(valueSink) != END)
        {
            throw broken("there is a second tab: write \\t for one in a value");
        }
        if (keySink.isOverfull())
        {
            throw broken(limits.keyTooLong(keySink.length()));
        }
        if (valueSink.isOverfull())
        {
            throw broken(limits.valueTooLong(valueSink.length()));
        }
        key = keySink.take();
        value = valueSink.take();
        return true;
    }

    @Override
    public byte[] key()
    {
        return key;
    }

    @Override
    public byte[] value()
    {
        return value;
    }

    @Override
    public long line()
    {
        return input.line();
    }

    @Override
    public long bytesRead()
    {
        return input.bytesTaken();
    }

    /**
     * @return the tab that ended the field, or {@link #END} for the end of the line.
     */
    private int readField(final ByteSink sink) throws BrokenLineException, IOException
    {
        int last = END;
        while (true)
        {
            final int next = input.read();
            if (next == END && last == '\r')
            {
                throw broken("the line ends in a carriage return: remove it, or write \\x0D if it belongs there");
            }
            if (next == END || next == '\t')
            {
                return next;
            }
            sink.write(next == '\\' ? readEscape() : next);
            last = next;
        }
    }

    private int readEscape() throws BrokenLineException, IOException
    {
        final int kind = input.read();
        switch (kind)
        {
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case '\\':
                return '\\';
            case 'x':
                return readHexDigit() << 4 | readHexDigit();
            case END:
                throw broken("the line ends in a lone backslash: write \\\\ for one");
            default:
                throw broken("there is no escape \\" + Escapes.text(new byte[]{(byte)kind}, 1) +
                    ": there are \\t \\n \\\\ \\xHH");
        }
    }

    private int readHexDigit() throws BrokenLineException, IOException
    {
        final int digit = Character.digit(input.read(), 16);
        if (digit < 0)
        {
            throw broken("\\x needs two hexadecimal digits");
        }
        return digit;
    }

    private BrokenLineException broken(final String reason)
    {
        return new BrokenLineException(input.line(), reason);
    }
}

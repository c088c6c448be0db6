package org.onesided.tools.kvctl.pairs;

import java.io.IOException;

/**
 * Reads what {@link TsvWriter} writes. A tab in a value is refused: it is likely to be a mistake, and has an
 * escape.
 */
final class TsvReader implements PairReader
{
    private final LineInput input;
    private final FieldReader fields;
    private final PairLimits limits;
    private final ByteSink keySink;
    private final ByteSink valueSink;
    private byte[] key;
    private byte[] value;

    TsvReader(final LineInput input, final PairLimits limits)
    {
        this.input = input;
        fields = new FieldReader(input);
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

        if (fields.read(keySink) == FieldReader.END)
        {
            throw broken("there is no tab between key and value");
        }
        if (keySink.length() == 0)
        {
            throw broken("the key is empty");
        }
        if (fields.read(valueSink) != FieldReader.END)
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

    private BrokenLineException broken(final String reason)
    {
        return fields.broken(reason);
    }
}

package org.onesided.tools.kvctl.pairs;

import java.io.IOException;

/**
 * Reads the output of {@link TsvWriter}. Refuses a tab in a value, which is probably a mistake and has an escape.
 */
final class TsvReader extends PairReader
{
    private final FieldReader fields;

    TsvReader(final LineInput input, final PairLimits limits)
    {
        super(input, limits);
        fields = new FieldReader(input);
    }

    @Override
    void readLine() throws BrokenLineException, IOException
    {
        if (fields.read(keySink()) == FieldReader.END)
        {
            throw broken("the line has no tab between key and value");
        }
        if (keySink().length() == 0)
        {
            throw broken("the key is empty");
        }
        if (fields.read(valueSink()) != FieldReader.END)
        {
            throw broken("the line has a second tab: write \\t for one in a value");
        }
        keepKey();
        keepValue();
    }
}

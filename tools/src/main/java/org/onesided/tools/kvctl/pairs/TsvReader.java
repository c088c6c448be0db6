package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;

/**
 * Reads the output of {@link TsvWriter}. Refuses a tab in a value, which is probably a mistake and has an escape.
 * Ignores a version.
 */
final class TsvReader extends PairReader
{
    /** Longer than any column behind the value. */
    private static final int MAX_COLUMN = 64;

    private final FieldReader fields;
    private final ByteSink column = new ByteSink(MAX_COLUMN);

    TsvReader(final LineInput input, final PairLimits limits, final PairEncodings encodings)
    {
        super(input, limits, encodings);
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
        int end = fields.read(valueSink());
        while (end != FieldReader.END)
        {
            end = readColumn();
        }
        keepKey();
        keepValue();
    }

    /** Returns what ended the column. */
    private int readColumn() throws BrokenLineException, IOException
    {
        column.clear();
        final int end = fields.read(column);
        final String text = column.isOverfull() ? "" : new String(column.take(), UTF_8);
        if (text.startsWith(TsvWriter.VERSION))
        {
            checkVersion(text.substring(TsvWriter.VERSION.length()));
        }
        else if (text.startsWith(TsvWriter.EXPIRES))
        {
            keepExpiry(text.substring(TsvWriter.EXPIRES.length()));
        }
        else
        {
            throw broken("the line has a second tab: write \\t for one in a value");
        }
        return end;
    }
}

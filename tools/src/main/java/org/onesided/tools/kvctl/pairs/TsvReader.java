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
            readVersion();
        }
        keepKey();
        keepValue();
    }

    private void readVersion() throws BrokenLineException, IOException
    {
        column.clear();
        final boolean isLast = fields.read(column) == FieldReader.END;
        final boolean isWhole = isLast && !column.isOverfull();
        final String text = isWhole ? new String(column.take(), UTF_8) : "";
        if (!text.startsWith(TsvWriter.VERSION))
        {
            throw broken("the line has a second tab: write \\t for one in a value");
        }
        checkVersion(text.substring(TsvWriter.VERSION.length()));
    }
}

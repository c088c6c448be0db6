package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.onesided.client.types.Version;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.pairs.Escapes;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.kvctl.pairs.PairWriter;
import org.onesided.tools.text.Amounts;
import org.onesided.tools.text.Table;

/**
 * Prints pairs that were looked up: plain or as JSON in the forms that {@code kvctl import} reads, or as a table. Not
 * thread-safe.
 */
final class PairPrinter
{
    /** Bytes of a key or value that a table shows. */
    private static final int MAX_SHOWN = 48;
    /** Rows of a table with a common head. */
    private static final int MAX_ROWS = 1_000;

    private final OutputStream output;
    private final PairWriter writer;
    private Table table;
    private int rows;

    PairPrinter(final OutputForm form, final OutputStream output)
    {
        this(output, switch (form)
        {
            case PLAIN -> PairFormat.TSV.writer(output);
            case JSON -> PairFormat.JSONL.writer(output);
            case TABLE -> null;
        });
    }

    PairPrinter(final PairFormat format, final OutputStream output)
    {
        this(output, format.writer(output));
    }

    private PairPrinter(final OutputStream output, final PairWriter writer)
    {
        this.output = output;
        this.writer = writer;
    }

    void print(final byte[] key, final byte[] value) throws IOException
    {
        print(key, value, null, null);
    }

    /** All pairs have a version, or none has. A table has no column for {@code expiry}. */
    void print(final byte[] key, final byte[] value, final Version version, final Instant expiry) throws IOException
    {
        if (writer != null)
        {
            writer.write(key, value, version, expiry);
            return;
        }
        if (rows == 0)
        {
            table = version == null ? new Table("key", "value", "size") :
                new Table("key", "value", "size", "version");
        }
        final String shownKey = Escapes.text(key, MAX_SHOWN);
        final String shownValue = Escapes.text(value, MAX_SHOWN);
        final String size = Amounts.size(value.length);
        if (version == null)
        {
            table.row(shownKey, shownValue, size);
        }
        else
        {
            table.row(shownKey, shownValue, size, version);
        }
        rows++;
        if (rows == MAX_ROWS)
        {
            flush();
        }
    }

    /** Flushes the output; the columns of a table are as wide as the rows so far. */
    void flush() throws IOException
    {
        if (writer != null)
        {
            writer.flush();
        }
        else if (rows > 0)
        {
            output.write(table.toString().getBytes(StandardCharsets.UTF_8));
            rows = 0;
        }
    }
}

package org.onesided.tools.kvctl;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.onesided.tools.kvctl.pairs.Escapes;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.kvctl.pairs.PairWriter;
import org.onesided.tools.text.Amounts;
import org.onesided.tools.text.Table;

/**
 * Prints pairs that were looked up: plain as {@code kvctl import} reads them, as JSON likewise, or as a table. Not
 * thread-safe.
 */
final class PairPrinter
{
    /** So many bytes of a key or value are in a table. */
    private static final int MAX_SHOWN = 48;

    private final OutputStream output;
    private final PairWriter writer;
    private final Table table = new Table("key", "value", "size");

    PairPrinter(final OutputForm form, final OutputStream output)
    {
        this.output = output;
        writer = switch (form)
        {
            case PLAIN -> PairFormat.TSV.writer(output);
            case JSON -> PairFormat.JSONL.writer(output);
            case TABLE -> null;
        };
    }

    void print(final byte[] key, final byte[] value) throws IOException
    {
        if (writer == null)
        {
            table.row(Escapes.text(key, MAX_SHOWN), Escapes.text(value, MAX_SHOWN), Amounts.size(value.length));
        }
        else
        {
            writer.write(key, value);
        }
    }

    /** Hands on what was printed; a table is whole only now. */
    void flush() throws IOException
    {
        if (writer != null)
        {
            writer.flush();
        }
        else if (!table.isEmpty())
        {
            output.write(table.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}

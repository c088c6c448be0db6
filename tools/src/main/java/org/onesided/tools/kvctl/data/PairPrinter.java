package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.onesided.client.types.Version;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.pairs.PairEncodings;
import org.onesided.tools.kvctl.pairs.PairFormat;
import org.onesided.tools.kvctl.pairs.PairWriter;
import org.onesided.tools.settings.LifeTime;
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
    private final PairEncodings encodings;
    private final PairWriter writer;
    private final boolean hasVersions;
    private final boolean hasExpiries;
    private Table table;
    private int rows;

    /** For pairs without more. */
    PairPrinter(final OutputForm form, final OutputStream output, final PairEncodings encodings)
    {
        this(form, output, encodings, false, false);
    }

    /**
     * @param encodings   of keys and values.
     * @param hasVersions whether pairs are printed with their versions.
     * @param hasExpiries whether pairs are printed with the times when their keys expire.
     */
    PairPrinter(
        final OutputForm form,
        final OutputStream output,
        final PairEncodings encodings,
        final boolean hasVersions,
        final boolean hasExpiries)
    {
        this(output, encodings, switch (form)
        {
            case PLAIN -> PairFormat.TSV.writer(output, encodings);
            case JSON -> PairFormat.JSONL.writer(output, encodings);
            case TABLE -> null;
        }, hasVersions, hasExpiries);
    }

    /** As above, for the form of a file. */
    PairPrinter(
        final PairFormat format,
        final OutputStream output,
        final PairEncodings encodings,
        final boolean hasVersions,
        final boolean hasExpiries)
    {
        this(output, encodings, format.writer(output, encodings), hasVersions, hasExpiries);
    }

    private PairPrinter(
        final OutputStream output,
        final PairEncodings encodings,
        final PairWriter writer,
        final boolean hasVersions,
        final boolean hasExpiries)
    {
        this.output = output;
        this.encodings = encodings;
        this.writer = writer;
        this.hasVersions = hasVersions;
        this.hasExpiries = hasExpiries;
    }

    void print(final byte[] key, final byte[] value) throws IOException
    {
        print(key, value, null, null);
    }

    /**
     * @param version of the value; null for a printer without versions.
     * @param expiry  when the key expires, or null for never; null for a printer without times.
     */
    void print(final byte[] key, final byte[] value, final Version version, final Instant expiry) throws IOException
    {
        if (writer != null)
        {
            writer.write(key, value, version, expiry);
            return;
        }
        if (rows == 0)
        {
            table = new Table(columns("key", "value", "size", "version", "expires"));
        }
        table.row((Object[])columns(
            encodings.key().shown(key, MAX_SHOWN), encodings.value().shown(value, MAX_SHOWN),
            Amounts.size(value.length), String.valueOf(version), expiry == null ? LifeTime.NEVER : expiry.toString()));
        rows++;
        if (rows == MAX_ROWS)
        {
            flush();
        }
    }

    private String[] columns(
        final String key, final String value, final String size, final String version, final String expiry)
    {
        final List<String> columns = new ArrayList<>(List.of(key, value, size));
        if (hasVersions)
        {
            columns.add(version);
        }
        if (hasExpiries)
        {
            columns.add(expiry);
        }
        return columns.toArray(new String[0]);
    }

    /** JSON shows a key that was not found, too. */
    void printAbsent(final byte[] key) throws IOException
    {
        if (writer != null)
        {
            writer.writeAbsent(key);
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

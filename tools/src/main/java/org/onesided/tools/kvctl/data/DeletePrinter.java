package org.onesided.tools.kvctl.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.text.Table;

/**
 * Prints the fate of keys to delete: as lines of key, tab and {@code deleted} or {@code absent}, with the escapes of
 * {@code kvctl import}; as JSON, one object per line; or as a table. Not thread-safe.
 */
final class DeletePrinter
{
    private final OutputForm form;
    private final KeyEncodingOption keys;
    private final OutputStream output;
    private final StringBuilder lines = new StringBuilder();
    private final Table table = new Table("key", "result");

    /**
     * @param form   to print in, null to print nothing.
     * @param keys   how keys are written.
     * @param output to print to.
     */
    DeletePrinter(final OutputForm form, final KeyEncodingOption keys, final OutputStream output)
    {
        this.form = form;
        this.keys = keys;
        this.output = output;
    }

    void print(final byte[] key, final boolean isDeleted)
    {
        if (form == null)
        {
            return;
        }
        final String result = isDeleted ? "deleted" : "absent";
        switch (form)
        {
            case PLAIN -> lines.append(keys.encoding().text(key)).append('\t').append(result).append('\n');
            case JSON -> lines.append(
                new Figures().bytes("key", key, keys.encoding()).add("deleted", isDeleted).json()).append('\n');
            case TABLE -> table.row(keys.text(key), result);
        }
    }

    /** Flushes the output. */
    void flush() throws IOException
    {
        final String text = lines + (table.isEmpty() ? "" : table.toString());
        if (!text.isEmpty())
        {
            output.write(text.getBytes(UTF_8));
        }
        lines.setLength(0);
    }
}

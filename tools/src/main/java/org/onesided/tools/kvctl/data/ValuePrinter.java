package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.io.OutputStream;
import org.onesided.tools.kvctl.console.OutputForm;

/**
 * Prints the value of one key: exactly its bytes, or the pair as JSON or as a table.
 */
final class ValuePrinter
{
    private ValuePrinter()
    {
    }

    static void print(final OutputForm form, final OutputStream output, final byte[] key, final byte[] value)
        throws IOException
    {
        if (form == OutputForm.PLAIN)
        {
            output.write(value);
            return;
        }
        final PairPrinter printer = new PairPrinter(form, output);
        printer.print(key, value);
        printer.flush();
    }
}

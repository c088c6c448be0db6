package org.onesided.tools.kvctl.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.pairs.ByteEncoding;
import org.onesided.tools.kvctl.pairs.PairEncodings;

/**
 * Prints the value of one key: exactly its bytes, a line with their text, or the pair as JSON or as a table.
 */
final class ValuePrinter
{
    private ValuePrinter()
    {
    }

    static void print(
        final OutputForm form,
        final OutputStream output,
        final PairEncodings encodings,
        final byte[] key,
        final byte[] value)
        throws IOException
    {
        if (form == OutputForm.PLAIN)
        {
            output.write(encodings.value() == ByteEncoding.UTF8 ? value :
                (encodings.value().text(value) + "\n").getBytes(UTF_8));
            return;
        }
        final PairPrinter printer = new PairPrinter(form, output, encodings);
        printer.print(key, value);
        printer.flush();
    }
}

package org.onesided.tools.kvctl.data;

import java.io.InputStream;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.pairs.PairEncodings;
import org.onesided.tools.kvctl.pairs.PairFormat;

/**
 * Lines of pairs to read.
 *
 * @param input     to read; the caller closes it.
 * @param name      of the input, for messages.
 * @param format    of its lines.
 * @param encodings of its keys and values.
 */
record PairSource(InputStream input, String name, PairFormat format, PairEncodings encodings)
{
    /** With encodings as given on the command line. */
    static PairSource of(
        final InputStream input,
        final String name,
        final PairFormat format,
        final KeyEncodingOption keys,
        final ValueEncodingOption values)
    {
        if (format == PairFormat.JSONL && (keys.isTyped() || values.isTyped()))
        {
            throw new CommandException(ExitCode.USAGE,
                (keys.isTyped() ? KeyEncodingOption.NAME : ValueEncodingOption.NAME) + " is not of jsonl, whose " +
                    "fields tell their encoding by name: key, key64, key_hex, key_escaped, value, value64 and so on");
        }
        return new PairSource(input, name, format, new PairEncodings(keys.encoding(), values.encoding()));
    }
}

package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import org.onesided.client.types.Version;

/**
 * Writes a line per pair: key, tab, value, both with {@link Escapes}. What else is known of a pair follows in further
 * columns, each with its name.
 */
final class TsvWriter implements PairWriter
{
    /** Begins the column of the version. */
    static final String VERSION = "version=";
    /** Begins the column of the time when the key expires, in milliseconds since 1970. */
    static final String EXPIRES = "expires=";

    private final OutputStream output;

    TsvWriter(final OutputStream output)
    {
        this.output = new UnlockedBuffer(output);
    }

    @Override
    public void write(final byte[] key, final byte[] value, final Version version, final Instant expiry)
        throws IOException
    {
        Escapes.write(key, output);
        output.write('\t');
        Escapes.write(value, output);
        if (version != null)
        {
            output.write('\t');
            output.write((VERSION + version).getBytes(US_ASCII));
        }
        if (expiry != null)
        {
            output.write('\t');
            output.write((EXPIRES + expiry.toEpochMilli()).getBytes(US_ASCII));
        }
        output.write('\n');
    }

    @Override
    public void flush() throws IOException
    {
        output.flush();
    }
}

package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import org.onesided.client.types.Version;

/**
 * Writes a line per pair: key, tab, value, both with {@link Escapes} or in base64 or digits. What else is known of a
 * pair follows in further columns, each with its name.
 */
final class TsvWriter implements PairWriter
{
    /** Begins the column of the version. */
    static final String VERSION = "version=";
    /** Begins the column of the time when the key expires, in milliseconds since 1970. */
    static final String EXPIRES = "expires=";

    private final OutputStream output;

    private final PairEncodings encodings;

    TsvWriter(final OutputStream output, final PairEncodings encodings)
    {
        this.output = new UnlockedBuffer(output);
        this.encodings = encodings;
    }

    @Override
    public void write(final byte[] key, final byte[] value, final Version version, final Instant expiry)
        throws IOException
    {
        write(key, encodings.key());
        output.write('\t');
        write(value, encodings.value());
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

    private void write(final byte[] bytes, final ByteEncoding encoding) throws IOException
    {
        if (encoding.isEscapedInLines())
        {
            Escapes.write(bytes, output);
        }
        else
        {
            output.write(encoding.text(bytes).getBytes(US_ASCII));
        }
    }

    @Override
    public void flush() throws IOException
    {
        output.flush();
    }
}

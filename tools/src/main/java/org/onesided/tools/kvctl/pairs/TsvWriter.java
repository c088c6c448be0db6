package org.onesided.tools.kvctl.pairs;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a line per pair: key, tab, value, both with {@link Escapes}.
 */
final class TsvWriter implements PairWriter
{
    private final OutputStream output;

    TsvWriter(final OutputStream output)
    {
        this.output = new UnlockedBuffer(output);
    }

    @Override
    public void write(final byte[] key, final byte[] value) throws IOException
    {
        Escapes.write(key, output);
        output.write('\t');
        Escapes.write(value, output);
        output.write('\n');
    }

    @Override
    public void flush() throws IOException
    {
        output.flush();
    }
}

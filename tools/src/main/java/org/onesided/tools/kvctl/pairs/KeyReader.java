package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads keys, one per line, escaped as in a file of pairs. Not thread-safe.
 */
public final class KeyReader
{
    private final LineInput input;
    private final FieldReader fields;
    private final PairLimits limits;
    private final ByteEncoding encoding;
    private final ByteSink sink;
    private byte[] key;

    /**
     * @param input  to read; the caller closes it.
     * @param limits of keys; a key beyond them is a broken line.
     * @param encoding of the keys.
     */
    public KeyReader(final InputStream input, final PairLimits limits, final ByteEncoding encoding)
    {
        this.input = new LineInput(input);
        this.limits = limits;
        this.encoding = encoding;
        fields = new FieldReader(this.input);
        sink = new ByteSink(encoding.longestText(limits.maxKeyLength()));
    }

    /**
     * Reads the next line.
     *
     * @return whether there was a line; {@link #key} returns its key.
     * @throws BrokenLineException if the line contains no key.
     * @throws IOException         if the input cannot be read.
     */
    public boolean next() throws BrokenLineException, IOException
    {
        if (!input.nextLine())
        {
            return false;
        }
        sink.clear();
        if (fields.read(sink) != FieldReader.END)
        {
            throw fields.broken("the line has a tab: write \\t in a key, and take the first column with cut -f 1");
        }
        if (sink.length() == 0)
        {
            throw fields.broken("the key is empty");
        }
        if (sink.isOverfull())
        {
            throw fields.broken(limits.keyTooLong(sink.length()));
        }
        key = decode(sink.take());
        return true;
    }

    private byte[] decode(final byte[] bytes) throws BrokenLineException
    {
        if (encoding.isEscapedInLines())
        {
            return bytes;
        }
        final byte[] decoded;
        try
        {
            decoded = encoding.bytes(new String(bytes, UTF_8));
        }
        catch (final IllegalArgumentException e)
        {
            throw fields.broken("the key " + e.getMessage());
        }
        if (decoded.length > limits.maxKeyLength())
        {
            throw fields.broken(limits.keyTooLong(decoded.length));
        }
        return decoded;
    }

    /**
     * @return the latest key, in an array of its own.
     */
    public byte[] key()
    {
        return key;
    }

    /**
     * @return bytes read from the input so far.
     */
    public long bytesRead()
    {
        return input.bytesTaken();
    }
}

package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Instant;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.Version;

/**
 * Reads pairs line by line. Not thread-safe.
 */
public abstract class PairReader
{
    private static final int MAX_SHOWN = 40;

    private final LineInput input;
    private final PairLimits limits;
    private final PairEncodings encodings;
    private final ByteSink keySink;
    private final ByteSink valueSink;
    private byte[] key;
    private byte[] value;
    private Expiry expiry;

    PairReader(final LineInput input, final PairLimits limits, final PairEncodings encodings)
    {
        this.input = input;
        this.limits = limits;
        this.encodings = encodings;
        keySink = new ByteSink(encodings.key().longestText(limits.maxKeyLength()));
        valueSink = new ByteSink(encodings.value().longestText(limits.maxValueLength()));
    }

    /**
     * Reads the next line.
     *
     * @return whether there was a line; {@link #key} and {@link #value} return its pair.
     * @throws BrokenLineException if the line contains no pair; the next call reads the next line.
     * @throws IOException         if the input cannot be read.
     */
    public final boolean next() throws BrokenLineException, IOException
    {
        if (!input.nextLine())
        {
            return false;
        }
        key = null;
        value = null;
        expiry = null;
        keySink.clear();
        valueSink.clear();
        readLine();
        return true;
    }

    /** Reads the line that begins, {@linkplain #keepKey key} and {@linkplain #keepValue value}. */
    abstract void readLine() throws BrokenLineException, IOException;

    final LineInput input()
    {
        return input;
    }

    final PairLimits limits()
    {
        return limits;
    }

    final ByteSink keySink()
    {
        return keySink;
    }

    final ByteSink valueSink()
    {
        return valueSink;
    }

    /** Keeps the bytes of the sink as the key. */
    final void keepKey() throws BrokenLineException
    {
        if (keySink.isOverfull())
        {
            throw broken(limits.keyTooLong(keySink.length()));
        }
        if (keySink.length() == 0)
        {
            throw broken("the key is empty");
        }
        keepKey(decode("key", keySink.take(), encodings.key()));
    }

    /** Keeps the bytes of the sink as the value. */
    final void keepValue() throws BrokenLineException
    {
        if (valueSink.isOverfull())
        {
            throw broken(limits.valueTooLong(valueSink.length()));
        }
        keepValue(decode("value", valueSink.take(), encodings.value()));
    }

    /** Keeps these bytes as the key. */
    final void keepKey(final byte[] bytes) throws BrokenLineException
    {
        if (bytes.length == 0)
        {
            throw broken("the key is empty");
        }
        if (bytes.length > limits.maxKeyLength())
        {
            throw broken(limits.keyTooLong(bytes.length));
        }
        key = bytes;
    }

    /** Keeps these bytes as the value. */
    final void keepValue(final byte[] bytes) throws BrokenLineException
    {
        if (bytes.length > limits.maxValueLength())
        {
            throw broken(limits.valueTooLong(bytes.length));
        }
        value = bytes;
    }

    /** Decodes what a line has as text; escapes are already undone. */
    private byte[] decode(final String field, final byte[] bytes, final ByteEncoding encoding)
        throws BrokenLineException
    {
        return encoding.isEscapedInLines() ? bytes : decode(field, new String(bytes, UTF_8), encoding);
    }

    /** Decodes a text of the line. */
    final byte[] decode(final String field, final String text, final ByteEncoding encoding) throws BrokenLineException
    {
        try
        {
            return encoding.bytes(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw broken("the " + field + " " + e.getMessage());
        }
    }

    /** Checks a version, which belongs to the table that it was exported from: an imported pair gets another. */
    final void checkVersion(final String text) throws BrokenLineException
    {
        try
        {
            Version.parse(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw broken("not a version: " + Escapes.text(text.getBytes(UTF_8), MAX_SHOWN));
        }
    }

    /** Keeps a time, in milliseconds since 1970, when the key expires. */
    final void keepExpiry(final String text) throws BrokenLineException
    {
        if (expiry != null)
        {
            throw broken("the time of expiry is given twice");
        }
        try
        {
            expiry = Expiry.at(Instant.ofEpochMilli(Long.parseLong(text)));
        }
        catch (final IllegalArgumentException e)
        {
            throw broken("not a time of expiry, in milliseconds since 1970 and before 2900: " +
                Escapes.text(text.getBytes(UTF_8), MAX_SHOWN));
        }
    }

    final BrokenLineException broken(final String reason)
    {
        return new BrokenLineException(input.line(), reason);
    }

    /**
     * @return the latest key, in an array of its own.
     */
    public final byte[] key()
    {
        return key;
    }

    /**
     * @return the latest value, in an array of its own.
     */
    public final byte[] value()
    {
        return value;
    }

    /**
     * @return when the latest key expires, or null if its line does not say so.
     */
    public final Expiry expiry()
    {
        return expiry;
    }

    /**
     * @return number of the latest line, from 1.
     */
    public final long line()
    {
        return input.line();
    }

    /**
     * @return bytes read from the input so far.
     */
    public final long bytesRead()
    {
        return input.bytesTaken();
    }
}

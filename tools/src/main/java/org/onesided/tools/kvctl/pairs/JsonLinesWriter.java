package org.onesided.tools.kvctl.pairs;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.onesided.client.types.Version;

/**
 * Writes an object per line: {@code {"key":"...","value":"..."}}. A key or value that is not UTF-8 is written as base64
 * in a field named {@code key64} or {@code value64} instead, and each in a field such as {@code key_hex} if that is
 * asked for. The value of an absent key is null. What else is known of a pair follows in further fields.
 */
final class JsonLinesWriter implements PairWriter
{
    static final String KEY = "key";
    static final String VALUE = "value";
    static final String VERSION = "version";
    /** A number: when the key expires, in milliseconds since 1970. */
    static final String EXPIRES = "expires";

    private static final int BUFFER_LENGTH = 64 << 10;

    private final JsonGenerator generator;
    private final PairEncodings encodings;

    JsonLinesWriter(final OutputStream output, final PairEncodings encodings)
    {
        this.encodings = encodings;
        try
        {
            generator = new JsonFactory().createGenerator(
                new BufferedOutputStream(output, BUFFER_LENGTH), JsonEncoding.UTF8);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        generator.setPrettyPrinter(new MinimalPrettyPrinter(""));
    }

    @Override
    public void write(final byte[] key, final byte[] value, final Version version, final Instant expiry)
        throws IOException
    {
        generator.writeStartObject();
        JsonBytes.write(generator, KEY, key, encodings.key());
        JsonBytes.write(generator, VALUE, value, encodings.value());
        if (version != null)
        {
            generator.writeStringField(VERSION, version.toString());
        }
        if (expiry != null)
        {
            generator.writeNumberField(EXPIRES, expiry.toEpochMilli());
        }
        generator.writeEndObject();
        generator.writeRaw('\n');
    }

    @Override
    public void writeAbsent(final byte[] key) throws IOException
    {
        generator.writeStartObject();
        JsonBytes.write(generator, KEY, key, encodings.key());
        generator.writeNullField(VALUE);
        generator.writeEndObject();
        generator.writeRaw('\n');
    }

    @Override
    public void flush() throws IOException
    {
        generator.flush();
    }
}

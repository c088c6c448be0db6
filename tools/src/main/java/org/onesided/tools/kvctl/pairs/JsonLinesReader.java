package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;

/**
 * Reads the output of {@link JsonLinesWriter}, with the fields in any order. Ignores a version.
 */
final class JsonLinesReader extends PairReader
{
    private static final int MAX_MESSAGE_LENGTH = 120;

    private final JsonFactory factory;

    JsonLinesReader(final LineInput input, final PairLimits limits)
    {
        super(input, limits, PairEncodings.USUAL);
        // A text in UTF-8 has at most as many characters as bytes, one with escapes up to four for each.
        factory = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                .maxStringLength(
                    ByteEncoding.ESCAPED.longestText(Math.max(limits.maxValueLength(), limits.maxKeyLength())))
                .build())
            .build();
    }

    @Override
    void readLine() throws BrokenLineException, IOException
    {
        // Jackson accepts some malformed UTF-8; the decoder does not.
        final Reader text = new InputStreamReader(input(), UTF_8.newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
        try (JsonParser parser = factory.createParser(text))
        {
            readObject(parser);
        }
        catch (final CharacterCodingException e)
        {
            throw broken("the line is not UTF-8: give such bytes in base64, as key64 or value64");
        }
        catch (final JsonProcessingException e)
        {
            throw broken("not JSON: " + firstLine(e.getOriginalMessage()));
        }
        if (key() == null || value() == null)
        {
            throw broken("the field is missing: " + (key() == null ? "key" : "value"));
        }
    }

    private void readObject(final JsonParser parser) throws BrokenLineException, IOException
    {
        if (parser.nextToken() != JsonToken.START_OBJECT)
        {
            throw broken("a line holds one object: {\"key\":...,\"value\":...}");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME)
        {
            readField(parser, parser.currentName());
        }
        if (parser.nextToken() != null)
        {
            throw broken("the line has text after the object");
        }
    }

    private void readField(final JsonParser parser, final String name) throws BrokenLineException, IOException
    {
        if (name.equals(JsonLinesWriter.VERSION))
        {
            requireText(parser, name);
            checkVersion(parser.getText());
            return;
        }
        if (name.equals(JsonLinesWriter.EXPIRES))
        {
            readExpiry(parser);
            return;
        }
        final ByteEncoding encoding = encoding(name);
        final String plainName = name.substring(0, name.length() - encoding.jsonSuffix().length());
        final boolean isKey = plainName.equals(JsonLinesWriter.KEY);
        if (!isKey && !plainName.equals(JsonLinesWriter.VALUE))
        {
            throw broken("unknown field: " + Escapes.text(name.getBytes(UTF_8), 40) +
                ": there are key, value, version, expires, and key64, key_hex, key_escaped, value64 and so on");
        }
        if ((isKey ? key() : value()) != null)
        {
            throw broken("the field is given twice: " + plainName);
        }
        requireText(parser, name);
        final ByteSink sink = isKey ? keySink() : valueSink();
        if (encoding == ByteEncoding.HEX || encoding == ByteEncoding.ESCAPED)
        {
            keep(isKey, decode(plainName, parser.getText(), encoding));
            return;
        }
        if (encoding == ByteEncoding.BASE64)
        {
            readBase64(parser, sink, name);
        }
        else
        {
            readText(parser, sink, name);
        }
        if (isKey)
        {
            keepKey();
        }
        else
        {
            keepValue();
        }
    }

    private void keep(final boolean isKey, final byte[] bytes) throws BrokenLineException
    {
        if (isKey)
        {
            keepKey(bytes);
        }
        else
        {
            keepValue(bytes);
        }
    }

    /** The encoding that the name of a field tells. */
    private static ByteEncoding encoding(final String name)
    {
        for (final ByteEncoding encoding : ByteEncoding.values())
        {
            if (encoding != ByteEncoding.UTF8 && name.endsWith(encoding.jsonSuffix()))
            {
                return encoding;
            }
        }
        return ByteEncoding.UTF8;
    }

    private void readExpiry(final JsonParser parser) throws BrokenLineException, IOException
    {
        if (parser.nextToken() != JsonToken.VALUE_NUMBER_INT)
        {
            throw broken("the field must be a whole number, of milliseconds since 1970: " + JsonLinesWriter.EXPIRES);
        }
        keepExpiry(parser.getText());
    }

    private void requireText(final JsonParser parser, final String name) throws BrokenLineException, IOException
    {
        if (parser.nextToken() != JsonToken.VALUE_STRING)
        {
            throw broken("the field must be a string: " + name);
        }
    }

    private void readText(final JsonParser parser, final ByteSink sink, final String name)
        throws BrokenLineException, IOException
    {
        try (Writer encoder = new OutputStreamWriter(sink, UTF_8.newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT)))
        {
            parser.getText(encoder);
        }
        catch (final StreamConstraintsException e)
        {
            throw broken("the " + name + " is too long: longest=" +
                (name.equals(JsonLinesWriter.KEY) ? limits().maxKeyLength() : limits().maxValueLength()));
        }
    }

    private void readBase64(final JsonParser parser, final ByteSink sink, final String name)
        throws BrokenLineException, IOException
    {
        try
        {
            parser.readBinaryValue(sink);
        }
        catch (final JsonParseException | IllegalArgumentException e)
        {
            throw broken("the field is not base64: " + name);
        }
    }

    private static String firstLine(final String message)
    {
        final int end = message.indexOf('\n');
        return Escapes.text((end < 0 ? message : message.substring(0, end)).getBytes(UTF_8), MAX_MESSAGE_LENGTH);
    }
}

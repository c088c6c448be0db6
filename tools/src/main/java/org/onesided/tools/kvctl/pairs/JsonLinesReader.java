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
        super(input, limits);
        // A string has at most as many characters as its UTF-8 form has bytes.
        factory = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                .maxStringLength(Math.max(limits.maxValueLength(), limits.maxKeyLength()))
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
        final boolean isBase64 = name.endsWith(JsonBytes.BASE64);
        final String plainName = isBase64 ? name.substring(0, name.length() - 2) : name;
        final boolean isKey = plainName.equals(JsonLinesWriter.KEY);
        if (!isKey && !plainName.equals(JsonLinesWriter.VALUE))
        {
            throw broken("unknown field: " + Escapes.text(name.getBytes(UTF_8), 40) +
                ": there are key, key64, value, value64, version, expires");
        }
        if ((isKey ? key() : value()) != null)
        {
            throw broken("the field is given twice: " + plainName);
        }
        requireText(parser, name);
        final ByteSink sink = isKey ? keySink() : valueSink();
        if (isBase64)
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

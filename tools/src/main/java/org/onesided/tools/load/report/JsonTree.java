package org.onesided.tools.load.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON object in memory: maps, lists, strings, numbers, booleans and nulls.
 */
final class JsonTree
{
    private JsonTree()
    {
    }

    /**
     * @param factory of the parser, which limits depth and lengths.
     * @param json    one object.
     * @return the object.
     * @throws IllegalArgumentException if it is something else; the message is one line with the location.
     */
    static Map<String, Object> parse(final JsonFactory factory, final byte[] json)
    {
        try (JsonParser parser = factory.createParser(json))
        {
            if (parser.nextToken() != JsonToken.START_OBJECT)
            {
                throw new IllegalArgumentException("is no JSON object: bytes=" + json.length);
            }
            final Map<String, Object> tree = object(parser);
            if (parser.nextToken() != null)
            {
                throw new IllegalArgumentException(
                    "something follows the JSON object: line=" + parser.currentTokenLocation().getLineNr());
            }
            return tree;
        }
        catch (final JsonProcessingException e)
        {
            // The parser reports no location for a limit of its own.
            throw new IllegalArgumentException(e.getLocation() == null ?
                "is JSON with too deep nesting or too long a number" :
                "is not JSON: line=" + e.getLocation().getLineNr(), e);
        }
        catch (final IOException e)
        {
            // Invalid characters in the encoding that the first bytes suggest.
            throw new IllegalArgumentException("is not JSON, its bytes are no text", e);
        }
    }

    private static Map<String, Object> object(final JsonParser parser) throws IOException
    {
        final Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT)
        {
            final String name = parser.currentName();
            parser.nextToken();
            fields.put(name, value(parser));
        }
        return fields;
    }

    private static List<Object> array(final JsonParser parser) throws IOException
    {
        final List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY)
        {
            elements.add(value(parser));
        }
        return elements;
    }

    private static Object value(final JsonParser parser) throws IOException
    {
        return switch (parser.currentToken())
        {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }

    private static Number number(final JsonParser parser) throws IOException
    {
        final Number number = parser.getNumberValue();
        if (!Double.isFinite(number.doubleValue()))
        {
            throw new IllegalArgumentException(
                "a number is too large: line=" + parser.currentTokenLocation().getLineNr());
        }
        return number;
    }
}

package org.onesided.benchmark.peers;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as maps, lists, texts, doubles and booleans.
 */
final class Json
{
    private static final JsonFactory FACTORY = new JsonFactory();
    /** More digits would only be noise. */
    private static final MathContext DIGITS = new MathContext(6);

    private Json()
    {
    }

    static String write(final Object tree) throws IOException
    {
        final StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text))
        {
            final DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
            generator.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(indenter));
            write(generator, tree);
        }
        return text + "\n";
    }

    private static void write(final JsonGenerator generator, final Object tree) throws IOException
    {
        if (tree instanceof Map<?, ?> map)
        {
            generator.writeStartObject();
            for (final Map.Entry<?, ?> entry : map.entrySet())
            {
                generator.writeFieldName((String)entry.getKey());
                write(generator, entry.getValue());
            }
            generator.writeEndObject();
        }
        else if (tree instanceof List<?> list)
        {
            generator.writeStartArray();
            for (final Object element : list)
            {
                write(generator, element);
            }
            generator.writeEndArray();
        }
        else if (tree instanceof Number number)
        {
            generator.writeNumber(new BigDecimal(number.toString()).round(DIGITS).stripTrailingZeros().toPlainString());
        }
        else if (tree instanceof Boolean value)
        {
            generator.writeBoolean(value);
        }
        else
        {
            generator.writeString((String)tree);
        }
    }

    static Object read(final String text) throws IOException
    {
        try (JsonParser parser = FACTORY.createParser(text))
        {
            parser.nextToken();
            return read(parser);
        }
    }

    private static Object read(final JsonParser parser) throws IOException
    {
        return switch (parser.currentToken())
        {
            case START_OBJECT ->
            {
                final Map<String, Object> map = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT)
                {
                    final String name = parser.currentName();
                    parser.nextToken();
                    map.put(name, read(parser));
                }
                yield map;
            }
            case START_ARRAY ->
            {
                final List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY)
                {
                    list.add(read(parser));
                }
                yield list;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_STRING -> parser.getText();
            default -> throw new IOException("unexpected JSON: token=" + parser.currentToken());
        };
    }
}

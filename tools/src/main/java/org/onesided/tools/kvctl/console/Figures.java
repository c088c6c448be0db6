package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.onesided.tools.kvctl.pairs.ByteEncoding;
import org.onesided.tools.kvctl.pairs.JsonBytes;
import org.onesided.tools.text.Amounts;
import org.onesided.tools.text.Table;

/**
 * Named figures in order, and groups of them, for programs: one JSON object, or lines of name, blank and value. Not
 * thread-safe.
 */
public final class Figures
{
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** A key or value. */
    private record Encoded(byte[] bytes, ByteEncoding encoding)
    {
    }

    /**
     * Adds a figure.
     *
     * @param name  in lower case, with {@code _} between its words and its unit at the end.
     * @param value a String, Long, Integer, Double or Boolean.
     * @return this.
     */
    public Figures add(final String name, final Object value)
    {
        values.put(name, value);
        return this;
    }

    /**
     * Adds a list of groups.
     *
     * @param name of the list, as of a figure.
     * @param groups in their order.
     * @return this.
     */
    public Figures list(final String name, final List<Figures> groups)
    {
        values.put(name, groups);
        return this;
    }

    /**
     * Adds an empty group.
     *
     * @param name of the group, as of a figure.
     * @return the group, to be filled.
     */
    public Figures group(final String name)
    {
        final Figures group = new Figures();
        values.put(name, group);
        return group;
    }

    /**
     * Adds a key or value. In JSON, bytes that are not UTF-8 are in base64, in a figure whose name ends in {@code 64}.
     *
     * @param name as of a figure.
     * @param value of any bytes.
     * @return this.
     */
    public Figures bytes(final String name, final byte[] value)
    {
        return bytes(name, value, ByteEncoding.UTF8);
    }

    /**
     * Adds a key or value in an encoding. The name of its figure in JSON tells the encoding.
     *
     * @param name     as of a figure.
     * @param value    of any bytes.
     * @param encoding to write it in.
     * @return this.
     */
    public Figures bytes(final String name, final byte[] value, final ByteEncoding encoding)
    {
        values.put(name, new Encoded(value.clone(), encoding));
        return this;
    }

    /**
     * Writes the figures in a form; as a table, one column per figure.
     *
     * @param form to write in.
     * @return the figures, with a line end.
     */
    public String text(final OutputForm form)
    {
        return switch (form)
        {
            case JSON -> json() + '\n';
            case PLAIN -> plain();
            case TABLE -> table();
        };
    }

    private String table()
    {
        final Map<String, Object> cells = new LinkedHashMap<>();
        values.forEach((name, value) -> cells.put(name.replace('_', ' '),
            value instanceof Long count ? Amounts.count(count) :
                value instanceof Encoded bytes ? Text.key(bytes.bytes(), bytes.encoding()) :
                value instanceof Double number ? decimal(number) : value));
        return new Table(cells.keySet().toArray(String[]::new)).row(cells.values().toArray()).toString();
    }

    /**
     * Writes one JSON object.
     *
     * @return one line, without a line end.
     */
    public String json()
    {
        final ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (JsonGenerator generator = new JsonFactory().createGenerator(text, JsonEncoding.UTF8))
        {
            write(generator);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return text.toString(UTF_8);
    }

    /**
     * Writes one line per figure. The name of a figure in a group begins with the group's name and a dot, in a list
     * also with its number and a dot.
     *
     * @return the lines.
     */
    public String plain()
    {
        final StringBuilder text = new StringBuilder();
        plain("", text);
        return text.toString();
    }

    private void plain(final String prefix, final StringBuilder text)
    {
        values.forEach((name, value) ->
        {
            if (value instanceof Figures)
            {
                ((Figures)value).plain(prefix + name + ".", text);
            }
            else if (value instanceof List<?> list)
            {
                for (int i = 0; i < list.size(); i++)
                {
                    ((Figures)list.get(i)).plain(prefix + name + "." + i + ".", text);
                }
            }
            else
            {
                text.append(prefix).append(name).append(' ')
                    .append(value instanceof Double number ? decimal(number) :
                        value instanceof Encoded bytes ? bytes.encoding().text(bytes.bytes()) : value)
                    .append('\n');
            }
        });
    }

    private void write(final JsonGenerator generator) throws IOException
    {
        generator.writeStartObject();
        for (final Map.Entry<String, Object> each : values.entrySet())
        {
            final Object value = each.getValue();
            if (value instanceof Encoded bytes)
            {
                JsonBytes.write(generator, each.getKey(), bytes.bytes(), bytes.encoding());
                continue;
            }
            generator.writeFieldName(each.getKey());
            if (value instanceof Figures)
            {
                ((Figures)value).write(generator);
            }
            else if (value instanceof List<?> list)
            {
                generator.writeStartArray();
                for (final Object group : list)
                {
                    ((Figures)group).write(generator);
                }
                generator.writeEndArray();
            }
            else if (value instanceof Number)
            {
                generator.writeNumber(value instanceof Double ? decimal((Double)value) : value.toString());
            }
            else if (value instanceof Boolean)
            {
                generator.writeBoolean((Boolean)value);
            }
            else
            {
                generator.writeString((String)value);
            }
        }
        generator.writeEndObject();
    }

    private static String decimal(final double value)
    {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}

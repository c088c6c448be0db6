package org.onesided.tools.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An object within a result, whose fields are checked as they are asked for.
 *
 * @param path   of the object, with a dot behind it; empty for the result itself.
 * @param fields by name.
 */
record JsonPart(String path, Map<String, Object> fields)
{
    boolean isEmpty()
    {
        return fields.isEmpty();
    }

    String text(final String name)
    {
        texts(name);
        return (String)fields.get(name);
    }

    double number(final String name)
    {
        numbers(name);
        return ((Number)fields.get(name)).doubleValue();
    }

    void texts(final String... names)
    {
        require(String.class, "a text", names);
    }

    void numbers(final String... names)
    {
        require(Number.class, "a number", names);
    }

    void booleans(final String... names)
    {
        require(Boolean.class, "a boolean", names);
    }

    JsonPart object(final String name)
    {
        return part(path + name, fields.get(name), "an object", name);
    }

    List<JsonPart> objects(final String name)
    {
        final List<JsonPart> parts = new ArrayList<>();
        for (final Object element : list(name))
        {
            parts.add(part(path + name + '[' + parts.size() + ']', element, "a list of objects", name));
        }
        return parts;
    }

    List<?> list(final String name)
    {
        if (fields.get(name) instanceof List<?> list)
        {
            return list;
        }
        throw lack("a list", name);
    }

    void listOfTexts(final String name)
    {
        if (!list(name).stream().allMatch(String.class::isInstance))
        {
            throw lack("a list of texts", name);
        }
    }

    @SuppressWarnings("unchecked")
    private JsonPart part(final String where, final Object value, final String kind, final String name)
    {
        if (value instanceof Map<?, ?> map)
        {
            return new JsonPart(where + '.', (Map<String, Object>)map);
        }
        throw lack(kind, name);
    }

    private void require(final Class<?> type, final String kind, final String... names)
    {
        for (final String name : names)
        {
            if (!type.isInstance(fields.get(name)))
            {
                throw lack(kind, name);
            }
        }
    }

    IllegalArgumentException lack(final String kind, final String name)
    {
        return new IllegalArgumentException("result lacks " + kind + ": field=" + path + name);
    }
}

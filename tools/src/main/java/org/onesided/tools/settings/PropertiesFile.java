package org.onesided.tools.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A file in the format of {@link Properties}, in UTF-8. In contrast to {@link Properties}, it keeps the line of each
 * property and refuses duplicates. Immutable.
 */
public final class PropertiesFile
{
    /** More than any sensible file has; protects against a path to something else. */
    private static final int MAX_LENGTH = 1 << 20;

    private final Path path;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    private PropertiesFile(final Path path)
    {
        this.path = path;
    }

    /**
     * @param path of the file.
     * @return its properties.
     * @throws IOException            if it cannot be read.
     * @throws BrokenSettingException if it is not a file of properties, or has a duplicate.
     */
    public static PropertiesFile load(final Path path) throws IOException, BrokenSettingException
    {
        final PropertiesFile file = new PropertiesFile(path);
        final byte[] content;
        try (InputStream input = Files.newInputStream(path))
        {
            // The reported length may be wrong: /dev/zero has none and no end.
            content = input.readNBytes(MAX_LENGTH + 1);
        }
        if (content.length > MAX_LENGTH)
        {
            throw new BrokenSettingException(
                path.toString(), "too long for a file of properties: longest=" + MAX_LENGTH);
        }
        final List<String> text;
        try
        {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString().lines().toList();
        }
        catch (final CharacterCodingException e)
        {
            throw new BrokenSettingException(path.toString(), "not valid UTF-8, convert it: cause=" + e.getMessage());
        }
        file.parse(text);
        return file;
    }

    /**
     * @return values by name, in the order of the file.
     */
    public Map<String, String> values()
    {
        return Collections.unmodifiableMap(values);
    }

    /**
     * @param name of a property of the file.
     * @return its place, such as {@code server.properties:3}.
     */
    public String place(final String name)
    {
        return path + ":" + lines.get(name);
    }

    /**
     * @param other path, as given by a value.
     * @return the path, resolved against the folder of this file.
     */
    public Path resolve(final Path other)
    {
        return path.resolveSibling(other);
    }

    private void parse(final List<String> text) throws BrokenSettingException
    {
        int next = 0;
        while (next < text.size())
        {
            final int first = next;
            if (isBlankOrComment(text.get(next)))
            {
                // A comment ends with its line, even after a backslash.
                next++;
                continue;
            }
            final List<String> logical = new ArrayList<>();
            do
            {
                logical.add(text.get(next++));
            }
            while (next < text.size() && isContinued(logical.get(logical.size() - 1)));
            add(String.join("\n", logical), first + 1);
        }
    }

    private void add(final String logicalLine, final int line) throws BrokenSettingException
    {
        final Properties one = new Properties();
        try
        {
            one.load(new StringReader(logicalLine));
        }
        catch (final IOException | IllegalArgumentException e)
        {
            throw new BrokenSettingException(path + ":" + line, "not a property: " + e.getMessage());
        }
        for (final String name : one.stringPropertyNames())
        {
            final Integer former = lines.putIfAbsent(name, line);
            if (former != null)
            {
                throw new BrokenSettingException(
                    path + ":" + line, "given already in line " + former + ", remove one: '" + name + "'");
            }
            values.put(name, one.getProperty(name).strip());
        }
    }

    /** As in {@link Properties#load(java.io.Reader)}, only space, tab and form feed are white space. */
    private static boolean isBlankOrComment(final String line)
    {
        int begin = 0;
        while (begin < line.length() && " \t\f".indexOf(line.charAt(begin)) >= 0)
        {
            begin++;
        }
        return begin == line.length() || line.charAt(begin) == '#' || line.charAt(begin) == '!';
    }

    private static boolean isContinued(final String line)
    {
        int backslashes = 0;
        while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\')
        {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}

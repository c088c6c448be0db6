package org.onesided.tools.machine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files in which the system tells of itself, below a root that tests replace. What is missing or cannot be read
 * reads as empty.
 */
public class SystemFiles
{
    private final Path root;

    /**
     * Looks below a root.
     *
     * @param root of the file system.
     */
    public SystemFiles(final Path root)
    {
        this.root = root;
    }

    /**
     * The files of this machine.
     *
     * @return them all.
     */
    public static SystemFiles here()
    {
        return new SystemFiles(Path.of("/"));
    }

    /**
     * Where an absolute path lies below the root.
     *
     * @param file an absolute path.
     * @return the path below the root.
     */
    public Path path(final String file)
    {
        return root.resolve(file.substring(1));
    }

    /**
     * Whether there is such a file.
     *
     * @param file an absolute path.
     * @return whether there is.
     */
    public boolean exists(final String file)
    {
        return Files.exists(path(file));
    }

    /**
     * Whether this process may read and write the file, as far as its permissions tell.
     *
     * @param file an absolute path.
     * @return whether it may.
     */
    public boolean isUsable(final String file)
    {
        return Files.isReadable(path(file)) && Files.isWritable(path(file));
    }

    /**
     * Reads a text.
     *
     * @param file an absolute path.
     * @return its lines.
     */
    public List<String> lines(final String file)
    {
        try
        {
            return Files.isDirectory(path(file)) ? List.of() : Files.readAllLines(path(file), ISO_8859_1);
        }
        catch (final IOException e)
        {
            return List.of();
        }
    }

    /**
     * The first line, without blanks around it.
     *
     * @param file an absolute path.
     * @return the line.
     */
    public String line(final String file)
    {
        final List<String> lines = lines(file);
        return lines.isEmpty() ? "" : lines.get(0).strip();
    }

    /**
     * What a file of lines "name value" or "name: value" says of a name, without blanks around it.
     *
     * @param file an absolute path.
     * @param name with the colon, if there is one.
     * @return what stands behind the name.
     */
    public String value(final String file, final String name)
    {
        for (final String line : lines(file))
        {
            if (line.startsWith(name))
            {
                return line.substring(name.length()).strip();
            }
        }
        return "";
    }

    /**
     * The names in a directory, in their order.
     *
     * @param directory an absolute path.
     * @return the names.
     */
    public List<String> names(final String directory)
    {
        try (Stream<Path> files = Files.list(path(directory)))
        {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
        catch (final IOException e)
        {
            return List.of();
        }
    }

    /**
     * The last name of what a symbolic link points at.
     *
     * @param link an absolute path.
     * @return the name.
     */
    public String target(final String link)
    {
        try
        {
            final Path name = Files.readSymbolicLink(path(link)).getFileName();
            return name == null ? "" : name.toString();
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            return "";
        }
    }

    /**
     * Name of the file's group.
     *
     * @param file an absolute path.
     * @return the name.
     */
    public String group(final String file)
    {
        try
        {
            return String.valueOf(Files.getAttribute(path(file), "posix:group"));
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            return "";
        }
    }

    /**
     * The permission bits, in octal.
     *
     * @param file an absolute path.
     * @return the bits.
     */
    public String mode(final String file)
    {
        try
        {
            return Integer.toOctalString((Integer)Files.getAttribute(path(file), "unix:mode") & 0777);
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            return "";
        }
    }
}

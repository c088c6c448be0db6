package org.onesided.machine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files in which the system describes itself, below a root that tests replace. Missing and unreadable files read as
 * empty.
 */
public class SystemFiles
{
    private final Path root;

    /**
     * Uses a root.
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
     * Resolves an absolute path below the root.
     *
     * @param file an absolute path.
     * @return the path below the root.
     */
    public Path path(final String file)
    {
        return root.resolve(file.substring(1));
    }

    /**
     * Whether a file exists.
     *
     * @param file an absolute path.
     * @return whether it exists.
     */
    public boolean exists(final String file)
    {
        return Files.exists(path(file));
    }

    /**
     * Whether the permissions let this process read and write a file.
     *
     * @param file an absolute path.
     * @return whether they do.
     */
    public boolean isUsable(final String file)
    {
        return Files.isReadable(path(file)) && Files.isWritable(path(file));
    }

    /**
     * Reads a text file.
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
     * Reads the first line, without surrounding blanks.
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
     * Reads the value of a name from a file of lines "name value" or "name: value".
     *
     * @param file an absolute path.
     * @param name with the colon, if there is one.
     * @return the value, without surrounding blanks.
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
     * Lists the names in a directory, in order.
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
     * Reads the last name of the target of a symbolic link.
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
     * Reads the group of a file.
     *
     * @param file an absolute path.
     * @return name of the group.
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
     * Reads the permission bits, in octal.
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

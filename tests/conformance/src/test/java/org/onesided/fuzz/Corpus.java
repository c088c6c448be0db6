package org.onesided.fuzz;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The inputs that are kept of each target: to begin with, and those that once failed.
 */
final class Corpus
{
    private Corpus()
    {
    }

    /** All inputs of a target, those of the files first, in the order of their names. */
    static List<byte[]> of(final FuzzTarget target) throws IOException
    {
        final List<byte[]> inputs = new ArrayList<>();
        final Path folder = folder(target.name());
        if (folder != null)
        {
            for (final Path file : files(folder))
            {
                inputs.add(Files.readAllBytes(file));
            }
        }
        inputs.addAll(target.seeds());
        if (inputs.isEmpty())
        {
            throw new IllegalStateException("a target needs an input to begin with: target=" + target.name());
        }
        return inputs;
    }

    /** Names of the targets that have files, in their order. */
    static List<String> targets() throws IOException
    {
        return files(folder("")).stream().map((folder) -> folder.getFileName().toString()).toList();
    }

    /** Where the files of a target are; null if it has none. */
    static Path folder(final String target)
    {
        final URL found = Corpus.class.getResource("/fuzz/" + target);
        try
        {
            return found == null ? null : Path.of(found.toURI());
        }
        catch (final URISyntaxException e)
        {
            throw new IllegalStateException("corpus has no path: url=" + found, e);
        }
    }

    static List<Path> files(final Path folder) throws IOException
    {
        try (Stream<Path> files = Files.list(folder))
        {
            return files.sorted().toList();
        }
    }

    /** Keeps an input that failed where it can be looked at, and says where. */
    static Path keep(final String target, final byte[] input)
    {
        final Path file = Path.of("target", "fuzz", target, HexFormat.of().toHexDigits(Arrays.hashCode(input)));
        try
        {
            Files.createDirectories(file.getParent());
            return Files.write(file, input).toAbsolutePath();
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("failing input cannot be kept: input=" +
                HexFormat.of().formatHex(input), e);
        }
    }
}

package org.onesided.endtoend.kvctl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A directory of shared memory for this test run alone, so that what is left in it is this run's.
 */
final class SharedMemory
{
    static final Path DIRECTORY = create();

    private SharedMemory()
    {
    }

    /** All files and directories in it, at any depth. */
    static Set<Path> content()
    {
        try (Stream<Path> files = Files.walk(DIRECTORY))
        {
            return files.filter(file -> !file.equals(DIRECTORY)).collect(Collectors.toSet());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static Path create()
    {
        try
        {
            final Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "kvctl-test-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory), "delete-shared-memory"));
            return directory;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(final Path directory)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            files.sorted((a, b) -> b.getNameCount() - a.getNameCount()).forEach(file -> file.toFile().delete());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}

package org.onesided.endtoend.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a process has of the system.
 *
 * @param open     what its open file handles are, with their numbers.
 * @param mappings of files in shared memory.
 * @param files    below the folder of shared memory, of this process and of its peers.
 */
record Holdings(Map<String, String> open, long mappings, long files)
{
    private static final Path PROCESSES = Path.of("/proc");

    /**
     * @param pid          of the process.
     * @param sharedMemory folder of all processes' shared memory.
     * @param friend       folder there of a client that stays: what wakes it is opened when it first sleeps, so it does
     *                     not count.
     */
    static Holdings of(final long pid, final Path sharedMemory, final Path friend)
    {
        final Path process = PROCESSES.resolve(Long.toString(pid));
        try (Stream<Path> handles = Files.list(process.resolve("fd"));
            Stream<String> mappings = Files.lines(process.resolve("maps")))
        {
            return new Holdings(
                targets(handles, friend + "/channel-"),
                mappings.filter((line) -> line.contains(sharedMemory.toString())).count(),
                files(sharedMemory));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    boolean isWithin(final Holdings most)
    {
        return handles() <= most.handles() && mappings <= most.mappings && files <= most.files;
    }

    int handles()
    {
        return open.size();
    }

    /** How many of each, and which handles there are that {@code earlier} has not. */
    String since(final Holdings earlier)
    {
        final Map<String, String> added = new TreeMap<>(open);
        added.keySet().removeAll(earlier.open.keySet());
        return "handles=" + handles() + " mappings=" + mappings + " files=" + files + ", before: handles=" +
            earlier.handles() + " mappings=" + earlier.mappings + " files=" + earlier.files + ", new: " + added;
    }

    private static Map<String, String> targets(final Stream<Path> handles, final String ignored)
    {
        final Map<String, String> targets = new TreeMap<>();
        handles.forEach((handle) ->
        {
            try
            {
                final String target = Files.readSymbolicLink(handle).toString();
                if (!target.startsWith(ignored))
                {
                    targets.put(handle.getFileName().toString(), target);
                }
            }
            catch (final IOException e)
            {
                // It was closed meanwhile.
            }
        });
        return targets;
    }

    private static long files(final Path folder)
    {
        // Somebody may remove what is found.
        final Supplier<Long> count = () ->
        {
            try (Stream<Path> files = Files.walk(folder))
            {
                return files.count();
            }
            catch (final IOException | UncheckedIOException e)
            {
                return Long.MAX_VALUE;
            }
        };
        return count.get();
    }
}

package org.onesided.endtoend.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a process has of the system.
 *
 * @param handles  open file handles.
 * @param mappings of files in shared memory.
 * @param files    below the folder of shared memory, of this process and of its peers.
 */
record Holdings(long handles, long mappings, long files)
{
    private static final Path PROCESSES = Path.of("/proc");

    static Holdings of(final long pid, final Path sharedMemory)
    {
        final Path process = PROCESSES.resolve(Long.toString(pid));
        try (Stream<Path> handles = Files.list(process.resolve("fd"));
            Stream<String> mappings = Files.lines(process.resolve("maps")))
        {
            return new Holdings(
                handles.count(),
                mappings.filter((line) -> line.contains(sharedMemory.toString())).count(),
                files(sharedMemory));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Resident memory of a process, in KiB; 0 if it is gone. */
    static long residentKiB(final long pid)
    {
        try (Stream<String> lines = Files.lines(PROCESSES.resolve(Long.toString(pid)).resolve("status")))
        {
            return lines.filter((line) -> line.startsWith("VmRSS:"))
                .mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    boolean isWithin(final Holdings most)
    {
        return handles <= most.handles && mappings <= most.mappings && files <= most.files;
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

package org.onesided.tools.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time of a process from the kernel's scheduler, in nanoseconds: the sum over its threads. It never
 * decreases. For a thread that ended, the time after the latest reading is missing. Not thread-safe.
 */
public final class ProcessorTime
{
    private final Path tasks;
    private Map<Path, Long> seen = Map.of();
    private long totalNs;

    /**
     * Prepares to read the time of a process.
     *
     * @param pid number of the process.
     */
    public ProcessorTime(final long pid)
    {
        tasks = Path.of("/proc", Long.toString(pid), "task");
    }

    /**
     * Reads the processor time.
     *
     * @return processor time so far; -1 if this kernel does not report it.
     * @throws IOException if there is no such process.
     */
    public long lookNs() throws IOException
    {
        final Map<Path, Long> now = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks))
        {
            for (final Path thread : threads)
            {
                try
                {
                    // Running time, waiting time and number of time slices.
                    now.put(thread, Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]));
                }
                catch (final NoSuchFileException e)
                {
                    if (Files.exists(thread))
                    {
                        return -1;
                    }
                }
            }
        }
        for (final Map.Entry<Path, Long> thread : now.entrySet())
        {
            // The kernel may reuse the number of a thread.
            totalNs += Math.max(0, thread.getValue() - seen.getOrDefault(thread.getKey(), 0L));
        }
        seen = now;
        return totalNs;
    }
}

package org.onesided.tools.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time of a process by the kernel's scheduler, exact to the nanosecond: what its threads have been seen to
 * use. It never shrinks: of a thread that ended, only what it used after the latest look is missing. Not thread-safe.
 */
public final class ProcessorTime
{
    private final Path tasks;
    private Map<Path, Long> seen = Map.of();
    private long totalNs;

    /**
     * Looks at nothing yet.
     *
     * @param pid number of the process.
     */
    public ProcessorTime(final long pid)
    {
        tasks = Path.of("/proc", Long.toString(pid), "task");
    }

    /**
     * Looks at the process.
     *
     * @return what its threads have used so far, -1 if this kernel does not tell.
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
                    // Time on a processor, time waiting for one, and number of turns.
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
            // A number may be given to another thread.
            totalNs += Math.max(0, thread.getValue() - seen.getOrDefault(thread.getKey(), 0L));
        }
        seen = now;
        return totalNs;
    }
}

package org.onesided.tools.kvctl;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Processor time of a process by the kernel's scheduler, exact to the nanosecond.
 */
final class ProcessorTime
{
    private ProcessorTime()
    {
    }

    /**
     * @return of all the process's threads that are alive, -1 if this kernel does not tell.
     */
    static long ofProcessNs(final long pid) throws IOException
    {
        final Path tasks = Path.of("/proc", Long.toString(pid), "task");
        long sumNs = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks))
        {
            for (final Path thread : threads)
            {
                try
                {
                    // Time on a processor, time waiting for one, and number of turns.
                    sumNs += Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
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
        return sumNs;
    }
}

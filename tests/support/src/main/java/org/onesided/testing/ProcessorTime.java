package org.onesided.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * How long each thread of a process has run on a processor, without those of the compiler, which come and go and work
 * when they please. The kernel counts in nanoseconds, not in its ticks of 10 ms.
 *
 * @param pid     of the process.
 * @param threads nanoseconds by the thread's number: the first field of its {@code schedstat} (proc(5)).
 */
public record ProcessorTime(long pid, Map<String, Long> threads)
{
    /**
     * @param pid of a process.
     * @return what its threads of now have run.
     * @throws IOException if the process is gone.
     */
    public static ProcessorTime of(final long pid) throws IOException
    {
        final Map<String, Long> times = new HashMap<>();
        try (var threads = Files.list(Path.of("/proc", Long.toString(pid), "task")))
        {
            for (final Path thread : threads.toList())
            {
                try
                {
                    if (!Files.readString(thread.resolve("comm")).contains(" Compiler"))
                    {
                        times.put(
                            thread.getFileName().toString(),
                            Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]));
                    }
                }
                catch (final IOException e)
                {
                    // The thread ended meanwhile; where it is the process, the next to look will tell.
                }
            }
        }
        return new ProcessorTime(pid, Map.copyOf(times));
    }

    /**
     * How much it has grown.
     *
     * @return nanoseconds that the threads of now have run since this was taken.
     * @throws IOException if the process is gone.
     */
    public long sinceNs() throws IOException
    {
        return of(pid).threads.entrySet().stream()
            .mapToLong((thread) -> thread.getValue() - threads.getOrDefault(thread.getKey(), 0L))
            .sum();
    }
}

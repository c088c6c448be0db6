package org.onesided.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Processor time of a process, by what its threads are for. */
final class ThreadTimes
{
    /** Linux counts in hundredths of a second for all processes. */
    private static final double TICKS_PER_SECOND = 100;
    /** Behind the name in parentheses. */
    private static final int USER_FIELD = 11;

    private ThreadTimes()
    {
    }

    /** Seconds so far: of the store's threads, of those that Ratis and its transport started, and of the JVM's own. */
    static Map<String, Double> of(final long pid) throws IOException
    {
        final Map<String, Double> times = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task")))
        {
            for (final Path task : tasks.toList())
            {
                try
                {
                    final String stat = Files.readString(task.resolve("stat"));
                    final String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                    final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                    times.merge(owner(name), (Long.parseLong(fields[USER_FIELD]) +
                        Long.parseLong(fields[USER_FIELD + 1])) / TICKS_PER_SECOND, Double::sum);
                }
                catch (final NoSuchFileException e)
                {
                    // The thread has ended.
                    continue;
                }
            }
        }
        return times;
    }

    private static String owner(final String name)
    {
        if (name.startsWith("store-") || name.startsWith("raft-") || name.startsWith("kvctl"))
        {
            return "store";
        }
        return name.matches("(?i)(java|main|VM .*|C[12] .*|G1 .*|GC .*|Signal .*|Reference .*|Finalizer.*|Common-C.*" +
            "|Service .*|Monitor .*|Notification.*|Attach .*|process reaper.*)") ? "JVM" : "Ratis";
    }
}

package org.onesided.tools.kvctl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory this machine has, or the control group that the process is in.
 */
final class MachineMemory
{
    private static final String TOTAL = "MemTotal:";

    private final Path root;

    MachineMemory()
    {
        this(Path.of("/"));
    }

    MachineMemory(final Path root)
    {
        this.root = root;
    }

    /** In bytes; {@link Long#MAX_VALUE} if it cannot be told. */
    long bytes()
    {
        final long oldGroup = limit(root.resolve("sys/fs/cgroup/memory/memory.limit_in_bytes"));
        return Math.min(installed(), Math.min(unified(), oldGroup));
    }

    private long installed()
    {
        for (final String line : lines(root.resolve("proc/meminfo")))
        {
            if (line.startsWith(TOTAL))
            {
                return number(line.substring(TOTAL.length()).replace("kB", "").trim(), 1 << 10);
            }
        }
        return Long.MAX_VALUE;
    }

    /** The least limit of the process's group and those around it. */
    private long unified()
    {
        long least = Long.MAX_VALUE;
        final Path groups = root.resolve("sys/fs/cgroup");
        for (final String line : lines(root.resolve("proc/self/cgroup")))
        {
            if (line.startsWith("0::/"))
            {
                Path group = groups.resolve(line.substring("0::/".length())).normalize();
                while (group != null && group.startsWith(groups))
                {
                    least = Math.min(least, limit(group.resolve("memory.max")));
                    group = group.getParent();
                }
            }
        }
        return least;
    }

    private static long limit(final Path file)
    {
        final List<String> lines = lines(file);
        return lines.isEmpty() ? Long.MAX_VALUE : number(lines.get(0).trim(), 1);
    }

    private static long number(final String text, final long unit)
    {
        try
        {
            final long count = Long.parseLong(text);
            return count > Long.MAX_VALUE / unit ? Long.MAX_VALUE : count * unit;
        }
        catch (final NumberFormatException e)
        {
            // "max" stands for no limit.
            return Long.MAX_VALUE;
        }
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        }
        catch (final IOException e)
        {
            return List.of();
        }
    }
}

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

    /** What could be had without others' giving any back, huge pages included, in bytes; -1 if it cannot be told. */
    long available()
    {
        final List<String> lines = lines(root.resolve("proc/meminfo"));
        final long available = size(lines, "MemAvailable:");
        final long hugePages = number(lines, "HugePages_Free:", 1);
        final long hugePage = size(lines, "Hugepagesize:");
        return available == Long.MAX_VALUE ? -1 :
            hugePages == Long.MAX_VALUE || hugePage == Long.MAX_VALUE ? available : available + hugePages * hugePage;
    }

    private long installed()
    {
        return size(lines(root.resolve("proc/meminfo")), "MemTotal:");
    }

    private static long size(final List<String> lines, final String name)
    {
        return number(lines, name, 1 << 10);
    }

    /** {@link Long#MAX_VALUE} if there is no such line. */
    private static long number(final List<String> lines, final String name, final long unit)
    {
        for (final String line : lines)
        {
            if (line.startsWith(name))
            {
                return number(line.substring(name.length()).replace("kB", "").trim(), unit);
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

package org.onesided.tools.machine;

import java.nio.file.Path;

/**
 * How much memory this machine has, or the control group that the process is in.
 */
public final class MachineMemory
{
    private static final String MEMORY = "/proc/meminfo";
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final long KILO = 1024;

    private final SystemFiles files;

    /**
     * Looks at a machine.
     *
     * @param files in which it tells of itself.
     */
    public MachineMemory(final SystemFiles files)
    {
        this.files = files;
    }

    /**
     * The machine that this process runs on.
     *
     * @return its memory.
     */
    public static MachineMemory here()
    {
        return new MachineMemory(SystemFiles.here());
    }

    /**
     * What there is for this process, be it used or not.
     *
     * @return in bytes; {@link Long#MAX_VALUE} if it cannot be told.
     */
    public long bytes()
    {
        final long installed = installed();
        final long oldGroup = limit(GROUPS.resolve("memory/memory.limit_in_bytes"));
        return Math.min(installed < 0 ? Long.MAX_VALUE : installed, Math.min(unified(), oldGroup));
    }

    /**
     * What the machine has.
     *
     * @return in bytes; -1 if it cannot be told.
     */
    public long installed()
    {
        return size("MemTotal:");
    }

    /**
     * What could be had without others' giving any back, huge pages included.
     *
     * @return in bytes; -1 if it cannot be told.
     */
    public long available()
    {
        final long available = size("MemAvailable:");
        return available < 0 ? -1 : available + Math.max(0, freeHugePages() * hugePageLength());
    }

    /**
     * Length of a huge page.
     *
     * @return in bytes; not above 0 if the kernel has none.
     */
    public long hugePageLength()
    {
        return size("Hugepagesize:");
    }

    /**
     * Counts the huge pages.
     *
     * @return all there are.
     */
    public long hugePages()
    {
        return Math.max(0, number(files.value(MEMORY, "HugePages_Total:")));
    }

    /**
     * Counts the huge pages that hold nothing.
     *
     * @return how many there are.
     */
    public long freeHugePages()
    {
        return Math.max(0, number(files.value(MEMORY, "HugePages_Free:")));
    }

    private long size(final String name)
    {
        final long kilobytes = number(files.value(MEMORY, name).replace("kB", "").strip());
        return kilobytes < 0 || kilobytes > Long.MAX_VALUE / KILO ? -1 : kilobytes * KILO;
    }

    /** The least limit of the process's group and those around it. */
    private long unified()
    {
        long least = Long.MAX_VALUE;
        for (final String line : files.lines("/proc/self/cgroup"))
        {
            if (line.startsWith("0::/"))
            {
                Path group = GROUPS.resolve(line.substring("0::/".length())).normalize();
                while (group != null && group.startsWith(GROUPS))
                {
                    least = Math.min(least, limit(group.resolve("memory.max")));
                    group = group.getParent();
                }
            }
        }
        return least;
    }

    /** "max" stands for no limit. */
    private long limit(final Path file)
    {
        final long limit = number(files.line(file.toString()));
        return limit < 0 ? Long.MAX_VALUE : limit;
    }

    /** -1 if it is none. */
    private static long number(final String text)
    {
        try
        {
            return Long.parseLong(text);
        }
        catch (final NumberFormatException e)
        {
            return -1;
        }
    }
}

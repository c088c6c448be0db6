package org.onesided.tools.machine;

import java.nio.file.Path;

/**
 * The memory of this machine, or of the control group of the process.
 */
public final class MachineMemory
{
    private static final String MEMORY = "/proc/meminfo";
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final long KILO = 1024;

    private final SystemFiles files;

    /**
     * Reads the memory of a machine.
     *
     * @param files of the machine.
     */
    public MachineMemory(final SystemFiles files)
    {
        this.files = files;
    }

    /**
     * Reads the memory of this machine.
     *
     * @return its memory.
     */
    public static MachineMemory here()
    {
        return new MachineMemory(SystemFiles.here());
    }

    /**
     * The memory available to this process, whether in use or not.
     *
     * @return in bytes; {@link Long#MAX_VALUE} if unknown.
     */
    public long bytes()
    {
        final long installed = installed();
        final long oldGroup = limit(GROUPS.resolve("memory/memory.limit_in_bytes"));
        return Math.min(installed < 0 ? Long.MAX_VALUE : installed, Math.min(unified(), oldGroup));
    }

    /**
     * The memory of the machine.
     *
     * @return in bytes; -1 if unknown.
     */
    public long installed()
    {
        return size("MemTotal:");
    }

    /**
     * The memory that is available without reclaiming other processes' memory, including huge pages.
     *
     * @return in bytes; -1 if unknown.
     */
    public long available()
    {
        final long available = size("MemAvailable:");
        return available < 0 ? -1 : available + Math.max(0, freeHugePages() * hugePageLength());
    }

    /**
     * Length of a huge page.
     *
     * @return in bytes; 0 or less if the kernel has no huge pages.
     */
    public long hugePageLength()
    {
        return size("Hugepagesize:");
    }

    /**
     * Counts the huge pages.
     *
     * @return number of all huge pages.
     */
    public long hugePages()
    {
        return Math.max(0, number(files.value(MEMORY, "HugePages_Total:")));
    }

    /**
     * Counts the free huge pages.
     *
     * @return number of free huge pages.
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

    /** The lowest limit of the control group and its parents. */
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

    /** -1 if it is not a number. */
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

package org.onesided.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The memory of this machine, and what of it this process can get: control groups limit it, and a full one kills the
 * process, so that it is better to ask beforehand. Thread-safe.
 */
public final class MachineMemory
{
    private static final MachineMemory HERE = new MachineMemory(SystemFiles.here());
    private static final String MEMORY = "/proc/meminfo";
    private static final String TRANSPARENT = "/sys/kernel/mm/transparent_hugepage/";
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final Path OLD_GROUPS = GROUPS.resolve("memory");
    private static final long KILO = 1024;
    /** Growth keeps one tenth of a control group free. */
    private static final int KEPT_PART = 10;

    private final SystemFiles files;
    /** Lengths of pages do not change while a kernel runs, so they are read once. 0 until one was found. */
    private volatile long hugePageLength;
    private volatile long transparentHugePageLength;

    /**
     * @param files of the machine.
     */
    public MachineMemory(final SystemFiles files)
    {
        this.files = files;
    }

    /**
     * @return the memory of the machine that this process runs on.
     */
    public static MachineMemory here()
    {
        return HERE;
    }

    /**
     * @return memory of the machine in bytes; -1 if unknown.
     */
    public long installed()
    {
        return size(field(files.lines(MEMORY), "MemTotal:"));
    }

    /**
     * @return the most that this process could ever have, by the machine and its control groups, in bytes;
     *     {@link Long#MAX_VALUE} if unknown.
     */
    public long limit()
    {
        final long installed = installed();
        return Math.min(
            installed < 0 ? Long.MAX_VALUE : installed,
            leastOfGroups(
                (group) -> orUnlimited(number(group.resolve("memory.max"))),
                (group) -> orUnlimited(number(group.resolve("memory.limit_in_bytes")))));
    }

    /**
     * @return bytes that this process can get now, by the machine and its control groups, reclaimable caches and swap
     *     included; {@link Long#MAX_VALUE} if unknown.
     */
    public long available()
    {
        return available(0);
    }

    /**
     * @return bytes by which memory may grow: as {@link #available}, with a tenth of each control group kept free.
     */
    public long growable()
    {
        return available(KEPT_PART);
    }

    /** @param keptPart which part of a control group's limit is not available: one over this, 0 for none. */
    private long available(final int keptPart)
    {
        final List<String> machine = files.lines(MEMORY);
        final long free = field(machine, "MemAvailable:");
        return Math.min(
            free < 0 ? Long.MAX_VALUE : (free + Math.max(0, field(machine, "SwapFree:"))) * KILO,
            leastOfGroups(
                (group) -> left(group, "memory.max", "memory.current", "inactive_file", keptPart),
                (group) -> left(
                    group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", keptPart)));
    }

    /**
     * @return bytes of the machine that are not in use, free huge pages included: falls as anybody takes memory of
     *     either kind. -1 if unknown.
     */
    public long unused()
    {
        final List<String> machine = files.lines(MEMORY);
        final long available = size(field(machine, "MemAvailable:"));
        return available < 0 ? -1 : available + Math.max(0, field(machine, "HugePages_Free:")) * hugePageLength();
    }

    /**
     * @return length of a huge page in bytes; 0 if the kernel has none.
     */
    public long hugePageLength()
    {
        if (hugePageLength <= 0)
        {
            hugePageLength = Math.max(0, size(field(files.lines(MEMORY), "Hugepagesize:")));
        }
        return hugePageLength;
    }

    /**
     * @return number of huge pages.
     */
    public long hugePages()
    {
        return Math.max(0, field(files.lines(MEMORY), "HugePages_Total:"));
    }

    /**
     * @return number of huge pages that are free and not reserved.
     */
    public long freeHugePages()
    {
        final List<String> machine = files.lines(MEMORY);
        return Math.max(0, field(machine, "HugePages_Free:") - Math.max(0, field(machine, "HugePages_Rsvd:")));
    }

    /**
     * @return length of a transparent huge page in bytes; 0 if the kernel has none.
     */
    public long transparentHugePageLength()
    {
        if (transparentHugePageLength <= 0)
        {
            transparentHugePageLength = Math.max(0, number(files.line(TRANSPARENT + "hpage_pmd_size")));
        }
        return transparentHugePageLength;
    }

    /**
     * @return which private memory the kernel puts into transparent huge pages: always, madvise or never; "none" if
     *     it has none.
     */
    public String transparentHugePages()
    {
        // The chosen word is in brackets, as in "always [madvise] never".
        final String words = files.line(TRANSPARENT + "enabled");
        final int start = words.indexOf('[');
        final int end = words.indexOf(']');
        return start >= 0 && start < end ? words.substring(start + 1, end) : "none";
    }

    /** The least value of the process' control group and those around it, in both versions of control groups. */
    private long leastOfGroups(final ToLongFunction<Path> unified, final ToLongFunction<Path> old)
    {
        long least = Long.MAX_VALUE;
        for (final String line : files.lines("/proc/self/cgroup"))
        {
            final String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty())
            {
                least = Math.min(least, leastAround(GROUPS, parts[2], unified));
            }
            else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory"))
            {
                least = Math.min(least, leastAround(OLD_GROUPS, parts[2], old));
            }
        }
        return least;
    }

    private static long leastAround(final Path root, final String name, final ToLongFunction<Path> value)
    {
        long least = Long.MAX_VALUE;
        Path group = root.resolve(name.substring(Math.min(1, name.length()))).normalize();
        if (!group.startsWith(root))
        {
            // A container names groups outside itself by "..": its own group is the root.
            group = root;
        }
        while (group != null && group.startsWith(root))
        {
            least = Math.min(least, value.applyAsLong(group));
            group = group.getParent();
        }
        return least;
    }

    /** Bytes that a group has left; {@link Long#MAX_VALUE} without a limit. */
    private long left(
        final Path group, final String limitFile, final String usageFile, final String cache, final int keptPart)
    {
        final long limit = number(group.resolve(limitFile));
        final long usage = number(group.resolve(usageFile));
        if (limit < 0 || usage < 0)
        {
            return Long.MAX_VALUE;
        }
        final List<String> statistics = files.lines(group.resolve("memory.stat").toString());
        final long kept = keptPart == 0 ? 0 : limit / keptPart;
        return Math.max(0, limit - kept - usage + Math.max(0, field(statistics, cache + " ")));
    }

    private static long orUnlimited(final long limit)
    {
        return limit < 0 ? Long.MAX_VALUE : limit;
    }

    /** Bytes of so many kilobytes; -1 if unknown. */
    private static long size(final long kilobytes)
    {
        return kilobytes < 0 || kilobytes > Long.MAX_VALUE / KILO ? -1 : kilobytes * KILO;
    }

    private static long field(final List<String> lines, final String name)
    {
        for (final String line : lines)
        {
            if (line.startsWith(name))
            {
                final String value = line.substring(name.length()).strip();
                final int end = value.indexOf(' ');
                return number(end < 0 ? value : value.substring(0, end));
            }
        }
        return -1;
    }

    private long number(final Path file)
    {
        return number(files.line(file.toString()));
    }

    /** -1 if it is not a number, as in "max". */
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

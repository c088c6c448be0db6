package org.onesided.verbs.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The memory that this process can still get from the machine and its control groups. It lets a request fail early,
 * because a full control group kills the process.
 */
public final class MachineMemory
{
    private static final MachineMemory HERE =
        new MachineMemory(Path.of("/proc"), Path.of("/sys/fs/cgroup"), Path.of("/sys/kernel/mm/transparent_hugepage"));
    private static final long KILO = 1024;
    /** Growth keeps one tenth of a control group free. */
    private static final int KEPT_PART = 10;

    private final Path proc;
    private final Path controlGroups;
    private final Path transparent;
    /** Lengths of pages stay as they are while a kernel runs: they are read once. 0 while none was found. */
    private volatile long hugePageLength;
    private volatile long transparentHugePageLength;

    /**
     * @param proc          directory of the kernel's files about processes and memory.
     * @param controlGroups directory of control groups.
     * @param transparent   directory of the kernel's files about transparent huge pages.
     */
    MachineMemory(final Path proc, final Path controlGroups, final Path transparent)
    {
        this.proc = proc;
        this.controlGroups = controlGroups;
        this.transparent = transparent;
    }

    /**
     * @return the machine that this process runs on.
     */
    public static MachineMemory here()
    {
        return HERE;
    }

    /**
     * @return available bytes, including reclaimable caches; {@link Long#MAX_VALUE} if unknown.
     */
    long available()
    {
        return available(0);
    }

    /**
     * @return bytes by which memory may grow: as {@link #available}, with a tenth of each control group kept free.
     */
    long growable()
    {
        return available(KEPT_PART);
    }

    /** @param keptPart which part of a control group's limit is not available: one over this, 0 for none. */
    private long available(final int keptPart)
    {
        final List<String> machine = lines(proc.resolve("meminfo"));
        final long free = field(machine, "MemAvailable:");
        long least = free < 0 ? Long.MAX_VALUE : (free + Math.max(0, field(machine, "SwapFree:"))) * KILO;
        for (final String line : lines(proc.resolve("self/cgroup")))
        {
            final String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty())
            {
                least = Math.min(least, group(controlGroups, parts[2], "memory.max", "memory.current",
                    "inactive_file", keptPart));
            }
            else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory"))
            {
                least = Math.min(least, group(controlGroups.resolve("memory"), parts[2],
                    "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", keptPart));
            }
        }
        return least;
    }

    /**
     * @return length of a huge page in bytes; 0 if the kernel has none.
     */
    long hugePageLength()
    {
        if (hugePageLength <= 0)
        {
            hugePageLength = Math.max(0, field(lines(proc.resolve("meminfo")), "Hugepagesize:")) * KILO;
        }
        return hugePageLength;
    }

    /**
     * @return length of a transparent huge page in bytes; 0 if the kernel has none.
     */
    public long transparentHugePageLength()
    {
        if (transparentHugePageLength <= 0)
        {
            transparentHugePageLength = Math.max(0, number(lines(transparent.resolve("hpage_pmd_size"))));
        }
        return transparentHugePageLength;
    }

    /**
     * @return which private memory the kernel puts into transparent huge pages: always, madvise or never; "none" if
     *     it has none.
     */
    String transparentHugePages()
    {
        return chosen("enabled");
    }

    /**
     * @return which shared memory the kernel puts into transparent huge pages: always, within_size, advise, never,
     *     deny or force; "none" if it has none.
     */
    String sharedTransparentHugePages()
    {
        return chosen("shmem_enabled");
    }

    /**
     * @return huge pages that nobody has reserved.
     */
    long freeHugePages()
    {
        final List<String> machine = lines(proc.resolve("meminfo"));
        return Math.max(0, field(machine, "HugePages_Free:") - Math.max(0, field(machine, "HugePages_Rsvd:")));
    }

    /**
     * @return all huge pages there are.
     */
    long hugePages()
    {
        return Math.max(0, field(lines(proc.resolve("meminfo")), "HugePages_Total:"));
    }

    /** The word in brackets, such as madvise in "always [madvise] never". */
    private String chosen(final String file)
    {
        for (final String line : lines(transparent.resolve(file)))
        {
            final int start = line.indexOf('[');
            final int end = line.indexOf(']');
            if (start >= 0 && start < end)
            {
                return line.substring(start + 1, end);
            }
        }
        return "none";
    }

    /**
     * The tightest of a group and those it is in.
     */
    private static long group(
        final Path root,
        final String name,
        final String limitFile,
        final String usageFile,
        final String cache,
        final int keptPart)
    {
        long least = Long.MAX_VALUE;
        Path group = root.resolve(name.substring(Math.min(1, name.length()))).normalize();
        if (!group.startsWith(root))
        {
            // From inside a container, groups outside of it are named by "..": its own is the root.
            group = root;
        }
        while (group != null && group.startsWith(root))
        {
            final long limit = number(lines(group.resolve(limitFile)));
            final long usage = number(lines(group.resolve(usageFile)));
            if (limit >= 0 && usage >= 0)
            {
                final long kept = keptPart == 0 ? 0 : limit / keptPart;
                final long reclaimable = Math.max(0, field(lines(group.resolve("memory.stat")), cache + " "));
                least = Math.min(least, Math.max(0, limit - kept - usage + reclaimable));
            }
            group = group.getParent();
        }
        return least;
    }

    private static long field(final List<String> lines, final String name)
    {
        for (final String line : lines)
        {
            if (line.startsWith(name))
            {
                final String value = line.substring(name.length()).trim();
                final int end = value.indexOf(' ');
                return number(List.of(end < 0 ? value : value.substring(0, end)));
            }
        }
        return -1;
    }

    /** The number on the first line; -1 if there is none, as in "max". */
    private static long number(final List<String> lines)
    {
        try
        {
            return lines.isEmpty() ? -1 : Long.parseLong(lines.get(0).trim());
        }
        catch (final NumberFormatException ex)
        {
            return -1;
        }
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file);
        }
        catch (final IOException ex)
        {
            return List.of();
        }
    }
}

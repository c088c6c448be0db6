package org.onesided.verbs.posix;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.onesided.verbs.MemoryRange;

/**
 * Reports the page sizes of this process' memory, from the kernel (proc_pid_smaps(5)), because the kernel does not
 * always follow advice to use huge pages. A query takes up to some milliseconds.
 */
public final class ResidentPages
{
    private static final Path MAPPINGS = Path.of("/proc/self/smaps");
    private static final int KILO = 1024;

    private long resident;
    private long huge;

    private ResidentPages()
    {
    }

    /**
     * Looks up the mappings that a range touches.
     *
     * @param range of memory of this process.
     * @return the resident part; empty if the kernel does not report it.
     */
    public static ResidentPages of(final MemoryRange range)
    {
        return of(range, MAPPINGS);
    }

    static ResidentPages of(final MemoryRange range, final Path mappings)
    {
        final ResidentPages pages = new ResidentPages();
        try (BufferedReader reader = Files.newBufferedReader(mappings, StandardCharsets.ISO_8859_1))
        {
            pages.read(reader, range);
        }
        catch (final IOException ex)
        {
            pages.resident = 0;
            pages.huge = 0;
        }
        return pages;
    }

    /**
     * @return bytes that exist, in pages of any size.
     */
    public long resident()
    {
        return resident;
    }

    /**
     * @return bytes that exist in huge pages.
     */
    public long huge()
    {
        return huge;
    }

    /**
     * @return whether at least half of what exists is in huge pages.
     */
    public boolean areMostlyHuge()
    {
        return huge > 0 && huge >= resident - huge;
    }

    private void read(final BufferedReader reader, final MemoryRange range) throws IOException
    {
        final long end = range.address() + range.length();
        boolean inside = false;
        for (String line = reader.readLine(); line != null; line = reader.readLine())
        {
            final int colon = line.indexOf(':');
            final int dash = line.indexOf('-');
            final int space = line.indexOf(' ');
            if (dash > 0 && dash < space && (colon < 0 || space < colon))
            {
                final long start = Long.parseUnsignedLong(line, 0, dash, 16);
                if (Long.compareUnsigned(start, end) >= 0)
                {
                    return;
                }
                inside = Long.compareUnsigned(
                    Long.parseUnsignedLong(line, dash + 1, space, 16), range.address()) > 0;
            }
            else if (inside && colon > 0)
            {
                add(line.substring(0, colon), line, colon + 1);
            }
        }
    }

    private void add(final String name, final String line, final int start)
    {
        switch (name)
        {
            case "Rss" -> resident += bytes(line, start);
            case "AnonHugePages", "ShmemPmdMapped", "FilePmdMapped" -> huge += bytes(line, start);
            case "Private_Hugetlb", "Shared_Hugetlb" ->
            {
                // These are not part of Rss.
                resident += bytes(line, start);
                huge += bytes(line, start);
            }
            default ->
            {
            }
        }
    }

    private static long bytes(final String line, final int start)
    {
        return Long.parseLong(line.substring(start).replace("kB", "").strip()) * KILO;
    }
}

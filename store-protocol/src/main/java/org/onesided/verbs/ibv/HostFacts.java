package org.onesided.verbs.ibv;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * Facts about this host and process that explain why a verb failed.
 */
final class HostFacts
{
    /** Stands for a limit that is none. */
    static final long UNLIMITED = -1;

    /** Where device files are. */
    static final Path DEVICE_FILES = Path.of("/dev/infiniband");

    private static final Path SELF = Path.of("/proc/self");
    private static final String LOCKED_MEMORY = "Max locked memory";
    private static final String EFFECTIVE_CAPABILITIES = "CapEff:";
    private static final int CAP_IPC_LOCK = 14;
    private static final String PINNED_MEMORY = "VmPin:";
    private static final String ROOT = "root";

    private HostFacts()
    {
    }

    /**
     * @return how many bytes this process may lock; {@link #UNLIMITED} if any number, or if it cannot be told.
     */
    static long lockableMemory()
    {
        return lockableMemory(lines(SELF.resolve("limits")), lines(SELF.resolve("status")));
    }

    /**
     * @param limits of a process, as /proc/PID/limits lists them.
     * @param status of a process, as /proc/PID/status lists it.
     * @return how many bytes it may lock; {@link #UNLIMITED} if any number, or if it cannot be told.
     */
    static long lockableMemory(final List<String> limits, final List<String> status)
    {
        for (final String line : status)
        {
            if (line.startsWith(EFFECTIVE_CAPABILITIES))
            {
                final String mask = line.substring(EFFECTIVE_CAPABILITIES.length()).trim();
                if ((Long.parseUnsignedLong(mask, 16) >>> CAP_IPC_LOCK & 1) != 0)
                {
                    return UNLIMITED;
                }
            }
        }
        for (final String line : limits)
        {
            if (line.startsWith(LOCKED_MEMORY))
            {
                final String soft = line.substring(LOCKED_MEMORY.length()).trim().split(" ", 2)[0];
                // What passes a long is as good as no limit.
                return soft.matches("[0-9]{1,18}") ? Long.parseLong(soft) : UNLIMITED;
            }
        }
        return UNLIMITED;
    }

    /**
     * @return how many bytes this process has locked for devices: what the limit is compared with.
     */
    static long pinnedMemory()
    {
        return pinnedMemory(lines(SELF.resolve("status")));
    }

    /**
     * @param status of a process, as /proc/PID/status lists it.
     * @return how many bytes it has locked for devices; 0 if it cannot be told.
     */
    static long pinnedMemory(final List<String> status)
    {
        for (final String line : status)
        {
            if (line.startsWith(PINNED_MEMORY))
            {
                final String kibibytes = line.substring(PINNED_MEMORY.length()).trim().split(" ", 2)[0];
                return kibibytes.matches("[0-9]{1,15}") ? Long.parseLong(kibibytes) << 10 : 0;
            }
        }
        return 0;
    }

    /**
     * @param file a device file.
     * @return the group whose members may read and write it; empty if there is none, or only root's.
     */
    static String groupThatMayUse(final Path file)
    {
        try
        {
            final PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
            final String group = attributes.group().getName();
            return !ROOT.equals(group) && attributes.permissions().containsAll(
                Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE)) ? group : "";
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    /**
     * @param file that could not be opened.
     * @return its mode and owner as data, and who this process is: {@code mode=rw------- owner=root:root user=guest}.
     */
    static String access(final Path file)
    {
        final String user = " user=" + System.getProperty("user.name");
        try
        {
            final PosixFileAttributes attributes =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return "mode=" + PosixFilePermissions.toString(attributes.permissions()) +
                " owner=" + attributes.owner().getName() + ":" + attributes.group().getName() + user;
        }
        catch (final IOException ex)
        {
            return "mode=unknown" + user;
        }
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        }
        catch (final IOException ex)
        {
            return List.of();
        }
    }
}

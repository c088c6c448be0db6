package org.onesided.server.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which start of the operating system this is. What was written but not forced to the disk before another start may be
 * lost.
 */
final class BootId
{
    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId()
    {
    }

    /** That of the running system; {@link TableFile#NO_BOOT} if it does not say. */
    static UUID now()
    {
        return read(FILE);
    }

    /** As a file says it; {@link TableFile#NO_BOOT} if it does not. */
    static UUID read(final Path file)
    {
        try
        {
            return UUID.fromString(Files.readString(file).strip());
        }
        catch (final IOException | IllegalArgumentException e)
        {
            return TableFile.NO_BOOT;
        }
    }
}

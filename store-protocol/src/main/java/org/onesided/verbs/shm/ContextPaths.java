package org.onesided.verbs.shm;

import java.nio.file.Path;
import org.onesided.verbs.Gid;

/**
 * Locations of the directories of contexts.
 */
final class ContextPaths
{
    /** Location of shared memory, unless {@link #BASE_PROPERTY} is set. */
    static final String DEFAULT_BASE = "/dev/shm";
    /** System property: directory of all contexts' directories; the same in all communicating processes. */
    static final String BASE_PROPERTY = "onesided.shm.dir";

    private ContextPaths()
    {
    }

    static Path base()
    {
        return Path.of(System.getProperty(BASE_PROPERTY, DEFAULT_BASE));
    }

    static String prefix(final int userId)
    {
        return "onesided-" + Integer.toUnsignedString(userId) + "-";
    }

    static Path pathOf(final int userId, final Gid gid)
    {
        return base().resolve(prefix(userId) + String.format("%016x%016x", gid.high(), gid.low()));
    }
}

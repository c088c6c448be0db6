package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import org.onesided.machine.SystemFiles;

/**
 * The facts that advice depends on: the distribution, whether this is a container, and the user.
 *
 * @param files       of the system.
 * @param packages    with the components that may be missing.
 * @param isContainer whether this is a container, which sees little of its host and cannot change it.
 * @param user        name of the user.
 */
record Host(SystemFiles files, Packages packages, boolean isContainer, String user)
{
    static Host of(final SystemFiles files, final String user)
    {
        return new Host(files, Packages.of(files), isContainer(files), user);
    }

    /** Advice for root; in a container, for root on the host. */
    Advice asRoot(final String what, final String... commands)
    {
        return Advice.of(what + (isContainer ? ", on the host, as root:" : ", as root:"), commands);
    }

    private static boolean isContainer(final SystemFiles files)
    {
        if (List.of("/.dockerenv", "/run/.containerenv", "/run/systemd/container").stream().anyMatch(files::exists))
        {
            return true;
        }
        return files.lines("/proc/self/cgroup").stream().anyMatch(line ->
            line.contains("/docker") || line.contains("/kubepods") || line.contains("/lxc") ||
                line.contains("/libpod"));
    }
}

package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import org.onesided.machine.SystemFiles;

/**
 * The command lines that install missing components on this distribution, if it is known.
 *
 * @param verbs       installs libibverbs and its providers.
 * @param rdmaTool    installs {@code rdma}, which makes software devices.
 * @param softDrivers installs the kernel's software drivers, if they are not in the kernel's own package.
 */
record Packages(List<String> verbs, List<String> rdmaTool, List<String> softDrivers)
{
    static Packages of(final SystemFiles files)
    {
        final String system = value(files, "ID=") + " " + value(files, "ID_LIKE=");
        final String release = files.line("/proc/sys/kernel/osrelease");
        if (system.contains("ubuntu"))
        {
            return new Packages(
                List.of("apt install libibverbs1 ibverbs-providers rdma-core"), List.of("apt install iproute2"),
                List.of("apt install linux-modules-extra-" + release));
        }
        if (system.contains("debian"))
        {
            return new Packages(
                List.of("apt install libibverbs1 ibverbs-providers rdma-core"), List.of("apt install iproute2"),
                List.of("apt install linux-image-$(dpkg --print-architecture)"));
        }
        if (system.contains("fedora") || system.contains("rhel"))
        {
            return new Packages(
                List.of("dnf install libibverbs rdma-core"), List.of("dnf install iproute"),
                List.of("dnf install kernel-modules-extra-" + release));
        }
        if (system.contains("suse"))
        {
            return new Packages(
                List.of("zypper install libibverbs1 libibverbs rdma-core"), List.of("zypper install iproute2"),
                List.of("zypper install kernel-default"));
        }
        return new Packages(
            List.of(
                "apt install libibverbs1 ibverbs-providers rdma-core    # Debian, Ubuntu",
                "dnf install libibverbs rdma-core                       # Fedora, RHEL"),
            List.of(
                "apt install iproute2    # Debian, Ubuntu",
                "dnf install iproute     # Fedora, RHEL"),
            List.of(
                "apt install linux-modules-extra-" + release + "    # Ubuntu",
                "dnf install kernel-modules-extra-" + release + "    # Fedora, RHEL"));
    }

    private static String value(final SystemFiles files, final String name)
    {
        return files.value("/etc/os-release", name).replace("\"", "");
    }
}

package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds out how to get an RDMA device without RDMA hardware: the kernel's Soft-RoCE (rdma_rxe) over an Ethernet
 * interface.
 */
record SoftRoce(Host host)
{
    private static final String NETWORK = "/sys/class/net";
    private static final String ETHERNET_TYPE = "1";

    List<Advice> advice()
    {
        final List<Advice> advice = new ArrayList<>();
        if (isModuleMissing())
        {
            advice.add(host.asRoot("without RDMA hardware, Soft-RoCE will do to try; this kernel comes without it",
                host.packages().softDrivers().toArray(String[]::new)));
        }
        final List<String> commands = new ArrayList<>();
        if (!hasRdmaTool())
        {
            commands.addAll(host.packages().rdmaTool());
        }
        commands.add("modprobe rdma_rxe");
        commands.add("rdma link add rxe0 type rxe netdev " + networkInterface());
        advice.add(host.asRoot(
            advice.isEmpty() ? "without RDMA hardware, Soft-RoCE will do to try" : "then",
            commands.toArray(String[]::new)));
        return advice;
    }

    /** Whether the list of the running kernel's modules exists but lacks this one. */
    private boolean isModuleMissing()
    {
        final String release = host.files().line("/proc/sys/kernel/osrelease");
        final List<String> modules = host.files().lines("/lib/modules/" + release + "/modules.dep");
        return !modules.isEmpty() && modules.stream().noneMatch(line -> line.contains("/rdma_rxe.ko"));
    }

    private boolean hasRdmaTool()
    {
        return List.of("/usr/bin/rdma", "/bin/rdma", "/usr/sbin/rdma", "/sbin/rdma").stream()
            .anyMatch(host.files()::exists);
    }

    /** The first Ethernet interface that is up, hardware before software. */
    private String networkInterface()
    {
        String found = "eth0";
        boolean isFound = false;
        for (final String name : host.files().names(NETWORK))
        {
            final String directory = NETWORK + "/" + name;
            if (!name.equals("lo") && ETHERNET_TYPE.equals(host.files().line(directory + "/type")) &&
                Interfaces.isUp(host.files(), name))
            {
                if (host.files().exists(directory + "/device"))
                {
                    return name;
                }
                found = isFound ? found : name;
                isFound = true;
            }
        }
        return found;
    }
}

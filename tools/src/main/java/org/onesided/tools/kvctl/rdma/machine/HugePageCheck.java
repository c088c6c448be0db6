package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import java.util.Set;
import org.onesided.machine.MachineMemory;
import org.onesided.tools.text.Amounts;

/**
 * Checks for huge pages, which save the processor and the device address translations.
 *
 * @param host to look at.
 * @param need of a usual server, in bytes.
 */
record HugePageCheck(Host host, long need) implements Check
{
    private static final String TOPIC = "huge pages";

    @Override
    public List<Finding> findings()
    {
        final MachineMemory memory = new MachineMemory(host.files());
        final long length = memory.hugePageLength();
        if (length <= 0)
        {
            return List.of(Finding.warn(TOPIC, "this kernel has no huge pages"));
        }
        final long total = memory.hugePages();
        final long free = memory.freeHugePages();
        final String text = free + " of " + total + " free, of " + Amounts.size(length) + "; transparent: " +
            memory.transparentHugePages();
        final boolean isTransparent = Set.of("always", "madvise").contains(memory.transparentHugePages());
        return List.of(isTransparent || free * length >= need ? Finding.pass(TOPIC, text) : Finding.warn(TOPIC,
            text + (total == 0 ? "; lookups are faster with them" : "; too few for a server of " + Amounts.size(need)),
            host.asRoot("to have them made of free memory as they are needed, until the next start of the machine",
                "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"),
            host.asRoot("or, to have some for a server of " + Amounts.size(need) + " (more for a larger one)",
                "sysctl -w vm.nr_hugepages=" + (total - free + (need + length - 1) / length)),
            host.asRoot("and at every start of the machine",
                "echo vm.nr_hugepages=" + (total - free + (need + length - 1) / length) +
                    " > /etc/sysctl.d/90-hugepages.conf")));
    }
}

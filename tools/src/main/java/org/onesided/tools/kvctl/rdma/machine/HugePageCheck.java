package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import java.util.Set;
import org.onesided.tools.machine.MachineMemory;
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
            return List.of(Finding.warn(TOPIC, "this kernel has none"));
        }
        final long total = memory.hugePages();
        final long free = memory.freeHugePages();
        final String text = free + " of " + total + " free, of " + Amounts.size(length) + "; transparent: " +
            transparent();
        final boolean isTransparent = Set.of("always", "madvise").contains(transparent());
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

    /** The mode in brackets, such as madvise in "always [madvise] never". */
    private String transparent()
    {
        final String modes = host.files().line("/sys/kernel/mm/transparent_hugepage/enabled");
        final int start = modes.indexOf('[');
        final int end = modes.indexOf(']');
        return start < 0 || end < start ? "not known" : modes.substring(start + 1, end);
    }
}

package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Errno;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.GidType;

/**
 * Checks for a device, a port and a GID to connect with.
 */
final class ChoiceCheck implements Check
{
    private static final String TOPIC = "path";

    private final Host host;
    private final List<KernelDevice> kernelDevices;
    private final Selection selection;
    private final Choice choice;

    ChoiceCheck(
        final Host host, final List<KernelDevice> kernelDevices, final Selection selection, final Choice choice)
    {
        this.selection = selection;
        this.host = host;
        this.kernelDevices = kernelDevices;
        this.choice = choice;
    }

    @Override
    public List<Finding> findings()
    {
        return List.of(finding());
    }

    private Finding finding()
    {
        if (!choice.isComplete())
        {
            if (choice.failure() == null || choice.device() != null && !choice.device().isOpen())
            {
                return Finding.skip(TOPIC, "no device that could be used");
            }
            return Finding.fail(TOPIC, choice.failure().getMessage(), isAddressMissing() ?
                new Advice[]{address("give the interface an address of your network, then look again")} :
                new Advice[0]);
        }
        final GidEntry gid = choice.gid();
        if (gid != null && gid.type() == GidType.ROCE_V1)
        {
            return Finding.warn(TOPIC, choice.text() + ": RoCE v1 reaches hosts of the same Ethernet only",
                address("if the device can do RoCE v2, an IP address gives it a GID of that type"));
        }
        if (gid != null && Gids.isLinkLocal(gid.gid()) && gid.type() == GidType.ROCE_V2)
        {
            return Finding.warn(TOPIC, choice.text() + ": a link-local address reaches hosts of the same link only",
                address("give the interface an address of your network"));
        }
        return Finding.pass(TOPIC, choice.text());
    }

    /** Whether a port is active, but none of its GIDs is usable. */
    private boolean isAddressMissing()
    {
        return selection.options().gidIndex() == ConnectionOptions.CHOSEN_GID && choice.device() != null &&
            choice.failure().errno() == Errno.EINVAL && choice.failure().verb().equals("query_gid");
    }

    private Advice address(final String what)
    {
        final String name = choice.device().kernel(kernelDevices).stream()
            .flatMap(kernel -> kernel.interfaces().stream()).findFirst().orElse("eth0");
        return host.asRoot(what, "ip addr add 192.168.1.10/24 dev " + name);
    }
}

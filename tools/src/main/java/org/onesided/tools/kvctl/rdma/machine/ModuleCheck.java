package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Checks that the kernel has RDMA devices and gives programs access to them.
 */
record ModuleCheck(Host host, List<KernelDevice> devices) implements Check
{
    private static final String TOPIC = "kernel modules";
    private static final String DEVICES_TOPIC = "kernel devices";
    private static final String PCI = "/sys/bus/pci/devices";

    /** Drivers of network cards that have their RDMA half, if any, in a module of its own. */
    private static final Map<String, String> HALVES = Map.of(
        "mlx5_core", "mlx5_ib",
        "mlx4_core", "mlx4_ib",
        "ice", "irdma",
        "i40e", "irdma",
        "bnxt_en", "bnxt_re",
        "qede", "qedr",
        "cxgb4", "iw_cxgb4",
        "hns3", "hns_roce_hw_v2",
        "mana", "mana_ib",
        "ionic", "ionic_rdma");

    @Override
    public List<Finding> findings()
    {
        return List.of(userVerbs(), kernelDevices());
    }

    private Finding userVerbs()
    {
        if (isLoaded("ib_uverbs") || host.files().exists(KernelDevice.VERBS_CLASS))
        {
            return Finding.pass(TOPIC, "ib_uverbs is loaded");
        }
        return Finding.fail(TOPIC, "ib_uverbs is not loaded, without which no program can use a device",
            host.asRoot("load it", "modprobe ib_uverbs"),
            host.asRoot("and at every start of the machine", "echo ib_uverbs > /etc/modules-load.d/rdma.conf"));
    }

    private Finding kernelDevices()
    {
        if (!devices.isEmpty())
        {
            return Finding.pass(DEVICES_TOPIC, devices.stream().map(ModuleCheck::describe)
                .collect(Collectors.joining(", ")));
        }
        final List<Advice> advice = new ArrayList<>();
        final List<String> halves = missingHalves();
        if (!halves.isEmpty())
        {
            advice.add(host.asRoot("a network card here may have RDMA; load the driver of that half",
                halves.stream().map(half -> "modprobe " + half).toArray(String[]::new)));
        }
        advice.addAll(new SoftRoce(host).advice());
        return Finding.fail(DEVICES_TOPIC, "the kernel has no RDMA device", advice.toArray(Advice[]::new));
    }

    private static String describe(final KernelDevice device)
    {
        final List<String> parts = new ArrayList<>();
        if (!device.driver().isEmpty())
        {
            parts.add(device.driver());
        }
        if (!device.interfaces().isEmpty())
        {
            parts.add("on " + String.join(", ", device.interfaces()));
        }
        return device.name() + (parts.isEmpty() ? "" : " (" + String.join(" ", parts) + ")");
    }

    private List<String> missingHalves()
    {
        return host.files().names(PCI).stream()
            .map(name -> HALVES.getOrDefault(host.files().target(PCI + "/" + name + "/driver"), ""))
            .filter(half -> !half.isEmpty() && !isLoaded(half))
            .distinct().sorted().toList();
    }

    private boolean isLoaded(final String module)
    {
        return host.files().exists("/sys/module/" + module) ||
            host.files().lines("/proc/modules").stream().anyMatch(line -> line.startsWith(module + " "));
    }
}

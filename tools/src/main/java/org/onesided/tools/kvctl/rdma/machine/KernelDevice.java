package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.onesided.machine.SystemFiles;

/**
 * An RDMA device as the kernel reports it, whether or not a program can open it.
 *
 * @param name       such as {@code mlx5_0}.
 * @param nodeType   the kernel's number: 1 for a channel adapter, 4 for iWARP.
 * @param driver     kernel module; empty if unknown.
 * @param interfaces its network interfaces; none on InfiniBand without IP.
 * @param deviceFile below {@code /dev}; empty if {@code ib_uverbs} does not serve it.
 */
record KernelDevice(String name, int nodeType, String driver, List<String> interfaces, String deviceFile)
{
    static final String CLASS = "/sys/class/infiniband";
    static final String VERBS_CLASS = "/sys/class/infiniband_verbs";
    private static final int IWARP_NODE = 4;

    /** All devices of this machine, or of this container if the kernel separates them. */
    static List<KernelDevice> list(final SystemFiles files)
    {
        final List<KernelDevice> devices = new ArrayList<>();
        for (final String name : files.names(CLASS))
        {
            final int type = nodeType(files, name);
            devices.add(new KernelDevice(
                name, type, driver(files, name, type), interfaces(files, name), deviceFile(files, name)));
        }
        return devices;
    }

    /** The name in ibv_devinfo: RoCE also has InfiniBand's transport. */
    String transport()
    {
        return switch (nodeType)
        {
            case 1, 2, 3 -> "InfiniBand";
            case IWARP_NODE -> "iWARP";
            case 5, 6 -> "usNIC";
            default -> "unspecified";
        };
    }

    boolean isIwarp()
    {
        return nodeType == IWARP_NODE;
    }

    private static int nodeType(final SystemFiles files, final String name)
    {
        // Such as "1: CA".
        final String text = files.line(CLASS + "/" + name + "/node_type");
        return text.isEmpty() || !Character.isDigit(text.charAt(0)) ? 0 : text.charAt(0) - '0';
    }

    private static String driver(final SystemFiles files, final String name, final int nodeType)
    {
        final String directory = CLASS + "/" + name;
        // Only Soft-RoCE reports its parent. For other devices, "device" leads to the hardware below.
        if (files.exists(directory + "/parent"))
        {
            return "rdma_rxe";
        }
        if (files.exists(directory + "/device"))
        {
            final String module = files.target(directory + "/device/driver/module");
            return module.isEmpty() ? files.target(directory + "/device/driver") : module;
        }
        return nodeType == IWARP_NODE ? "siw" : "";
    }

    private static List<String> interfaces(final SystemFiles files, final String name)
    {
        final String directory = CLASS + "/" + name;
        final Set<String> interfaces = new TreeSet<>(files.names(directory + "/device/net"));
        interfaces.add(files.line(directory + "/parent"));
        interfaces.remove("");
        return List.copyOf(interfaces);
    }

    private static String deviceFile(final SystemFiles files, final String name)
    {
        for (final String file : files.names(VERBS_CLASS))
        {
            if (name.equals(files.line(VERBS_CLASS + "/" + file + "/ibdev")))
            {
                return "/dev/infiniband/" + file;
            }
        }
        return "";
    }
}

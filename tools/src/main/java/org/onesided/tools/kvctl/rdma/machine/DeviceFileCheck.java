package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;

/**
 * Checks that each device has its file and that this user may open it.
 */
record DeviceFileCheck(Host host, List<KernelDevice> devices) implements Check
{
    private static final String TOPIC = "device files";
    private static final String EMPTY_GROUP = "root";

    @Override
    public List<Finding> findings()
    {
        return devices.isEmpty() ?
            List.of(Finding.skip(TOPIC, "none without a kernel device")) :
            devices.stream().map(this::finding).toList();
    }

    private Finding finding(final KernelDevice device)
    {
        final String file = device.deviceFile();
        if (file.isEmpty())
        {
            return Finding.fail(TOPIC, "the kernel has none for " + device.name(),
                host.asRoot("load the module that makes them", "modprobe ib_uverbs"));
        }
        if (!host.files().exists(file))
        {
            return Finding.fail(TOPIC, file + " of " + device.name() + " is missing", makeFile(file));
        }
        if (!host.files().isUsable(file))
        {
            return Finding.fail(TOPIC, "user " + host.user() + " may not read and write " + file + ": group=" +
                host.files().group(file) + " mode=" + host.files().mode(file), permit(file));
        }
        return Finding.pass(TOPIC, file + " of " + device.name() + " may be read and written");
    }

    private Advice makeFile(final String file)
    {
        if (host.isContainer())
        {
            return Advice.of("hand it into the container:", "docker run --device /dev/infiniband ...");
        }
        final String[] numbers = host.files()
            .line(KernelDevice.VERBS_CLASS + file.substring(file.lastIndexOf('/')) + "/dev").split(":");
        final String trigger = "udevadm trigger --subsystem-match=infiniband_verbs";
        return numbers.length == 2 ?
            Advice.of("let udev make it, as root, or where there is no udev make it by hand:", trigger,
                "mkdir -p /dev/infiniband && mknod -m 666 " + file + " c " + numbers[0] + " " + numbers[1]) :
            Advice.of("let udev make it, as root:", trigger);
    }

    private Advice permit(final String file)
    {
        final String group = host.files().group(file);
        // The mode of rdma-core's udev rules, unless the distribution chose another.
        return group.isEmpty() || group.equals(EMPTY_GROUP) ?
            host.asRoot("let all use it, as rdma-core's own rules for udev do", "chmod 666 " + file) :
            host.asRoot("join its group, then log in anew", "usermod -aG " + group + " " + host.user());
    }
}

package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.List;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;

/**
 * Checks that ports can carry traffic.
 *
 * @param host          to look at.
 * @param kernelDevices with their network interfaces.
 * @param devices       with the ports.
 * @param selection     of one port; others may be down.
 */
record PortCheck(
    Host host, List<KernelDevice> kernelDevices, List<OpenDevice> devices, Selection selection) implements Check
{
    private static final String TOPIC = "ports";

    @Override
    public List<Finding> findings()
    {
        final List<Finding> findings = new ArrayList<>();
        final boolean isOneActive = devices.stream().filter(OpenDevice::isOpen)
            .flatMap(device -> device.ports().stream()).anyMatch(port -> port.attributes().active());
        for (final OpenDevice device : devices)
        {
            if (device.isOpen())
            {
                device.ports().forEach(port -> findings.add(finding(device, port, isOneActive)));
            }
        }
        return findings.isEmpty() ? List.of(Finding.skip(TOPIC, "no device is open")) : findings;
    }

    private Finding finding(final OpenDevice device, final OpenDevice.Port port, final boolean isOneActive)
    {
        final PortAttributes attributes = port.attributes();
        final String text = device.name() + " port " + port.number() + " is " + attributes.state() + " (" +
            attributes.linkLayer() + ", MTU " + attributes.activeMtu() + " of " + attributes.maxMtu() + ")";
        if (attributes.active())
        {
            return Finding.pass(TOPIC, text);
        }
        final boolean isNeeded = selection.options().port() == port.number() &&
            device.kernelName().equals(selection.argument());
        return new Finding(isOneActive && !isNeeded ? Level.WARN : Level.FAIL, TOPIC, text,
            advice(device, attributes));
    }

    private List<Advice> advice(final OpenDevice device, final PortAttributes attributes)
    {
        final boolean isInfiniBand = PortAttributes.INFINIBAND.equals(attributes.linkLayer());
        if (isInfiniBand && (attributes.state() == PortState.INIT || attributes.state() == PortState.ARMED))
        {
            return List.of(host.asRoot("no subnet manager has brought it up; start one on a host of this fabric",
                "systemctl start opensm"));
        }
        final List<Advice> advice = new ArrayList<>();
        for (final String name : interfaces(device))
        {
            if (!Interfaces.isUp(host.files(), name))
            {
                advice.add(host.asRoot("its interface is switched off; switch it on", "ip link set " + name + " up"));
            }
            else if (Interfaces.lacksCarrier(host.files(), name))
            {
                advice.add(Advice.of("nothing is at the other end: look at the cable and the switch's port:",
                    "ip link show " + name, "ethtool " + name));
            }
        }
        if (advice.isEmpty())
        {
            advice.add(Advice.of("look at the cable, the switch's port, and the kernel log:",
                "rdma link show", "dmesg | grep -i " + device.kernelName()));
        }
        return advice;
    }

    private List<String> interfaces(final OpenDevice device)
    {
        return device.kernel(kernelDevices).map(KernelDevice::interfaces).orElse(List.of());
    }
}

package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.onesided.verbs.VerbsException;

/**
 * Checks that the library finds the kernel's devices and can open them.
 *
 * @param host          to look at.
 * @param kernelDevices that the library should find.
 * @param devices       that it found.
 * @param failure       reason why it could not search; null if it could.
 */
record OpenCheck(
    Host host, List<KernelDevice> kernelDevices, List<OpenDevice> devices, VerbsException failure) implements Check
{
    private static final String TOPIC = "devices";

    @Override
    public List<Finding> findings()
    {
        if (failure != null)
        {
            return List.of(Finding.fail(TOPIC, failure.getMessage()));
        }
        final List<Finding> findings = new ArrayList<>();
        final boolean isOneOpen = devices.stream().anyMatch(OpenDevice::isOpen);
        for (final OpenDevice device : devices)
        {
            findings.add(device.isOpen() ? Finding.pass(TOPIC, device.name() + " opens") :
                refusal(isOneOpen ? Level.WARN : Level.FAIL, device));
        }
        for (final KernelDevice device : kernelDevices)
        {
            if (devices.stream().noneMatch(open -> open.kernelName().equals(device.name())))
            {
                findings.add(absence(isOneOpen ? Level.WARN : Level.FAIL, device));
            }
        }
        if (findings.isEmpty())
        {
            findings.add(Finding.fail(TOPIC, "there is none"));
        }
        return findings;
    }

    private Finding refusal(final Level level, final OpenDevice device)
    {
        final KernelDevice kernel = device.kernel(kernelDevices).orElse(null);
        if (kernel != null && kernel.isIwarp())
        {
            return iwarp(level, kernel);
        }
        return new Finding(level, TOPIC, device.failure().getMessage(), host.isContainer() ?
            List.of(Advice.of("let the container use it:",
                "docker run --device /dev/infiniband --cap-add IPC_LOCK --ulimit memlock=-1 ...")) : List.of());
    }

    private Finding absence(final Level level, final KernelDevice device)
    {
        if (device.isIwarp())
        {
            return iwarp(level, device);
        }
        return new Finding(level, TOPIC, "the kernel has " + device.name() +
            ", but libibverbs does not find it: its provider or its device file is missing",
            List.of(Advice.of("install the providers, as root:", host.packages().verbs().toArray(String[]::new))));
    }

    private static Finding iwarp(final Level level, final KernelDevice device)
    {
        final String over = device.interfaces().stream().findFirst().orElse("eth0");
        return new Finding(level, TOPIC, device.name() +
            " is iWARP, whose connections only rdma_cm can make: it cannot be used",
            List.of(Advice.of("use Soft-RoCE over the same interface (" +
                device.interfaces().stream().collect(Collectors.joining(", ")) + "), as root:",
                "modprobe rdma_rxe", "rdma link add rxe0 type rxe netdev " + over)));
    }
}

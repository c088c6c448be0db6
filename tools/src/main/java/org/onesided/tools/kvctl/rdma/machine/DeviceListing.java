package org.onesided.tools.kvctl.rdma.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.onesided.machine.SystemFiles;
import org.onesided.tools.text.Amounts;
import org.onesided.tools.text.Table;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceIdentity;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.VerbsException;

/**
 * All devices of a kind with their ports and GIDs, with a mark on the default choice. Not thread-safe.
 */
public final class DeviceListing
{
    /** Mark in the first column of the default choice. */
    public static final String TAKEN = "*";

    private static final String NOT_TAKEN = " ";

    private final Table devices =
        new Table(NOT_TAKEN, "device", "driver", "transport", "firmware", "node GUID", "vendor", "part");
    private final Table ports =
        new Table(NOT_TAKEN, "device", "port", "state", "link layer", "MTU", "max", "speed", "LID");
    private final Table gids =
        new Table(NOT_TAKEN, "device", "port", "index", "GID", "IPv4", "type", "interface");
    private final Table limits = new Table(NOT_TAKEN, "device", "limit", "value");
    private final StringBuilder remarks = new StringBuilder();
    private final List<KernelDevice> kernelDevices;
    private final boolean isVerbose;
    private final int count;

    private DeviceListing(final Path root, final Selection selection, final boolean isVerbose)
    {
        kernelDevices = KernelDevice.list(new SystemFiles(root));
        this.isVerbose = isVerbose;
        final List<OpenDevice> opened = new ArrayList<>();
        try
        {
            final List<Device> all = selection.argument().isEmpty() ?
                selection.provider().devices() : List.of(selection.provider().device(selection.argument()));
            all.forEach(device -> opened.add(OpenDevice.open(device)));
            count = opened.size();
            if (count > 0)
            {
                add(opened, Choice.of(selection, opened), selection.argument().isEmpty() ? " by default" : "");
            }
        }
        finally
        {
            opened.forEach(OpenDevice::close);
        }
    }

    /**
     * Lists devices.
     *
     * @param root      directory of the system files: {@code /} except in tests.
     * @param selection of one device, or of all.
     * @param isVerbose whether to show all limits.
     * @return the listing.
     * @throws VerbsException if the selected device does not exist, or the devices cannot be listed.
     */
    public static DeviceListing of(final Path root, final Selection selection, final boolean isVerbose)
    {
        return new DeviceListing(root, selection, isVerbose);
    }

    /**
     * @return number of devices, including those that cannot be opened.
     */
    public int count()
    {
        return count;
    }

    /**
     * @return the tables by name; {@code *} in the first column marks the default choice.
     */
    public Map<String, Table> tables()
    {
        final Map<String, Table> tables = new LinkedHashMap<>();
        tables.put("devices", devices);
        tables.put("ports", ports);
        tables.put("gids", gids);
        tables.put("limits", limits);
        return tables;
    }

    /**
     * @return tables of devices, ports, GIDs and limits, followed by a line with the default choice.
     */
    public String text()
    {
        final StringBuilder text = new StringBuilder();
        for (final Table table : tables().values())
        {
            if (!table.isEmpty())
            {
                text.append(table).append('\n');
            }
        }
        return text.append(remarks).toString();
    }

    private void add(final List<OpenDevice> opened, final Choice choice, final String how)
    {
        for (final OpenDevice device : opened)
        {
            final String mark = choice.isComplete() && choice.device() == device ? TAKEN : NOT_TAKEN;
            if (!device.isOpen())
            {
                devices.row(mark, device.name(), driver(device), transport(device), "", "", "", "");
                remark(device, device.failure());
                continue;
            }
            try
            {
                addDevice(mark, device);
                addPorts(device, choice);
                addLimits(device.name(), device.attributes());
            }
            catch (final VerbsException e)
            {
                remark(device, e);
            }
        }
        remarks.append(choice.isComplete() ?
            TAKEN + " taken" + how + ": " + choice.text() :
            "none can be taken" + how +
                (choice.failure() == null ? "" : ": " + choice.failure().getMessage())).append('\n');
    }

    private void remark(final OpenDevice device, final VerbsException failure)
    {
        remarks.append(device.name()).append(" cannot be used: ").append(failure.getMessage()).append('\n');
    }

    private void addDevice(final String mark, final OpenDevice device)
    {
        final DeviceIdentity identity = device.attributes().identity();
        devices.row(
            mark, device.name(), driver(device), transport(device), identity.firmware(), guid(identity.nodeGuid()),
            String.format(Locale.ROOT, "0x%06x", identity.vendorId()),
            Integer.toUnsignedString(identity.vendorPartId()));
    }

    private void addPorts(final OpenDevice device, final Choice choice)
    {
        for (final OpenDevice.Port port : device.ports())
        {
            final PortAttributes attributes = port.attributes();
            ports.row(
                choice.isPort(device, port.number()) ? TAKEN : NOT_TAKEN, device.name(), port.number(),
                attributes.state(), attributes.linkLayer(), attributes.activeMtu(), attributes.maxMtu(),
                speed(attributes), attributes.lid());
            for (final GidEntry entry : port.gids())
            {
                gids.row(
                    choice.isGid(device, port.number(), entry.index()) ? TAKEN : NOT_TAKEN, device.name(),
                    port.number(), entry.index(), entry.gid(), Gids.ipv4(entry.gid()), entry.type(),
                    entry.interfaceName() + (entry.interfaceUp() ? "" : " (down)"));
            }
            if (isVerbose)
            {
                limit(device.name(), "message length on port " + port.number(), attributes.maxMessageLength());
                limit(device.name(), "GIDs of port " + port.number(), attributes.gidTableLength());
            }
        }
    }

    private void addLimits(final String name, final DeviceAttributes attributes)
    {
        limit(name, "queue pairs", attributes.maxQueuePairs());
        limit(name, "requests of a queue", attributes.maxWorkRequests());
        limit(name, "completions of a queue", attributes.maxCompletions());
        limit(name, "READs to answer at a time", attributes.maxReadAtomic());
        limit(name, "READs outstanding", attributes.maxInitiatedReadAtomic());
        limit(name, "memory regions", attributes.maxMemoryRegions());
        // Soft-RoCE reports 2^64 - 1.
        final long length = attributes.maxMemoryRegionLength();
        final boolean isAny = length < 0 || length == Long.MAX_VALUE;
        limits.row(NOT_TAKEN, name, "length of a region", isAny ? "any" : Amounts.size(length));
        if (!isVerbose)
        {
            return;
        }
        limit(name, "elements of a request", attributes.maxScatterGather());
        limit(name, "completion queues", attributes.maxCompletionQueues());
        limit(name, "completion vectors", attributes.completionVectors());
        limit(name, "protection domains", attributes.maxProtectionDomains());
        limit(name, "shared receive queues", attributes.maxSharedReceiveQueues());
        limit(name, "receives of a shared queue", attributes.maxSharedReceiveWorkRequests());
        limit(name, "elements of a shared receive", attributes.maxSharedReceiveScatterGather());
        limit(name, "ports", attributes.portCount());
        limits.row(NOT_TAKEN, name, "atomics", attributes.atomics() ? "yes" : "no");
        limits.row(NOT_TAKEN, name, "hardware version",
            String.format(Locale.ROOT, "0x%x", attributes.identity().hardwareVersion()));
    }

    private void limit(final String device, final String name, final long value)
    {
        limits.row(NOT_TAKEN, device, name, Amounts.count(value));
    }

    private String driver(final OpenDevice device)
    {
        return device.kernel(kernelDevices).map(KernelDevice::driver).orElse("");
    }

    private String transport(final OpenDevice device)
    {
        return device.kernel(kernelDevices).map(KernelDevice::transport).orElse("");
    }

    /** Four groups of four digits, as in ibv_devinfo. */
    static String guid(final long guid)
    {
        return guid == 0 ? "" : String.format(
            Locale.ROOT, "%04x:%04x:%04x:%04x", guid >>> 48, guid >>> 32 & 0xFFFF, guid >>> 16 & 0xFFFF, guid & 0xFFFF);
    }

    private static String speed(final PortAttributes port)
    {
        if (port.lanes() == 0 || port.laneSpeed() == 0)
        {
            return "";
        }
        final String speed = String.format(Locale.ROOT, "%.1f", port.laneSpeed() / 1000.0).replace(".0", "");
        return port.lanes() + "X x " + speed + " Gb/s";
    }
}

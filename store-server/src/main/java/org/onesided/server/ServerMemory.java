package org.onesided.server;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.SystemUtil;
import org.onesided.server.memory.GrowthListener;
import org.onesided.server.memory.MemoryGrowth;
import org.onesided.server.memory.TableMemory;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardMemory;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's devices with the memory of its table, registered with each, as much as there is from the start. Not
 * thread-safe.
 */
final class ServerMemory implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerMemory.class);
    private static final int SMALL_PAGE = 4096;
    private static final int HUGE_PAGE = 2 << 20;
    private static final long LEAST_PART_FOR_HUGE = 16L * HUGE_PAGE;
    /** Where so little memory is refused, the least is tried. */
    private static final long LITTLE_MEMORY = 1 << 20;

    /** What is made anew where there is too little memory for it. */
    private record Grown(TableMemory table, MemoryGrowth growth, List<ShardMemory> shards)
    {
    }

    private final List<OpenDevice> devices;
    private final List<ProtectionDomain> domains = new ArrayList<>();
    private final Grown grown;
    private final boolean hugePages;

    /**
     * Takes over the devices, even if it throws.
     *
     * @param isLast whether no other devices are to be tried, which may have more memory.
     */
    private ServerMemory(
        final List<OpenDevice> devices,
        final ServerOptionValues options,
        final GrowthPlan plan,
        final GrowthListener listener,
        final boolean isLast)
    {
        this.devices = List.copyOf(devices);
        Grown made = null;
        try
        {
            for (final OpenDevice device : devices)
            {
                domains.add(device.context().allocateProtectionDomain());
            }
            made = options.numbers().isGiven(ServerSetting.MEMORY_INITIAL) ?
                grow(options, plan, listener, options.memoryInitial()) :
                growDefault(options, plan, listener, isLast);
            hugePages = made.table().hugePages();
        }
        catch (final RuntimeException | Error e)
        {
            CloseHelper.quietCloseAll(made == null ? null : made.table());
            CloseHelper.quietCloseAll(domains);
            CloseHelper.quietCloseAll(devices);
            throw e;
        }
        grown = made;
    }

    /** The memory that a server has from the start by default, or as much of it as there is. */
    private Grown growDefault(
        final ServerOptionValues options, final GrowthPlan plan, final GrowthListener listener, final boolean isLast)
    {
        long initial = options.memoryInitial();
        while (true)
        {
            try
            {
                return grow(options, plan, listener, initial);
            }
            catch (final VerbsException e)
            {
                if (initial == 0 || e.errno() != Errno.ENOSPC && !(isLast && e.errno() == Errno.ENOMEM))
                {
                    throw e;
                }
                initial = initial / 2 < LITTLE_MEMORY ? 0 : initial / 2;
                LOGGER.warn("too little memory to begin with, the store begins with less: memory-initial={} {}",
                    SystemUtil.formatSize(initial), e.getMessage());
            }
        }
    }

    private Grown grow(
        final ServerOptionValues options, final GrowthPlan plan, final GrowthListener listener, final long initial)
    {
        final TableMemory made = new TableMemory(
            owner(devices).context().allocateGrowable(plan.regionLength(), hugePages(options)), plan, domains);
        boolean success = false;
        try
        {
            final MemoryGrowth growth = new MemoryGrowth(
                made, plan, options.data().isStored(), options.memoryReleaseNs(), listener);
            final List<ShardMemory> shards = new ArrayList<>();
            for (int i = 0; i < plan.shards().size(); i++)
            {
                shards.add(growth.addShard(i, plan.initialHeap(initial)));
            }
            success = true;
            return new Grown(made, growth, List.copyOf(shards));
        }
        finally
        {
            if (!success)
            {
                CloseHelper.quietClose(made);
            }
        }
    }

    /**
     * Opens the devices that the options name. Where the choice is left to the server, a device that cannot have so
     * much memory, most often for what this process may lock, is passed over.
     *
     * @param options  of the server.
     * @param plan     of the table.
     * @param isLocal  whether only clients on this host can get to where the server listens.
     * @param listener to growth, once that is started.
     * @return devices and memory; the caller closes them.
     * @throws VerbsException if there is no such device, or none has room; nothing stays open then.
     */
    static ServerMemory open(
        final ServerOptionValues options, final GrowthPlan plan, final boolean isLocal, final GrowthListener listener)
    {
        if (options.verbsDevice() != null)
        {
            final OpenDevice given = OpenDevice.open(options.verbsDevice(), options.connection(), "it was given");
            return new ServerMemory(List.of(given), options, plan, listener, true);
        }
        final List<String> names = DeviceNames.parse(options.device());
        return names.size() == 1 ? openOne(options, plan, isLocal, listener) :
            openAll(names, options, plan, isLocal, listener);
    }

    /**
     * @param memory of the table in bytes.
     * @throws ServerException if that is more than the machine has.
     */
    static void check(final long memory)
    {
        final long physical = ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
        if (memory > physical)
        {
            throw new ServerException("more memory than this machine has, give less: memory=" +
                SystemUtil.formatSize(memory) + " machine=" + SystemUtil.formatSize(physical));
        }
    }

    private static ServerMemory openAll(
        final List<String> names,
        final ServerOptionValues options,
        final GrowthPlan plan,
        final boolean isLocal,
        final GrowthListener listener)
    {
        final List<DeviceChoice> choices = names.stream().map((name) -> choice(name, options, isLocal)).toList();
        final List<OpenDevice> devices = new ArrayList<>();
        for (int i = 0; i < choices.size(); i++)
        {
            try
            {
                devices.add(choices.get(i).open());
            }
            catch (final VerbsException e)
            {
                CloseHelper.quietCloseAll(devices);
                throw e.with("of_devices=" + options.device());
            }
            catch (final RuntimeException | Error e)
            {
                CloseHelper.quietCloseAll(devices);
                throw e;
            }
        }
        return new ServerMemory(devices, options, plan, listener, true);
    }

    private static ServerMemory openOne(
        final ServerOptionValues options, final GrowthPlan plan, final boolean isLocal, final GrowthListener listener)
    {
        final DeviceChoice choice = choice(options.device(), options, isLocal);
        while (true)
        {
            final OpenDevice device = choice.open();
            try
            {
                final ServerMemory opened = new ServerMemory(
                    List.of(device), options, plan, listener, !choice.isAuto() || !choice.hasNext());
                if (choice.isAuto() && !choice.passedOver().isEmpty() && options.connection().namesPath())
                {
                    LOGGER.warn("a port or GID was asked for, but the device that was chosen may not have it, name a " +
                        "device to be sure of that: device={} passed-over={}", device.name(), choice.passedOver());
                }
                return opened;
            }
            catch (final VerbsException e)
            {
                if (!choice.isAuto())
                {
                    throw e;
                }
                if (e.errno() != Errno.ENOMEM || !choice.hasNext())
                {
                    throw e.with("device_chosen=" + device.name() + " why=" + device.why());
                }
                choice.refused(e.getMessage());
            }
        }
    }

    private static DeviceChoice choice(final String name, final ServerOptionValues options, final boolean isLocal)
    {
        return DeviceChoice.toServe(name, options.connection(), options.listenHost(), isLocal);
    }

    /** A device that only reaches this host must allocate the region itself; other devices register any memory. */
    private static OpenDevice owner(final List<OpenDevice> devices)
    {
        return devices.stream()
            .filter((device) -> !Devices.reachOtherHosts(device.kind()))
            .findFirst().orElse(devices.get(0));
    }

    /**
     * Plans a table.
     *
     * @param options of the server.
     * @return the plan.
     * @throws IllegalArgumentException if there is too little memory for it.
     */
    static GrowthPlan plan(final ServerOptionValues options)
    {
        final int count = options.verbsDevice() != null ? 1 : DeviceNames.parse(options.device()).size();
        return GrowthPlan.of(options.memory(), options.shards(), count,
            hugePages(options) == HugePages.OFF ? SMALL_PAGE : HUGE_PAGE);
    }

    /** Each shard ends in the middle of one or two huge pages, so it must have many for that to be little. */
    private static HugePages hugePages(final ServerOptionValues options)
    {
        return options.hugePages() == HugePages.AUTO && options.memory() / options.shards() < LEAST_PART_FOR_HUGE ?
            HugePages.OFF : options.hugePages();
    }

    List<OpenDevice> devices()
    {
        return devices;
    }

    ProtectionDomain domain(final int device)
    {
        return domains.get(device);
    }

    TableMemory table()
    {
        return grown.table();
    }

    /** To be started, and closed, by the caller. */
    MemoryGrowth growth()
    {
        return grown.growth();
    }

    /** What each shard has. */
    List<ShardMemory> shards()
    {
        return grown.shards();
    }

    /** Whether the table is in huge pages, as found after the memory was allocated. */
    boolean hugePages()
    {
        return hugePages;
    }

    @Override
    public void close()
    {
        final List<AutoCloseable> all = new ArrayList<>();
        all.add(grown.table());
        all.addAll(domains);
        all.addAll(devices);
        CloseHelper.closeAll(all);
    }
}

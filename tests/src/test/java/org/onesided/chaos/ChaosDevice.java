package org.onesided.chaos;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.Devices;

/**
 * A device with faults. There is one of each name in a process, which counts for all of its contexts.
 */
public final class ChaosDevice implements Device
{
    private static final Map<String, ChaosDevice> DEVICES = new ConcurrentHashMap<>();

    private final String name;
    private final FaultPlan plan;
    private final Device wrapped;
    private final Faults faults = new Faults();

    private ChaosDevice(final String name, final FaultPlan plan, final Device wrapped)
    {
        this.name = name;
        this.plan = plan;
        this.wrapped = wrapped;
    }

    static ChaosDevice named(final String plan, final String wrapped)
    {
        final String name = ChaosDeviceProvider.KIND + ":" + plan + ":" + wrapped;
        return DEVICES.computeIfAbsent(
            name, (key) -> new ChaosDevice(key, FaultPlan.parse(plan), Devices.find(wrapped)));
    }

    /**
     * @param name in full, such as {@code chaos:42:shm}.
     * @return what the device of that name has done in this process.
     */
    public static Faults faults(final String name)
    {
        return ((ChaosDevice)Devices.find(name)).faults;
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public Context open()
    {
        return new ChaosContext(this, wrapped.open());
    }

    FaultPlan plan()
    {
        return plan;
    }

    Faults faults()
    {
        return faults;
    }
}

package org.onesided.chaos;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.Devices;

/**
 * A device with faults. There is one of each name in a process, which counts for all of its contexts.
 */
public final class ChaosDevice implements Device
{
    private static final Map<String, ChaosDevice> DEVICES = new ConcurrentHashMap<>();
    private static final ThreadLocal<Consumer<Step>> HOOKS = new ThreadLocal<>();

    /** What a thread is about to do, or has done. */
    public enum Step
    {
        /** Makes a queue pair. */
        CREATE,
        /** Connects one: it goes to RTR. */
        CONNECT,
        /** Posts a READ. */
        READ,
        /** Has posted a chain of requests that begins with a READ. */
        READ_POSTED,
        /** Posts another request. */
        SEND,
        /** Has posted a chain of requests that begins with another one. */
        SEND_POSTED
    }

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
        FaultReport.begin();
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

    /**
     * Has the calling thread tell each of its steps with devices of this kind, so that a test can stop it there.
     *
     * @param hook hears of each step before it goes on; null for nobody.
     */
    public static void hook(final Consumer<Step> hook)
    {
        HOOKS.set(hook);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public boolean gathersRequests()
    {
        return wrapped.gathersRequests();
    }

    @Override
    public boolean copiesWhilePosting()
    {
        return wrapped.copiesWhilePosting();
    }

    @Override
    public Context open()
    {
        return new ChaosContext(this, wrapped.open());
    }

    static void step(final Step step)
    {
        final Consumer<Step> hook = HOOKS.get();
        if (hook != null)
        {
            hook.accept(step);
        }
    }

    /** What all devices have done in this process. */
    static long total()
    {
        return DEVICES.values().stream().mapToLong(device -> device.faults.total()).sum();
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

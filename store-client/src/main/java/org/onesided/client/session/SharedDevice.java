package org.onesided.client.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceWatch;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.VerbsException;

/**
 * An open device that clients with the same choice share, because of its threads. As many clients share it as its table
 * of regions has room for; the next ones open another. A failed device gets no further clients. Thread-safe.
 */
final class SharedDevice implements DeviceWatch.Listener
{
    /** Sessions that share a device, which has room for some 4,000 regions, of which a session takes up to 3. */
    private static final int MAX_SESSIONS = 768;
    /** A client's sessions outside its pool: the asynchronous view, joint operations, and one of the application. */
    private static final int OTHER_SESSIONS = 3;
    private static final Object LOCK = new Object();
    private static final List<SharedDevice> OPEN = new ArrayList<>();

    private final String name;
    private final ConnectionOptions asked;
    private final OpenDevice device;
    private final Resources resources = new Resources();
    private final Set<DeviceWatch.Listener> listeners = new CopyOnWriteArraySet<>();
    private int sessions;
    private int users;
    private boolean isWatched;

    private SharedDevice(final String name, final ConnectionOptions asked, final OpenDevice device)
    {
        this.name = name;
        this.asked = asked;
        this.device = resources.add(device);
    }

    /**
     * Opens a device, or shares one that is open.
     *
     * @param choice      of the device.
     * @param maxSessions of the client's pool.
     * @return the device, which the caller gives back with {@link #release}.
     * @throws VerbsException if there is no such device, or it cannot be used.
     */
    static SharedDevice open(final DeviceChoice choice, final int maxSessions)
    {
        synchronized (LOCK)
        {
            final SharedDevice[] opened = new SharedDevice[1];
            choice.open((device, options, why) ->
            {
                opened[0] = find(device, options, maxSessions);
                if (opened[0] == null)
                {
                    opened[0] = new SharedDevice(device.name(), options, OpenDevice.open(device, options, why));
                    if (device.isShareable())
                    {
                        OPEN.add(opened[0]);
                    }
                }
                return opened[0].device;
            });
            opened[0].users++;
            opened[0].sessions += weight(maxSessions);
            return opened[0];
        }
    }

    private static SharedDevice find(final Device device, final ConnectionOptions options, final int maxSessions)
    {
        for (final SharedDevice each : OPEN)
        {
            if (each.name.equals(device.name()) && each.asked.equals(options) && each.works() &&
                each.sessions + weight(maxSessions) <= MAX_SESSIONS)
            {
                return each;
            }
        }
        return null;
    }

    private static int weight(final int maxSessions)
    {
        return Math.min(MAX_SESSIONS, maxSessions) + OTHER_SESSIONS;
    }

    private boolean works()
    {
        return device.failure() == null && !device.context().hasFailed();
    }

    /** The device and its path. */
    OpenDevice device()
    {
        return device;
    }

    /** Adds a listener for asynchronous events. */
    void watch(final DeviceWatch.Listener listener)
    {
        synchronized (LOCK)
        {
            if (!isWatched)
            {
                resources.add(DeviceWatch.start(device, "onesided-device-events " + device.name(), this));
                isWatched = true;
            }
            listeners.add(listener);
        }
    }

    void unwatch(final DeviceWatch.Listener listener)
    {
        listeners.remove(listener);
    }

    /**
     * Gives it back: the last client closes it.
     *
     * @param maxSessions as it was opened with.
     */
    void release(final int maxSessions)
    {
        synchronized (LOCK)
        {
            users--;
            sessions -= weight(maxSessions);
            if (users > 0)
            {
                return;
            }
            OPEN.remove(this);
        }
        resources.close();
    }

    @Override
    public void onEvent(final AsyncEvent event)
    {
        tell(event, (listener) -> listener.onEvent(event));
    }

    @Override
    public void onQueuePairFailed(final int number, final String reason)
    {
        tell(null, (listener) -> listener.onQueuePairFailed(number, reason));
    }

    @Override
    public void onCompletionQueueFailed(final CompletionQueue queue, final String reason)
    {
        tell(null, (listener) -> listener.onCompletionQueueFailed(queue, reason));
    }

    @Override
    public void onPortDown(final int port, final String reason)
    {
        tell(null, (listener) -> listener.onPortDown(port, reason));
    }

    @Override
    public void onDeviceFailed(final String reason)
    {
        tell(null, (listener) -> listener.onDeviceFailed(reason));
    }

    @Override
    public void onError(final AsyncEvent event, final Throwable error)
    {
        listeners.forEach((listener) -> listener.onError(event, error));
    }

    /** Calls all listeners, even if one throws. */
    private void tell(final AsyncEvent event, final Consumer<DeviceWatch.Listener> call)
    {
        for (final DeviceWatch.Listener listener : listeners)
        {
            try
            {
                call.accept(listener);
            }
            catch (final RuntimeException | Error e)
            {
                listener.onError(event, e);
            }
        }
    }
}

package org.onesided.server.shard.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.onesided.server.shard.execution.DeviceSessions;
import org.onesided.verbs.CompletionQueue;

/**
 * A shard's ends of all its devices, and the end of their queue pairs when one breaks. Belongs to the shard's thread,
 * except the list itself, which does not change.
 */
final class ShardDevices
{
    private final List<ShardDevice> devices;
    /** The same, for the loop that runs all the time. */
    private final ShardDevice[] polled;
    private final ShardListener listener;

    /**
     * @param devices  at least one.
     * @param listener told of each device that breaks.
     */
    ShardDevices(final List<ShardDevice> devices, final ShardListener listener)
    {
        this.devices = List.copyOf(devices);
        this.listener = listener;
        polled = devices.toArray(ShardDevice[]::new);
    }

    /** All of them by their index, in an array that nobody changes. */
    ShardDevice[] polled()
    {
        return polled;
    }

    /** The device with that index among the shard's. */
    ShardDevice at(final int index)
    {
        return polled[index];
    }

    /** How many sessions each has, for any thread. */
    List<DeviceSessions> sessions()
    {
        return devices.stream().map(ShardDevice::sessions).toList();
    }

    /** Sessions that there are now, by the name of the device. Safe to ask from any thread. */
    Map<String, Long> connections()
    {
        final Map<String, Long> connections = new LinkedHashMap<>();
        devices.forEach((device) -> connections.put(device.name(), device.sessions().count()));
        return connections;
    }

    boolean isConnected()
    {
        return devices.stream().anyMatch((device) -> device.sessions().count() > 0);
    }

    /** Whether a completion queue is one of these devices'. Safe to ask from any thread. */
    boolean use(final CompletionQueue queue)
    {
        return devices.stream().anyMatch((device) -> device.queue() == queue);
    }

    void forEachQueuePair(final Consumer<CreditedQueuePair> action)
    {
        devices.forEach((device) -> device.queuePairs().forEach(action));
    }

    /** Ends the queue pairs of a device that cannot be used any more, and tells the listener. Once for each device. */
    void breakDown(final ShardDevice device, final String reason)
    {
        if (device.brokenReason() == null)
        {
            lose(device, reason);
            listener.onBroken(devices.indexOf(device), reason);
        }
    }

    /** Ends all queue pairs of a device; those that are added later are to end, too. */
    void lose(final ShardDevice device, final String reason)
    {
        if (device.brokenReason() == null)
        {
            device.breakDown(reason);
            device.queuePairs().forEach((queuePair) -> queuePair.life().lose(reason));
        }
    }
}

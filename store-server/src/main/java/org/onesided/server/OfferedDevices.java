package org.onesided.server;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.onesided.server.shard.agent.Shard;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.DeviceWatch;
import org.onesided.verbs.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The devices that a server offers. One that fails takes its sessions along, and the last one the server. Thread-safe.
 */
final class OfferedDevices
{
    private static final Logger LOGGER = LoggerFactory.getLogger(OfferedDevices.class);

    private final List<OpenDevice> devices;
    private final List<Shard> shards;
    private final ServerFailure failure;
    private final Set<Integer> failed = ConcurrentHashMap.newKeySet();

    /**
     * @param devices in their order; their owner closes them.
     * @param shards  of the server, once they are made.
     * @param failure of the server.
     */
    OfferedDevices(final List<OpenDevice> devices, final List<Shard> shards, final ServerFailure failure)
    {
        this.devices = devices;
        this.shards = shards;
        this.failure = failure;
    }

    List<OpenDevice> all()
    {
        return devices;
    }

    /** With commas between them. */
    String names()
    {
        return DeviceNames.join(devices.stream().map(OpenDevice::name).toList());
    }

    /** How often each reason occurred, by kind of device; without devices that count none. */
    Map<String, Map<String, Long>> faults()
    {
        final Map<String, Map<String, Long>> faults = new TreeMap<>();
        devices.forEach((each) -> faults.put(each.kind(), each.context().queryFaults()));
        faults.values().removeIf(Map::isEmpty);
        return faults;
    }

    /** Watches each device from here on, until the resources are closed. The shards are there. */
    void watch(final ServerResources resources)
    {
        for (int i = 0; i < devices.size(); i++)
        {
            final int index = i;
            resources.add(DeviceWatch.start(
                devices.get(i), "store-device-events" + (i == 0 ? "" : "-" + i),
                new DeviceEvents(i, shards, (reason) -> onFailed(index, reason))));
        }
    }

    /** Ends the device's sessions. Without another working device, the server fails. */
    void onFailed(final int index, final String reason)
    {
        if (!failed.add(index))
        {
            return;
        }
        final OpenDevice device = devices.get(index);
        device.fail(reason);
        shards.forEach((shard) -> shard.queuePairs().loseAll(index, reason));
        final List<String> working =
            devices.stream().filter((each) -> each.failure() == null).map(OpenDevice::name).toList();
        if (working.isEmpty())
        {
            failure.fail("the device cannot go on", new ServerException(reason));
        }
        else
        {
            LOGGER.error("device has failed, its sessions end, and the server continues with others: device={} " +
                "reason={} others={}", device.name(), reason, DeviceNames.join(working));
        }
    }
}

package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardDevicesTest
{
    private final List<String> told = new ArrayList<>();
    private final ShardDevices devices = new ShardDevices(List.of(device("shm"), device("tcp")), new ShardListener()
    {
        @Override
        public void onEnded(final CreditedQueuePair queuePair, final String reason)
        {
            told.add("ended: " + reason);
        }

        @Override
        public void onBroken(final int device, final String reason)
        {
            told.add(device + ": " + reason);
        }

        @Override
        public void onFailed(final int shard, final RuntimeException cause)
        {
            told.add("failed: " + cause);
        }
    });

    private static ShardDevice device(final String name)
    {
        return new ShardDevice(name, null, null, null);
    }

    @Test
    void shouldTellOnceThatADeviceIsBroken()
    {
        devices.breakDown(devices.at(1), "first");
        devices.breakDown(devices.at(1), "second");
        assertEquals(List.of("1: first"), told);
        assertEquals("first", devices.at(1).brokenReason());
        assertNull(devices.at(0).brokenReason());
    }

    /** The server ends the queue pairs of a device of whose failure it has heard itself. */
    @Test
    void shouldTellNothingOfADeviceWhoseQueuePairsWereToEnd()
    {
        devices.lose(devices.at(0), "device failed");
        devices.breakDown(devices.at(0), "queue is broken");
        assertEquals(List.of(), told);
        assertEquals("device failed", devices.at(0).brokenReason());
    }

    @Test
    void shouldCountTheSessionsOfEachDeviceInTheirOrder()
    {
        assertFalse(devices.isConnected());
        devices.at(1).sessions().count(3);
        assertEquals(List.of("shm=0", "tcp=3"),
            devices.connections().entrySet().stream().map(Object::toString).toList());
    }
}

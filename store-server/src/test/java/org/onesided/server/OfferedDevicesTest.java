package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Devices;
import org.onesided.verbs.OpenDevice;

class OfferedDevicesTest
{
    private final OpenDevice first = open("shm");
    private final OpenDevice second = open("tcp:127.0.0.1:0");
    private final ServerFailure failure = new ServerFailure(() -> { }, () -> { });
    private final OfferedDevices devices = new OfferedDevices(List.of(first, second), List.of(), failure);

    private static OpenDevice open(final String name)
    {
        return OpenDevice.open(Devices.find(name), ServerConfiguration.CONNECTION_DEFAULT, "a test uses it");
    }

    @AfterEach
    void close()
    {
        first.close();
        second.close();
    }

    @Test
    void shouldServeOnWithTheDevicesThatStillWork()
    {
        devices.onFailed(0, "cable is cut");
        devices.onFailed(0, "cable is still cut");
        assertEquals("cable is cut", first.failure());
        assertNull(second.failure());
        assertTrue(failure.isServing());
    }

    @Test
    void shouldFailWithTheLastDevice()
    {
        devices.onFailed(1, "port is gone");
        devices.onFailed(0, "cable is cut");
        assertFalse(failure.isServing());
        assertEquals("cable is cut", failure.cause().getMessage());
    }

    @Test
    void shouldNameTheDevicesInTheirOrder()
    {
        assertEquals(first.name() + "," + second.name(), devices.names());
    }
}

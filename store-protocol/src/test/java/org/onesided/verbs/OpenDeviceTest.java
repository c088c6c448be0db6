package org.onesided.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OpenDeviceTest
{
    private final FakeContext fake = new FakeContext("ibv:fake0");

    @Test
    void shouldFindOutThePathOnceUntilSomethingChanged()
    {
        final OpenDevice device = open(ConnectionOptions.defaults(0));
        final ConnectionOptions path = device.path();
        assertEquals(1, path.port());
        assertEquals(1, path.gidIndex());
        fake.port = PortState.DOWN;
        assertSame(path, device.path());

        device.lookAgain();
        final VerbsException down = assertThrows(VerbsException.class, device::path);
        assertEquals(Errno.ENODEV, down.errno());
        assertTrue(down.getMessage().contains("DOWN"), down.getMessage());

        fake.port = PortState.ACTIVE;
        assertEquals(path, device.path());
        assertEquals(1, device.port());
    }

    @Test
    void shouldKeepItsGidUntilThatHasGone()
    {
        final OpenDevice device = open(ConnectionOptions.defaults(0));
        fake.gids.add(0, FakeContext.gid(0, 0x0A00_0000));
        device.lookAgain();
        assertEquals(1, device.path().gidIndex());

        fake.gids.remove(1);
        device.lookAgain();
        assertEquals(0, device.path().gidIndex());

        fake.gids.set(0, FakeContext.gid(0, 0x0A00_0009));
        device.lookAgain();
        assertEquals(0, device.path().gidIndex());
        assertTrue(device.describe().contains("gid=0000:0000:0000:0000:0000:ffff:0a00:0009"), device.describe());
    }

    @Test
    void shouldSayThatAGidThatWasAskedForHasGone()
    {
        final OpenDevice device = open(ConnectionOptions.defaults(0).gidIndex(1));
        fake.gids.set(0, FakeContext.gid(3, 0x0A00_0001));
        device.lookAgain();
        final VerbsException gone = assertThrows(VerbsException.class, device::path);
        assertTrue(gone.getMessage().contains("gid_index=1"), gone.getMessage());
    }

    @Test
    void shouldConnectNothingAfterTheDeviceFailed()
    {
        final OpenDevice device = open(ConnectionOptions.defaults(0));
        device.fail("device failed: first");
        device.fail("second");
        assertEquals("device failed: first", device.failure());
        final VerbsException failed = assertThrows(VerbsException.class, device::path);
        assertEquals(Errno.EIO, failed.errno());
        assertTrue(failed.getMessage().contains("device failed: first"), failed.getMessage());
    }

    @Test
    void shouldCloseADeviceThatHasNoPath()
    {
        fake.port = PortState.DOWN;
        assertThrows(VerbsException.class, () -> open(ConnectionOptions.defaults(0)));
        assertTrue(fake.isClosed);
    }

    @Test
    void shouldDescribeDeviceAndPath()
    {
        final OpenDevice device = open(ConnectionOptions.defaults(0));
        assertEquals("ibv:fake0 port=1 link_layer=Ethernet mtu=1024 gid_index=1 " +
            "gid=0000:0000:0000:0000:0000:ffff:0a00:0001 type=\"RoCE v2\"", device.describe());
        assertEquals("ibv", device.kind());
        assertFalse(fake.isClosed);
        device.close();
        assertTrue(fake.isClosed);
    }

    private OpenDevice open(final ConnectionOptions options)
    {
        return OpenDevice.open(fake.device(), options, "test");
    }
}

package org.onesided.tools.kvctl.rdma.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Errno;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.GidType;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;
import org.onesided.verbs.VerbsException;

class DeviceListingTest
{
    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults(Access.REMOTE_READ);

    @TempDir
    private Path root;

    private FakeDevice device;
    private FakeProvider provider;

    @BeforeEach
    void setUp()
    {
        new FakeSystem(root);
        device = new FakeDevice("ibv:rxe0");
        provider = new FakeProvider(device);
    }

    @Test
    void shouldShowDevicePortsAndGids()
    {
        final String text = list("", false).text();

        line(text, "*", "ibv:rxe0", "rdma_rxe", "InfiniBand", "16.35.2000", "a449:48ff:fe04:69f6", "0x0002c9", "4121");
        line(text, "*", "ibv:rxe0", "1", "ACTIVE", "Ethernet", "1024", "4096", "4X x 25 Gb/s", "7");
        line(text, "", "ibv:rxe0", "1", "0", "fe80:0000:0000:0000:a449:48ff:fe04:69f6", "-", "RoCE v2", "dummy0");
        line(text, "*", "ibv:rxe0", "1", "1", "0000:0000:0000:0000:0000:ffff:0a09:0001", "10.9.0.1", "RoCE v2",
            "dummy0");
        line(text, "", "ibv:rxe0", "queue pairs", "1,048,560");
        line(text, "", "ibv:rxe0", "length of a region", "any");
        assertTrue(text.endsWith("\n* taken by default: ibv:rxe0 port 1 GID 1 (10.9.0.1, RoCE v2)\n"), text);
        assertEquals(0, device.openCount, "the device is closed again");
    }

    @Test
    void shouldShowAllLimitsWhenAsked()
    {
        assertFalse(list("", false).text().contains("protection domains"));
        final String text = list("", true).text();

        line(text, "", "ibv:rxe0", "protection domains", "1,048,576");
        line(text, "", "ibv:rxe0", "message length on port 1", "8,388,608");
        line(text, "", "ibv:rxe0", "atomics", "yes");
    }

    @Test
    void shouldMarkNothingWhereNothingCanBeTaken()
    {
        device.ports.set(0, FakeDevice.port(PortState.DOWN, PortAttributes.ETHERNET));

        final String text = list("", false).text();

        assertTrue(text.lines().noneMatch(line -> line.startsWith("*")), text);
        assertTrue(text.contains("\nnone can be taken by default: query_port: ENODEV: no port can"), text);
    }

    @Test
    void shouldMarkAnInterfaceThatIsDown()
    {
        device.gids.set(1, new GidEntry(1, FakeDevice.MAPPED, GidType.ROCE_V2, "dummy0", false));

        final String text = list("", false).text();

        assertTrue(text.contains("dummy0 (down)"), text);
        assertTrue(text.contains("* taken by default: ibv:rxe0 port 1 GID 0 (fe80:"), text);
    }

    @Test
    void shouldShowADeviceThatCannotBeOpenedBesideOthers()
    {
        final FakeDevice shut = new FakeDevice("ibv:mlx5_0");
        shut.refusal = new VerbsException("open_device", Errno.EACCES, "not permitted: device=mlx5_0");
        provider.devices.add(shut);

        final DeviceListing listing = list("", false);

        assertEquals(2, listing.count());
        line(listing.text(), "", "ibv:mlx5_0", "-", "-", "-", "-", "-", "-");
        assertTrue(
            listing.text().contains("ibv:mlx5_0 cannot be used: open_device: EACCES: not permitted: device=mlx5_0\n"));
        line(listing.text(), "*", "ibv:rxe0", "1", "ACTIVE", "Ethernet", "1024", "4096", "4X x 25 Gb/s", "7");
    }

    @Test
    void shouldTakeTheFirstDeviceThatCanBeUsed()
    {
        device.ports.set(0, FakeDevice.port(PortState.DOWN, PortAttributes.ETHERNET));
        final FakeDevice shut = new FakeDevice("ibv:mlx5_0");
        shut.refusal = new VerbsException("open_device", Errno.EACCES, "not permitted: device=mlx5_0");
        provider.devices.addAll(List.of(shut, new FakeDevice("ibv:mlx5_1"), new FakeDevice("ibv:mlx5_2")));

        final String text = list("", false).text();

        assertTrue(text.endsWith("\n* taken by default: ibv:mlx5_1 port 1 GID 1 (10.9.0.1, RoCE v2)\n"), text);
        line(text, "*", "ibv:mlx5_1", "1", "ACTIVE", "Ethernet", "1024", "4096", "4X x 25 Gb/s", "7");
        line(text, "", "ibv:mlx5_2", "1", "ACTIVE", "Ethernet", "1024", "4096", "4X x 25 Gb/s", "7");
    }

    @Test
    void shouldTellOfADeviceThatIsLostMeanwhile()
    {
        device.loss = new VerbsException("query_gid_table", Errno.EIO, "the device was removed: device=rxe0");

        final String text = list("", false).text();

        assertTrue(text.contains("\nibv:rxe0 cannot be used: query_gid_table: EIO: the device was removed"), text);
        assertEquals(0, device.openCount);
    }

    @Test
    void shouldShowOneDeviceOfSeveral()
    {
        provider.devices.add(new FakeDevice("ibv:mlx5_0"));

        final DeviceListing listing = list("mlx5_0", false);

        assertEquals(1, listing.count());
        assertFalse(listing.text().contains("rxe0"), listing.text());
        assertTrue(listing.text().contains("* taken: ibv:mlx5_0 port 1 GID 1"), listing.text());
    }

    @Test
    void shouldRefuseADeviceThatIsNotThere()
    {
        assertThrows(VerbsException.class, () -> list("mlx5_9", false));
    }

    @Test
    void shouldCountNoDevices()
    {
        provider.devices.clear();

        assertEquals(0, list("", false).count());
    }

    @Test
    void shouldWriteGuidsAsTheToolsDo()
    {
        assertEquals("0002:c903:0000:ffff", DeviceListing.guid(0x0002_C903_0000_FFFFL));
        assertEquals("ec0d:9a03:00a1:b2c3", DeviceListing.guid(0xEC0D_9A03_00A1_B2C3L));
        assertEquals("", DeviceListing.guid(0));
    }

    private DeviceListing list(final String argument, final boolean isVerbose)
    {
        return DeviceListing.of(root, new Selection(
            provider, argument, OPTIONS), isVerbose);
    }

    private static void line(final String text, final String... cells)
    {
        assertTrue(
            text.lines().anyMatch(line -> List.of(line.replaceFirst("^ +", "  ").split("  +")).equals(List.of(cells))),
            List.of(cells) + " in:\n" + text);
    }
}

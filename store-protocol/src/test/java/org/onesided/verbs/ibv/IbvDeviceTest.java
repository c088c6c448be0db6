package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.VerbsException;

/**
 * Compares what the library tells of a real device with what the kernel tells of it in files.
 */
@Tag("rdma")
class IbvDeviceTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final IbvDeviceProvider provider = new IbvDeviceProvider();
    private final String name = provider.device("").name().substring("ibv:".length());
    private final Path files = Path.of("/sys/class/infiniband").resolve(name);

    @Test
    void shouldListDevicesAndFindThemByName()
    {
        final List<String> names = provider.devices().stream().map(Device::name).toList();
        assertEquals("ibv:" + name, names.get(0));
        assertEquals(Sysfs.KERNEL.rdmaDevices().size(), names.size());
        assertEquals("ibv:" + name, provider.device(name).name());
        final VerbsException unknown = assertThrows(VerbsException.class, () -> provider.device("mlx5_99"));
        assertEquals(Errno.ENODEV, unknown.errno());
        assertTrue(unknown.getMessage().contains(name), unknown.getMessage());
    }

    @Test
    void shouldTellOfTheDeviceWhatTheKernelTells() throws Exception
    {
        try (IbvContext context = open())
        {
            final DeviceAttributes attributes = context.queryDevice();
            final String guid = String.format("%016x", attributes.identity().nodeGuid());
            assertEquals(read("node_guid").replace(":", ""), guid);
            assertEquals(Sysfs.KERNEL.portStates(name).size(), attributes.portCount());
        }
    }

    @Test
    void shouldTellOfPortsWhatTheKernelTells() throws Exception
    {
        try (IbvContext context = open())
        {
            final PortAttributes port = context.queryPort(1);
            assertEquals(read("ports/1/state"), port.state().ordinal() + ": " + port.state());
            assertEquals(read("ports/1/link_layer"), port.linkLayer());
            assertEquals(Integer.decode(read("ports/1/lid")), port.lid());
            final String rate = read("ports/1/rate");
            final double gigabits = port.lanes() * port.laneSpeed() / 1000.0;
            assertTrue(rate.startsWith(String.format(Locale.ROOT, "%.1f", gigabits)) ||
                rate.startsWith(String.format(Locale.ROOT, "%.0f", gigabits)), rate);
            assertTrue(port.maxMtu() >= port.activeMtu() && port.activeMtu() >= 256, "active_mtu=" + port.activeMtu());
            // A byte with its highest bit set is a port too, and not this device's.
            try (NativeArray memory = new NativeArray(PortAttributesDescriptor.LENGTH))
            {
                assertEquals(Errno.EINVAL, context.nativeContext().library().calls()
                    .ibv_query_port(context.nativeContext().handle(), 200, memory.range().address()));
            }
        }
    }

    @Test
    void shouldTellOfGidsWhatTheKernelTells() throws Exception
    {
        try (IbvContext context = open())
        {
            final List<GidEntry> entries = context.queryGidTable(1);
            assertFalse(entries.isEmpty());
            for (final GidEntry entry : entries)
            {
                assertEquals(read("ports/1/gids/" + entry.index()), entry.gid().toString());
                assertEquals(read("ports/1/gid_attrs/types/" + entry.index()), entry.type().toString());
                assertEquals(read("ports/1/gid_attrs/ndevs/" + entry.index()), entry.interfaceName());
                assertTrue(entry.interfaceUp());
                assertEquals(entry.gid(), context.queryGid(1, entry.index()));
            }
            assertEquals(used(context.queryPort(1).gidTableLength()), entries.stream().map(GidEntry::index).toList());
        }
    }

    @Test
    void shouldReadTheSameGidsWithoutTheNewerFunction()
    {
        final FakeLibrary none = new FakeLibrary();
        try (IbvContext context = open(); none)
        {
            final IbvCalls calls = context.nativeContext().library().calls();
            none.on("ibv_query_gid", (arguments) -> calls.ibv_query_gid(
                (Long)arguments[0], (Integer)arguments[1], (Integer)arguments[2], (Long)arguments[3]));
            final GidTable older = new GidTable(none.library(), context.nativeContext().handle(), name, Sysfs.KERNEL);
            assertEquals(context.queryGidTable(1), older.list(1, context.queryPort(1), 1));
            assertEquals(1, none.calls("_ibv_query_gid_table"));
        }
    }

    @Test
    void shouldRefuseWhatThePortDoesNotHave()
    {
        try (IbvContext context = open())
        {
            final int places = context.queryPort(1).gidTableLength();
            assertEquals(
                Errno.EINVAL, assertThrows(VerbsException.class, () -> context.queryGid(1, places)).errno());
            try (NativeArray memory = new NativeArray(Gid.LENGTH))
            {
                assertEquals(-1, context.nativeContext().library().calls()
                    .ibv_query_gid(context.nativeContext().handle(), 1, places, memory.range().address()));
            }
            final int ports = context.queryDevice().portCount();
            assertEquals(
                Errno.EINVAL, assertThrows(VerbsException.class, () -> context.queryPort(ports + 1)).errno());
        }
    }

    @Test
    void shouldHearThatThePortGoesDownAndComesUp() throws Exception
    {
        try (IbvContext context = open())
        {
            final String network = context.queryGidTable(1).get(0).interfaceName();
            run("ip", "link", "set", network, "down");
            try
            {
                assertHeard(context, AsyncEvent.Type.PORT_ERR);
                assertFalse(context.queryPort(1).active());
                assertFalse(Sysfs.KERNEL.isInterfaceUp(network));
                assertTrue(context.queryGidTable(1).stream().noneMatch(GidEntry::interfaceUp));
                final VerbsException down = assertThrows(VerbsException.class, () -> provider.device(""));
                assertEquals(Errno.ENODEV, down.errno());
                assertTrue(down.getMessage().contains(name + " [port 1: DOWN]"), down.getMessage());
                // Who names it gets it, and hears of the port later.
                assertEquals("ibv:" + name, provider.device(name).name());
            }
            finally
            {
                run("ip", "link", "set", network, "up");
            }
            assertHeard(context, AsyncEvent.Type.PORT_ACTIVE);
            assertTrue(context.queryPort(1).active());
        }
    }

    @Test
    void shouldWriteNothingBehindStructures()
    {
        final int guard = 64;
        try (IbvContext context = open(); NativeArray memory = new NativeArray(1024))
        {
            final long address = memory.range().address();
            final IbvCalls calls = context.nativeContext().library().calls();
            UnsafeApi.setMemory(address, 1024, (byte)0x5A);
            assertEquals(0, calls.ibv_query_device(context.nativeContext().handle(), address));
            assertGuarded(address + DeviceAttributesDescriptor.LENGTH, guard);
            UnsafeApi.setMemory(address, 1024, (byte)0x5A);
            assertEquals(0, calls.ibv_query_port(context.nativeContext().handle(), 1, address));
            assertGuarded(address + PortAttributesDescriptor.LENGTH, guard);
        }
    }

    private IbvContext open()
    {
        return (IbvContext)provider.device(name).open();
    }

    private static void assertHeard(final IbvContext context, final AsyncEvent.Type type)
    {
        AsyncEvent event;
        do
        {
            event = context.awaitAsyncEvent(PATIENCE_NS);
            assertNotNull(event, "not heard: type=" + type);
        }
        while (event.type() != type);
        assertEquals(1, event.number());
    }

    private static void assertGuarded(final long address, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            assertEquals(0x5A, UnsafeApi.getByte(address + i));
        }
    }

    private List<Integer> used(final int places) throws Exception
    {
        final List<Integer> used = new ArrayList<>();
        for (int index = 0; index < places; index++)
        {
            if (!read("ports/1/gids/" + index).equals(new Gid(0, 0).toString()))
            {
                used.add(index);
            }
        }
        return used;
    }

    private String read(final String file) throws Exception
    {
        return Files.readString(files.resolve(file)).trim();
    }

    private static void run(final String... command) throws Exception
    {
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    }
}

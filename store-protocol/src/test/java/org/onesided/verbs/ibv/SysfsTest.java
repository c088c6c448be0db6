package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsTest
{
    @TempDir
    Path root;

    private Sysfs sysfs;

    @BeforeEach
    void begin()
    {
        sysfs = new Sysfs(root);
    }

    @Test
    void shouldTellOfNothingWhereThereIsNothing()
    {
        assertEquals(List.of(), sysfs.rdmaDevices());
        assertEquals("", sysfs.rdmaDeviceOf("uverbs0"));
        assertEquals("", sysfs.deviceFileOf("rxe0"));
        assertEquals("", sysfs.numberOf("uverbs0"));
        assertEquals("", sysfs.gidType("rxe0", 1, 0));
        assertEquals("", sysfs.interfaceName(3));
        assertEquals(List.of(), sysfs.portStates("rxe0"));
        assertFalse(sysfs.hasActivePort("rxe0"));
    }

    @Test
    void shouldFindDevicesAndTheirFiles()
    {
        write("infiniband/rxe1/node_type", "1: CA\n");
        write("infiniband/mlx5_0/node_type", "1: CA\n");
        write("infiniband_verbs/uverbs0/ibdev", "rxe1\n");
        write("infiniband_verbs/uverbs1/ibdev", "mlx5_0\n");
        write("infiniband_verbs/uverbs1/dev", "231:193\n");
        write("infiniband_verbs/abi_version", "6\n");
        assertEquals(List.of("mlx5_0", "rxe1"), sysfs.rdmaDevices());
        assertEquals("uverbs1", sysfs.deviceFileOf("mlx5_0"));
        assertEquals("mlx5_0", sysfs.rdmaDeviceOf("uverbs1"));
        assertEquals("231:193", sysfs.numberOf("uverbs1"));
    }

    @Test
    void shouldTellCounters()
    {
        write("infiniband/rxe0/ports/1/counters/port_rcv_data", "12\n");
        write("infiniband/rxe0/ports/1/hw_counters/sent_pkts", "9223372036854775807\n");
        write("infiniband/rxe0/ports/1/hw_counters/lifespan", "10 ms\n");
        write("infiniband/rxe0/ports/2/hw_counters/sent_pkts", "3\n");
        assertEquals(Map.of("port_rcv_data", 12L, "sent_pkts", Long.MAX_VALUE), sysfs.counters("rxe0", 1));
        assertEquals(Map.of(), sysfs.counters("rxe1", 1));
    }

    @Test
    void shouldTellStatesOfPorts()
    {
        write("infiniband/mlx5_0/ports/1/state", "1: DOWN\n");
        assertFalse(sysfs.hasActivePort("mlx5_0"));
        // It is not active, although its name begins so.
        write("infiniband/mlx5_0/ports/2/state", "5: ACTIVE_DEFER\n");
        assertFalse(sysfs.hasActivePort("mlx5_0"));
        write("infiniband/mlx5_0/ports/2/state", "4: ACTIVE\n");
        assertTrue(sysfs.hasActivePort("mlx5_0"));
        assertEquals(List.of("port 1: DOWN", "port 2: ACTIVE"), sysfs.portStates("mlx5_0"));
    }

    @Test
    void shouldTellTypeAndInterfaceOfAGid()
    {
        write("infiniband/rxe0/ports/1/gid_attrs/types/3", "RoCE v2\n");
        write("infiniband/rxe0/ports/1/gid_attrs/ndevs/3", "eth1\n");
        assertEquals("RoCE v2", sysfs.gidType("rxe0", 1, 3));
        assertEquals("eth1", sysfs.gidInterface("rxe0", 1, 3));
    }

    @Test
    void shouldFindAnInterfaceByItsNumber()
    {
        write("net/lo/ifindex", "1\n");
        write("net/eth1/ifindex", "12\n");
        assertEquals("eth1", sysfs.interfaceName(12));
        assertEquals("", sysfs.interfaceName(2));
    }

    @Test
    void shouldTellWhetherAnInterfaceIsUp()
    {
        netInterface("eth0", "0x1003", "up");
        netInterface("dummy0", "0x83", "unknown");
        netInterface("eth1", "0x1002", "down");
        netInterface("eth2", "0x1003", "down");
        netInterface("vlan3", "0x1003", "lowerlayerdown");
        assertTrue(sysfs.isInterfaceUp("eth0"));
        assertTrue(sysfs.isInterfaceUp("dummy0"));
        assertFalse(sysfs.isInterfaceUp("eth1"));
        assertFalse(sysfs.isInterfaceUp("eth2"));
        assertFalse(sysfs.isInterfaceUp("vlan3"));
    }

    @Test
    void shouldTakeAnInterfaceOfAnotherNamespaceToBeUp()
    {
        assertTrue(sysfs.isInterfaceUp("eth7"));
        assertTrue(sysfs.isInterfaceUp(""));
    }

    private void netInterface(final String name, final String flags, final String state)
    {
        write("net/" + name + "/flags", flags + "\n");
        write("net/" + name + "/operstate", state + "\n");
    }

    private void write(final String file, final String text)
    {
        try
        {
            Files.createDirectories(root.resolve(file).getParent());
            Files.writeString(root.resolve(file), text);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}

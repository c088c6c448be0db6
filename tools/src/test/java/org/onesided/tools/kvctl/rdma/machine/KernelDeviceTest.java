package org.onesided.tools.kvctl.rdma.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelDeviceTest
{
    @TempDir
    private Path root;

    private FakeSystem system;

    @BeforeEach
    void setUp()
    {
        system = new FakeSystem(root);
    }

    @Test
    void shouldKnowSoftRoce()
    {
        assertEquals(
            List.of(new KernelDevice("rxe0", 1, "rdma_rxe", List.of("dummy0"), "/dev/infiniband/uverbs0")),
            KernelDevice.list(system));
    }

    @Test
    void shouldKnowHardware()
    {
        system.device("mlx5_0", "1: CA", "", 1);
        system.write("/sys/devices/card/net/ens3/flags", "0x1003\n");
        system.link("/sys/class/infiniband/mlx5_0/device", "../../../devices/card");
        system.link("/sys/devices/card/driver", "../drivers/mlx5_core");
        assertEquals(
            new KernelDevice("mlx5_0", 1, "mlx5_core", List.of("ens3"), "/dev/infiniband/uverbs1"),
            KernelDevice.list(system).get(0));

        system.link("/sys/devices/drivers/mlx5_core/module", "../../../module/mlx5_driver");
        assertEquals("mlx5_driver", KernelDevice.list(system).get(0).driver());
    }

    @Test
    void shouldKnowTransports()
    {
        system.device("siw0", "4: RNIC", "", 1);
        system.device("efa0", "7: unspecified", "", 2);
        system.device("odd", "", "", 3);

        final List<KernelDevice> devices = KernelDevice.list(system);

        assertEquals(
            List.of("efa0 unspecified ", "odd unspecified ", "rxe0 InfiniBand rdma_rxe", "siw0 iWARP siw"),
            devices.stream().map(device -> device.name() + " " + device.transport() + " " + device.driver()).toList());
    }

    @Test
    void shouldKnowNoDeviceFileWithoutUserVerbs()
    {
        system.remove("/sys/class/infiniband_verbs");

        assertEquals("", KernelDevice.list(system).get(0).deviceFile());
    }
}

package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.verbs.Device;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

class IbvDeviceProviderTest
{
    @TempDir
    Path directory;

    @Test
    void shouldFindNothingAndNotNeedTheLibraryWhereTheKernelHasNothing()
    {
        final IbvDeviceProvider provider = new IbvDeviceProvider(new Sysfs(directory), directory, () ->
        {
            throw new AssertionError("not to be loaded");
        });
        assertEquals(List.of(), provider.devices());
        for (final String name : List.of("", "mlx5_0"))
        {
            final VerbsException none = assertThrows(VerbsException.class, () -> provider.device(name));
            assertEquals(Errno.ENODEV, none.errno());
            assertTrue(none.getMessage().contains("this machine has no RDMA device"), none.getMessage());
        }
    }

    @Test
    void shouldSayThatTheLibraryIsMissingWhereTheKernelHasADevice() throws Exception
    {
        kernelDevice("rxe0", "4: ACTIVE");
        final IbvDeviceProvider provider =
            new IbvDeviceProvider(new Sysfs(directory), directory, () -> IbvLibrary.load("libnothing.so.1"));
        assertTrue(assertThrows(VerbsException.class, provider::devices).getMessage().contains("libibverbs1"));
        assertTrue(assertThrows(VerbsException.class, () -> provider.device("")).getMessage().contains("libibverbs1"));
    }

    @Test
    void shouldSayWhyTheLibraryListsNothing() throws Exception
    {
        kernelDevice("rxe0", "4: ACTIVE");
        try (FakeLibrary fake = new FakeLibrary(List.of()))
        {
            final IbvDeviceProvider provider = provider(fake);
            assertTrue(assertThrows(VerbsException.class, provider::devices).getMessage().contains("ib_uverbs"));
            // So an older library says that the kernel does not offer its devices to programs.
            fake.on("ibv_get_device_list", (arguments) -> 0L);
            fake.errno(Errno.ENOSYS);
            assertTrue(assertThrows(VerbsException.class, provider::devices).getMessage().contains("ib_uverbs"));
            assertEquals(1, fake.calls("ibv_free_device_list"));
            fake.errno(Errno.ENOMEM);
            assertEquals(Errno.ENOMEM, assertThrows(VerbsException.class, provider::devices).errno());
        }
    }

    @Test
    void shouldPreferDevicesWithAnActivePort() throws Exception
    {
        kernelDevice("mlx5_0", "1: DOWN");
        kernelDevice("mlx5_1", "4: ACTIVE");
        kernelDevice("mlx5_2", "4: ACTIVE");
        kernelDevice("siw0", "4: ACTIVE");
        try (FakeLibrary fake = new FakeLibrary(List.of("siw0", "mlx5_0", "mlx5_1", "mlx5_2")))
        {
            UnsafeApi.putInt(fake.device() + DeviceDescriptor.TRANSPORT_TYPE_OFFSET, DeviceDescriptor.TRANSPORT_IWARP);
            final IbvDeviceProvider provider = provider(fake);
            assertEquals(
                List.of("ibv:mlx5_1", "ibv:mlx5_2", "ibv:mlx5_0", "ibv:siw0"),
                provider.devices().stream().map(Device::name).toList());
            assertEquals("ibv:mlx5_1", provider.device("").name());
            assertEquals("ibv:mlx5_0", provider.device("mlx5_0").name());
            final VerbsException unknown = assertThrows(VerbsException.class, () -> provider.device("mlx5_9"));
            assertTrue(unknown.getMessage().contains("there_are=[mlx5_1, mlx5_2, mlx5_0, siw0]"), unknown.getMessage());
        }
    }

    @Test
    void shouldTellStatesWhereNoPortIsActive() throws Exception
    {
        kernelDevice("mlx5_0", "1: DOWN");
        kernelDevice("mlx5_1", "2: INIT");
        try (FakeLibrary fake = new FakeLibrary(List.of("mlx5_0", "mlx5_1")))
        {
            final VerbsException inactive =
                assertThrows(VerbsException.class, () -> provider(fake).device(""));
            assertEquals(Errno.ENODEV, inactive.errno());
            assertTrue(inactive.getMessage().endsWith("devices=[mlx5_0 [port 1: DOWN], mlx5_1 [port 1: INIT]]"),
                inactive.getMessage());
        }
    }

    @Test
    void shouldRefuseIwarpWhereThereIsNothingElse() throws Exception
    {
        kernelDevice("siw0", "4: ACTIVE");
        try (FakeLibrary fake = new FakeLibrary(List.of("siw0")))
        {
            UnsafeApi.putInt(fake.device() + DeviceDescriptor.NODE_TYPE_OFFSET, DeviceDescriptor.NODE_RNIC);
            final VerbsException refused =
                assertThrows(VerbsException.class, () -> provider(fake).device(""));
            assertEquals(Errno.EOPNOTSUPP, refused.errno());
        }
    }

    private IbvDeviceProvider provider(final FakeLibrary fake)
    {
        return new IbvDeviceProvider(new Sysfs(directory), directory, fake::library);
    }

    private void kernelDevice(final String name, final String state) throws Exception
    {
        final Path port = directory.resolve("infiniband").resolve(name).resolve("ports/1");
        Files.createDirectories(port);
        Files.writeString(port.resolve("state"), state + "\n");
    }
}

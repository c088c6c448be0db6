package org.onesided.tools.kvctl.rdma.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.GidType;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;
import org.onesided.verbs.VerbsException;

class DoctorTest
{
    private static final long NEED = 256L << 20;

    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults(Access.REMOTE_READ);

    @TempDir
    private Path root;

    private FakeSystem system;
    private FakeDevice device;
    private FakeProvider provider;

    @BeforeEach
    void setUp()
    {
        system = new FakeSystem(root);
        device = new FakeDevice("ibv:rxe0");
        provider = new FakeProvider(device);
    }

    @Test
    void shouldFindASoundMachineSound()
    {
        system.remove("/sys/class/infiniband/rxe0");
        system.device("shm", "1: CA", "dummy0", 0);
        provider = new FakeProvider(Devices.find("shm"));

        final Report report = examine();

        assertTrue(report.isSound(), report.text());
        assertTrue(report.text().contains("\nRDMA works: shm port 1 GID 0 ("), report.text());
        assertEquals(Level.PASS, only(report, "loopback").level());
        assertTrue(report.findings().stream().noneMatch(finding -> finding.level() == Level.FAIL), report.text());
    }

    @Test
    void shouldPassWhatIsAsItShouldBe()
    {
        final Report report = examine();

        pass(report, "libibverbs", "/usr/lib/x86_64-linux-gnu/libibverbs.so.1");
        pass(report, "providers", "rxe");
        pass(report, "kernel modules", "ib_uverbs is loaded");
        pass(report, "kernel devices", "rxe0 (rdma_rxe on dummy0)");
        pass(report, "device files", "/dev/infiniband/uverbs0 of rxe0 may be read and written");
        pass(report, "devices", "ibv:rxe0 opens");
        pass(report, "ports", "ibv:rxe0 port 1 is ACTIVE (Ethernet, MTU 1024 of 4096)");
        pass(report, "path", "ibv:rxe0 port 1 GID 1 (10.9.0.1, RoCE v2)");
        pass(report, "locked memory", "unlimited");
        pass(report, "huge pages", "200 of 256 free, of 2 MiB; transparent: madvise");
        assertEquals(0, device.openCount, "the device is closed again");
    }

    @Test
    void shouldFailWithAReadThatFails()
    {
        final Report report = examine();

        fail(report, "loopback", "alloc_pd: ENOMEM: a device for tests");
        assertFalse(report.isSound());
        assertTrue(report.text().contains("\nRDMA does not work here yet: 1 failed, "), report.text());
    }

    @Test
    void shouldAdviseToLookAtTheFirewallOnlyWhenNobodyAnswers()
    {
        final LoopbackCheck check = new LoopbackCheck(Host.of(system, "alice"), null);

        final Advice[] advice = check.advice(
            new VerbsException("post_send", Errno.EIO, "the READ failed: device=rxe0 status=RETRY_EXC_ERR"));

        assertEquals(1, advice.length);
        assertTrue(advice[0].what().contains("4791"), advice[0].what());
        assertEquals(0, check.advice(new VerbsException("create_qp", Errno.ENOMEM, "device=rxe0")).length);
    }

    @Test
    void shouldGoOnWithoutADeviceThatIsLostMeanwhile()
    {
        device.loss = new VerbsException("query_gid_table", Errno.EIO, "the device was removed: device=rxe0");

        final Report report = examine();

        fail(report, "verbs", "query_gid_table: EIO: the device was removed");
        fail(report, "path", "query_gid_table: EIO: the device was removed");
        pass(report, "locked memory", "unlimited");
        assertFalse(report.isSound());
        assertEquals(0, device.openCount);
    }

    @Test
    void shouldNameThePackageOfAMissingLibrary()
    {
        system.remove("/usr/lib/x86_64-linux-gnu");
        provider.failure = new VerbsException("get_device_list", Errno.ENOENT, "no libibverbs.so.1");

        final Report report = examine();

        fail(report, "libibverbs", "libibverbs.so.1 is not there",
            "apt install libibverbs1 ibverbs-providers rdma-core");
        fail(report, "devices", "get_device_list: ENOENT: no libibverbs.so.1");
        skip(report, "ports");
        skip(report, "loopback");
        assertFalse(report.isSound());
    }

    @Test
    void shouldNamePackagesOfOtherSystems()
    {
        system.remove("/usr/lib/x86_64-linux-gnu");
        system.write("/etc/os-release", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n");
        fail(examine(), "libibverbs", "is not there", "dnf install libibverbs rdma-core");

        system.write("/etc/os-release", "ID=opensuse-leap\n");
        fail(examine(), "libibverbs", "is not there", "zypper install libibverbs1 libibverbs rdma-core");

        system.remove("/etc/os-release");
        fail(examine(), "libibverbs", "is not there", "dnf install libibverbs rdma-core");
    }

    @Test
    void shouldFindALibraryWhereTheLinkerLooks()
    {
        system.remove("/usr/lib/x86_64-linux-gnu");
        system.write("/etc/ld.so.conf.d/ofed.conf", "# vendor\n/opt/ofed/lib\n");
        system.write("/opt/ofed/lib/libibverbs.so.1", "");
        system.write("/opt/ofed/lib/libibverbs/libmlx5-rdmav57.so", "");

        final Report report = examine();

        pass(report, "libibverbs", "/opt/ofed/lib/libibverbs.so.1");
        pass(report, "providers", "mlx5");
    }

    @Test
    void shouldFailWithoutProviders()
    {
        system.remove("/usr/lib/x86_64-linux-gnu/libibverbs");

        fail(examine(), "providers", "finds no device", "apt install libibverbs1 ibverbs-providers rdma-core");
    }

    @Test
    void shouldTellHowToLoadTheModule()
    {
        system.write("/proc/modules", "ext4 1 0 - Live 0x0\n");
        system.remove("/sys/class/infiniband_verbs");

        final Report report = examine();

        fail(report, "kernel modules", "ib_uverbs is not loaded", "modprobe ib_uverbs");
        fail(report, "device files", "the kernel has none for rxe0", "modprobe ib_uverbs");
    }

    @Test
    void shouldTakeABuiltInModuleForLoaded()
    {
        system.write("/proc/modules", "");

        pass(examine(), "kernel modules", "ib_uverbs is loaded");
    }

    @Test
    void shouldTellHowToGetSoftRoceWithoutHardware()
    {
        removeDevice();
        system.network("lo", true, true);
        system.write("/sys/class/net/lo/type", "772\n");
        system.network("docker0", true, true);
        system.network("ens5", true, true);
        system.write("/sys/class/net/ens5/device/vendor", "0x1af4\n");
        system.network("eth9", false, true);

        final Report report = examine();

        fail(report, "kernel devices", "the kernel has no RDMA device",
            "modprobe rdma_rxe", "rdma link add rxe0 type rxe netdev ens5");
        fail(report, "devices", "there is none");
        skip(report, "device files");
        skip(report, "ports");
        skip(report, "path");
    }

    @Test
    void shouldNameThePackagesOfSoftRoce()
    {
        removeDevice();
        system.remove("/usr/sbin/rdma");
        system.write("/etc/os-release", "ID=ubuntu\nID_LIKE=debian\n");
        system.write("/lib/modules/6.1.0-42-amd64/modules.dep", "kernel/fs/ext4/ext4.ko:\n");

        fail(examine(), "kernel devices", "the kernel has no RDMA device",
            "apt install linux-modules-extra-6.1.0-42-amd64", "apt install iproute2", "modprobe rdma_rxe",
            "rdma link add rxe0 type rxe netdev dummy0");
    }

    @Test
    void shouldNameTheOtherHalfOfANetworkCardsDriver()
    {
        removeDevice();
        system.link("/sys/bus/pci/devices/0000:03:00.0/driver", "../../../../bus/pci/drivers/mlx5_core");
        system.link("/sys/bus/pci/devices/0000:04:00.0/driver", "../../../../bus/pci/drivers/nvme");

        fail(examine(), "kernel devices", "the kernel has no RDMA device", "modprobe mlx5_ib");
    }

    @Test
    void shouldTellHowToMakeAMissingDeviceFile()
    {
        system.remove("/dev/infiniband/uverbs0");

        fail(examine(), "device files", "/dev/infiniband/uverbs0 of rxe0 is missing",
            "udevadm trigger --subsystem-match=infiniband_verbs",
            "mkdir -p /dev/infiniband && mknod -m 666 /dev/infiniband/uverbs0 c 231 192");
    }

    @Test
    void shouldTellHowToHandADeviceFileIntoAContainer()
    {
        system.write("/.dockerenv", "");
        system.remove("/dev/infiniband");

        final Report report = examine();

        fail(report, "device files", "is missing", "docker run --device /dev/infiniband ...");
        pass(report, "container", "--device /dev/infiniband --cap-add IPC_LOCK --ulimit memlock=-1");
    }

    @Test
    void shouldTellHowToBePermittedADeviceFile()
    {
        system.forbid("/dev/infiniband/uverbs0");
        final String group = system.group("/dev/infiniband/uverbs0");

        fail(examine(), "device files", "user alice may not read and write /dev/infiniband/uverbs0: group=" + group,
            group.equals("root") ? "chmod 666 /dev/infiniband/uverbs0" : "usermod -aG " + group + " alice");
    }

    @Test
    void shouldFailWithADeviceThatDoesNotOpen()
    {
        device.refusal = new VerbsException("open_device", Errno.EACCES, "not permitted: device=rxe0");

        final Report report = examine();

        fail(report, "devices", "open_device: EACCES: not permitted: device=rxe0");
        skip(report, "path");
        skip(report, "ports");
        skip(report, "loopback");
    }

    @Test
    void shouldTellOfADeviceThatTheLibraryDoesNotFind()
    {
        system.device("mlx5_0", "1: CA", "", 1);

        assertEquals(Level.WARN, named(examine(), "devices", "mlx5_0").level());
        provider.devices.clear();
        assertEquals(Level.FAIL, named(examine(), "devices", "mlx5_0").level());
        command(named(examine(), "devices", "mlx5_0"), "apt install libibverbs1 ibverbs-providers rdma-core");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseAnIwarpDevice(final boolean isListed)
    {
        removeDevice();
        system.device("iwp3s0", "4: RNIC", "ens3", 0);
        if (isListed)
        {
            device = new FakeDevice("ibv:iwp3s0");
            device.refusal = new VerbsException("open_device", Errno.EOPNOTSUPP, "iWARP: device=iwp3s0");
            provider.devices.add(device);
        }

        final Finding finding = named(examine(), "devices", "iwp3s0 is iWARP");

        assertEquals(Level.FAIL, finding.level());
        command(finding, "rdma link add rxe0 type rxe netdev ens3");
    }

    @Test
    void shouldTellHowToSwitchAnInterfaceOn()
    {
        device.ports.set(0, FakeDevice.port(PortState.DOWN, PortAttributes.ETHERNET));
        system.network("dummy0", false, true);

        final Report report = examine();

        fail(report, "ports", "ibv:rxe0 port 1 is DOWN", "ip link set dummy0 up");
        fail(report, "path", "query_port: ENODEV: no port can carry traffic");
        skip(report, "loopback");
    }

    @Test
    void shouldTellOfAMissingCable()
    {
        device.ports.set(0, FakeDevice.port(PortState.DOWN, PortAttributes.ETHERNET));
        system.network("dummy0", true, false);

        fail(examine(), "ports", "ibv:rxe0 port 1 is DOWN", "ip link show dummy0");
    }

    @Test
    void shouldTellOfAMissingSubnetManager()
    {
        device.ports.set(0, FakeDevice.port(PortState.INIT, PortAttributes.INFINIBAND));

        fail(examine(), "ports", "ibv:rxe0 port 1 is INIT (InfiniBand", "systemctl start opensm");
    }

    @Test
    void shouldOnlyWarnOfASecondPortThatIsDown()
    {
        device.ports.add(FakeDevice.port(PortState.DOWN, PortAttributes.ETHERNET));

        assertEquals(Level.WARN, named(examine(), "ports", "port 2 is DOWN").level());

        final Report report = new Doctor(
            system, new Selection(provider, "rxe0", OPTIONS.port(2)), NEED, "alice").examine((done, all) ->
            assertTrue(done < all, done + " of " + all));
        assertEquals(Level.FAIL, named(report, "ports", "port 2 is DOWN").level());
        fail(report, "path", "the port cannot carry traffic");
    }

    @Test
    void shouldNeedNoGidOnInfiniband()
    {
        device.ports.set(0, FakeDevice.port(PortState.ACTIVE, PortAttributes.INFINIBAND));

        pass(examine(), "path", "ibv:rxe0 port 1 LID 7");
    }

    @Test
    void shouldTellHowToGiveAnAddress()
    {
        device.gids.clear();

        fail(examine(), "path", "no GID on an interface that is up", "ip addr add 192.168.1.10/24 dev dummy0");

        final Finding wrong = only(new Doctor(
            system, new Selection(provider, "", OPTIONS.gidIndex(7)), NEED, "alice")
            .examine((done, all) -> assertTrue(done < all)), "path");
        assertEquals(Level.FAIL, wrong.level());
        assertEquals(List.of(), wrong.advice());
    }

    @Test
    void shouldWarnOfAddressesThatDoNotReachFar()
    {
        device.gids.remove(1);
        final Finding linkLocal = only(examine(), "path");
        assertEquals(Level.WARN, linkLocal.level());
        command(linkLocal, "ip addr add 192.168.1.10/24 dev dummy0");

        device.gids.set(0, new GidEntry(0, FakeDevice.MAPPED, GidType.ROCE_V1, "dummy0", true));
        final Finding old = only(examine(), "path");
        assertEquals(Level.WARN, old.level());
        assertTrue(old.text().contains("RoCE v1 reaches hosts of the same Ethernet only"), old.text());
    }

    @Test
    void shouldTellOfADeviceThatIsNotThere()
    {
        final Report report = new Doctor(system, new Selection(provider, "mlx5_9",
            OPTIONS), NEED, "alice").examine((done, all) ->
            assertTrue(done < all, done + " of " + all));

        fail(report, "path", "get_device_list: ENODEV: no such device: mlx5_9");
        assertFalse(report.isSound());
    }

    @Test
    void shouldLookAtNoHardwareForASoftwareDevice()
    {
        final List<String> progress = new ArrayList<>();
        final Report report = new Doctor(system, new Selection(Devices.provider("shm"), "",
            OPTIONS), NEED, "alice").examine((done, all) -> progress.add(done + "/" + all));

        assertTrue(report.isSound(), report.text());
        assertEquals("0/1", progress.get(0));
        assertEquals(List.of("7/8"), progress.subList(progress.size() - 1, progress.size()));
        assertTrue(report.findings().stream().noneMatch(finding -> finding.topic().startsWith("kernel")));
    }

    private Report examine()
    {
        return new Doctor(system, new Selection(
            provider, "", OPTIONS), NEED, "alice").examine((done, all) ->
            assertTrue(done < all, done + " of " + all));
    }

    private void removeDevice()
    {
        system.remove("/sys/class/infiniband/rxe0");
        system.remove("/sys/class/infiniband_verbs/uverbs0");
        system.remove("/dev/infiniband");
        provider.devices.clear();
    }

    private static void pass(final Report report, final String topic, final String text)
    {
        final Finding finding = only(report, topic);
        assertEquals(Level.PASS, finding.level(), report.text());
        assertTrue(finding.text().contains(text), finding.text());
        assertEquals(List.of(), finding.advice());
    }

    private static void fail(final Report report, final String topic, final String text, final String... commands)
    {
        final Finding finding = only(report, topic);
        assertEquals(Level.FAIL, finding.level(), report.text());
        assertTrue(finding.text().contains(text), finding.text());
        for (final String command : commands)
        {
            command(finding, command);
        }
    }

    private static void skip(final Report report, final String topic)
    {
        assertEquals(Level.SKIP, only(report, topic).level(), report.text());
    }

    private static Finding only(final Report report, final String topic)
    {
        final List<Finding> findings =
            report.findings().stream().filter(finding -> finding.topic().equals(topic)).toList();
        assertEquals(1, findings.size(), topic + " in:\n" + report.text());
        return findings.get(0);
    }

    private static Finding named(final Report report, final String topic, final String text)
    {
        return report.findings().stream()
            .filter(finding -> finding.topic().equals(topic) && finding.text().contains(text)).findFirst()
            .orElseThrow(() -> new AssertionError("nothing of " + text + " in:\n" + report.text()));
    }

    private static void command(final Finding finding, final String command)
    {
        assertTrue(finding.advice().stream().flatMap(advice -> advice.commands().stream())
            .anyMatch(line -> line.startsWith(command)), command + " in: " + finding.advice());
    }
}

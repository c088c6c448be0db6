package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

class IbvErrorsTest
{
    private static final long LIMIT = 65_536;

    @TempDir
    Path directory;

    @Test
    void shouldNameVerbErrnoAndObject()
    {
        final VerbsException failure =
            IbvErrors.failure("reg_mr", Errno.EFAULT, "device=ibv:rxe0 address=0x1000 length=64");
        assertEquals("reg_mr", failure.verb());
        assertEquals(Errno.EFAULT, failure.errno());
        assertTrue(failure.getMessage().startsWith("reg_mr: EFAULT: "), failure.getMessage());
        assertTrue(failure.getMessage().endsWith(": device=ibv:rxe0 address=0x1000 length=64"), failure.getMessage());
    }

    @Test
    void shouldHaveAnAnswerInOneLineForEachVerbAndErrno()
    {
        for (final String verb : List.of("open_device", "query_port", "query_gid", "alloc_pd", "reg_mr", "create_cq",
            "create_qp", "create_srq", "modify_qp", "create_comp_channel", "destroy_cq", "get_async_event"))
        {
            for (int errno = 1; errno < 134; errno++)
            {
                final String advice = IbvErrors.advice(verb, errno, LIMIT, LIMIT, 1);
                assertFalse(advice.isBlank() || advice.contains("\n") || advice.endsWith("."), advice);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reg_mr", "create_cq", "create_qp", "create_srq"})
    void shouldBlameTheLimitOfLockedMemoryWhereThereIsOne(final String verb)
    {
        final String advice = IbvErrors.advice(verb, Errno.ENOMEM, LIMIT, LIMIT, 1);
        for (final String part : List.of("65536 bytes (ulimit -l)", "'* soft memlock unlimited'",
            "/etc/security/limits.conf", "LimitMEMLOCK=infinity", "--ulimit memlock=-1"))
        {
            assertTrue(advice.contains(part), advice);
        }
        assertFalse(IbvErrors.advice(verb, Errno.ENOMEM, LIMIT, HostFacts.UNLIMITED, 1).contains("memlock"));
    }

    @Test
    void shouldBlameTheDeviceWhereTheLimitLeavesRoom()
    {
        assertFalse(IbvErrors.advice("reg_mr", Errno.ENOMEM, 100, LIMIT, LIMIT - 100).contains("memlock"));
        final String advice = IbvErrors.advice("reg_mr", Errno.ENOMEM, 101, LIMIT, LIMIT - 100);
        assertTrue(advice.contains("65536 bytes (ulimit -l), 65436 of them locked already"), advice);
        assertFalse(advice.contains("device has no room"), advice);
    }

    @Test
    void shouldSendToTheGroupThatMayOpenTheDeviceFile()
    {
        final Path file = directory.resolve("uverbs0");
        final String group = IbvErrors.deniedFile(file, "rdma");
        assertTrue(group.endsWith("usermod -aG rdma " + System.getProperty("user.name")), group);
        assertFalse(group.contains("chmod"), group);
        assertTrue(IbvErrors.deniedFile(file, "").contains("chmod 666 " + file));
    }

    @Test
    void shouldNotBlameTheLimitWhereNothingIsLocked()
    {
        assertFalse(IbvErrors.advice("alloc_pd", Errno.ENOMEM, LIMIT, LIMIT, 1).contains("memlock"));
        assertFalse(IbvErrors.advice("reg_mr", Errno.EINVAL, LIMIT, LIMIT, 1).contains("memlock"));
    }

    @Test
    void shouldTellThatAPeerIsOutOfReach()
    {
        for (final int errno : new int[]{
            Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH, Errno.EADDRNOTAVAIL })
        {
            final String advice = IbvErrors.advice("modify_qp", errno, LIMIT, LIMIT, 1);
            assertTrue(advice.contains("peer's GID"), advice);
        }
    }

    @Test
    void shouldTellThatTheMachineHasNoDevice()
    {
        assertNoDevice("modprobe rdma_rxe && rdma link add", "mlx5_0");
        assertNoDevice("modprobe rdma_rxe && rdma link add", "");
    }

    @Test
    void shouldTellThatTheNameIsWrong() throws Exception
    {
        kernelDevice("rxe0", "uverbs0");
        assertNoDevice("no such RDMA device", "mlx5_0");
    }

    @Test
    void shouldTellWhatStandsBetweenKernelAndLibrary() throws Exception
    {
        final Path sysfs = Files.createDirectories(directory.resolve("class"));
        Files.createDirectories(sysfs.resolve("infiniband/rxe0"));
        assertNoDevice("run: modprobe ib_uverbs", "rxe0");
        kernelDevice("rxe0", "uverbs0");
        assertNoDevice("--device=" + directory.resolve("uverbs0"), "rxe0");
        assertNoDevice("--device=" + directory.resolve("uverbs0"), "");
        Files.createFile(directory.resolve("uverbs0"));
        assertNoDevice("install the package ibverbs-providers", "rxe0");
        assertNoDevice("install the package ibverbs-providers", "");
    }

    @Test
    void shouldTellThatTheDeviceFileIsMissing()
    {
        final Path file = directory.resolve("uverbs0");
        final VerbsException failure = IbvErrors.notOpened("ibv:rxe0", Errno.EIO, file);
        assertEquals(Errno.ENODEV, failure.errno());
        assertTrue(failure.getMessage().contains("--device=" + file), failure.getMessage());
    }

    @Test
    void shouldTellThatTheControlGroupKeepsTheDeviceFileShut() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("uverbs0"));
        final VerbsException failure = IbvErrors.notOpened("ibv:rxe0", Errno.EPERM, file);
        assertEquals(Errno.EPERM, failure.errno());
        assertTrue(failure.getMessage().contains("--device=" + file), failure.getMessage());
        assertTrue(failure.getMessage().contains("mode=rw"), failure.getMessage());
    }

    @Test
    void shouldTellWhoMayOpenTheDeviceFile() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("uverbs0"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(file), "this user may read everything");
        final VerbsException failure = IbvErrors.notOpened("ibv:rxe0", Errno.ENOENT, file);
        assertEquals(Errno.EACCES, failure.errno());
        assertTrue(failure.getMessage().contains("run chmod 666 " + file), failure.getMessage());
        assertTrue(failure.getMessage().contains("file=" + file + " mode=--------- owner="), failure.getMessage());
    }

    @Test
    void shouldTellNoCauseThatItDoesNotSee() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("uverbs0"));
        assertEquals(Errno.ENOMEM, IbvErrors.notOpened("ibv:rxe0", Errno.ENOMEM, file).errno());
    }

    @Test
    void shouldSendIwarpElsewhere()
    {
        final VerbsException failure = IbvErrors.unusable(
            new DeviceEntry("siw0", 1, DeviceDescriptor.NODE_RNIC, DeviceDescriptor.TRANSPORT_IWARP, "uverbs1"));
        assertEquals(Errno.EOPNOTSUPP, failure.errno());
        assertTrue(failure.getMessage().contains("rdma_cm"), failure.getMessage());
        assertTrue(failure.getMessage().endsWith("device=siw0 node_type=4 transport_type=1"), failure.getMessage());
    }

    private void assertNoDevice(final String expected, final String wanted)
    {
        final VerbsException failure =
            IbvErrors.noDevice(wanted, List.of(), new Sysfs(directory.resolve("class")), directory);
        assertEquals(Errno.ENODEV, failure.errno());
        assertTrue(failure.getMessage().contains(expected), failure.getMessage());
        assertTrue(failure.getMessage().contains("there_are=[] kernel="), failure.getMessage());
    }

    private void kernelDevice(final String device, final String file) throws Exception
    {
        final Path sysfs = directory.resolve("class");
        Files.createDirectories(sysfs.resolve("infiniband").resolve(device));
        Files.createDirectories(sysfs.resolve("infiniband_verbs").resolve(file));
        Files.writeString(sysfs.resolve("infiniband_verbs").resolve(file).resolve("ibdev"), device + "\n");
    }

    @Test
    void shouldLeaveSomeOfTheLimitOfLockedMemoryToClients()
    {
        final long mib = 1 << 20;
        IbvErrors.checkLimit(1_000 * mib, HostFacts.UNLIMITED, 0);
        IbvErrors.checkLimit(140 * mib, 256 * mib, 100 * mib);
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> IbvErrors.checkLimit(140 * mib + 1, 256 * mib, 100 * mib));
        assertEquals(Errno.ENOMEM, refused.errno());
        for (final String part : List.of(
            "268435456 bytes (ulimit -l)", "104857600 of them", "LimitMEMLOCK=infinity", "kept=16777216"))
        {
            assertTrue(refused.getMessage().contains(part), refused.getMessage());
        }
    }
}

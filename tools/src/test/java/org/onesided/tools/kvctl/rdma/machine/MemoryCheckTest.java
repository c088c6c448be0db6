package org.onesided.tools.kvctl.rdma.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Huge pages and shared memory.
 */
class MemoryCheckTest
{
    private static final long NEED = 256L << 20;

    @TempDir
    private Path root;

    private FakeSystem system;

    @BeforeEach
    void setUp()
    {
        system = new FakeSystem(root);
    }

    @Test
    void shouldWarnWithoutHugePages()
    {
        system.hugePages(0, 0);
        system.write("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");

        final Finding finding = hugePages();

        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.text().startsWith("0 of 0 free"), finding.text());
        command(finding, "sysctl -w vm.nr_hugepages=128");
        command(finding, "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
    }

    @Test
    void shouldAskForAsManyHugePagesAsAreMissing()
    {
        system.hugePages(200, 28);
        system.write("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");

        final Finding finding = hugePages();

        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.text().contains("too few for a server of 256 MiB"), finding.text());
        command(finding, "sysctl -w vm.nr_hugepages=300");
    }

    @Test
    void shouldPassWithEnoughHugePages()
    {
        system.hugePages(128, 128);
        system.remove("/sys/kernel/mm/transparent_hugepage");

        assertEquals(Finding.pass("huge pages", "128 of 128 free, of 2 MiB; transparent: none"), hugePages());
    }

    @Test
    void shouldWarnOfAKernelWithoutHugePages()
    {
        system.write("/proc/meminfo", "MemTotal:       24576 kB\n");

        assertEquals(Finding.warn("huge pages", "this kernel has no huge pages"), hugePages());
    }

    @Test
    void shouldWarnOfAContainersSharedMemory()
    {
        system.write("/run/.containerenv", "");

        final Finding finding = sharedMemory(64L << 20, 60L << 20);

        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.text().startsWith("60 MiB of 64 MiB free, too little"), finding.text());
        command(finding, "docker run --shm-size=2g");
    }

    @Test
    void shouldTellHowToEnlargeOrEmptySharedMemory()
    {
        command(sharedMemory(64L << 20, 64L << 20), "mount -o remount,size=2g /dev/shm");
        command(sharedMemory(4L << 30, 64L << 20), "du -ah /dev/shm");
    }

    @Test
    void shouldPassWithEnoughSharedMemory()
    {
        assertEquals(Finding.pass("/dev/shm", "256 MiB of 512 MiB free"), sharedMemory(512L << 20, NEED));
    }

    @Test
    void shouldTellWhetherSharedMemoryHasHugePages()
    {
        final String first = "tmpfs /dev/shm tmpfs rw,huge=always,size=64m 0 0\n";
        system.write("/proc/self/mounts", first + "tmpfs /dev/shm tmpfs rw,relatime 0 0\n");
        assertTrue(sharedMemory(512L << 20, NEED).text().endsWith("mount -o remount,huge=advise /dev/shm"));
        system.write("/proc/self/mounts", first + "tmpfs /dev/shm tmpfs rw,relatime,huge=within_size 0 0\n");
        assertEquals(Finding.pass("/dev/shm", "256 MiB of 512 MiB free; huge pages: within_size"),
            sharedMemory(512L << 20, NEED));
    }

    @Test
    void shouldPassWithTransparentHugePages()
    {
        system.hugePages(0, 0);

        assertEquals(Finding.pass("huge pages", "0 of 0 free, of 2 MiB; transparent: madvise"), hugePages());
    }

    @Test
    void shouldWarnOfMissingSharedMemory()
    {
        final Finding finding = new SharedMemoryCheck(Host.of(system, "alice"), NEED, null).findings().get(0);

        assertEquals(Level.WARN, finding.level());
        command(finding, "mkdir -p /dev/shm && mount -t tmpfs");
    }

    private Finding hugePages()
    {
        return new HugePageCheck(Host.of(system, "alice"), NEED).findings().get(0);
    }

    private Finding sharedMemory(final long total, final long free)
    {
        return new SharedMemoryCheck(Host.of(system, "alice"), NEED, new SharedMemoryCheck.Space(total, free))
            .findings().get(0);
    }

    private static void command(final Finding finding, final String command)
    {
        assertTrue(finding.advice().stream().flatMap(advice -> advice.commands().stream())
            .anyMatch(line -> line.startsWith(command)), command + " in: " + finding.advice());
    }
}

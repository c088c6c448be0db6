package org.onesided.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest
{
    @TempDir
    private Path directory;
    private MachineMemory machine;

    @BeforeEach
    void describe() throws IOException
    {
        write("proc/meminfo", """
            MemTotal:        8000000 kB
            MemAvailable:    1000 kB
            SwapFree:        24 kB
            HugePages_Total:      12
            HugePages_Free:       10
            HugePages_Rsvd:        3
            Hugepagesize:       2048 kB
            """);
        write("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        machine = new MachineMemory(new SystemFiles(directory));
    }

    @Test
    void shouldTellWhatTheMachineHas()
    {
        assertEquals(1024 * 1024, machine.available());
        assertEquals(2 << 20, machine.hugePageLength());
        assertEquals(12, machine.hugePages());
        assertEquals(7, machine.freeHugePages());
        assertEquals(2 << 20, machine.transparentHugePageLength());
        assertEquals("madvise", machine.transparentHugePages());
    }

    @Test
    void shouldCountFreeHugePagesAsUnused() throws IOException
    {
        assertEquals(1000 * 1024 + 10 * (2 << 20), machine.unused());
        write("proc/meminfo", "MemTotal: 24576 kB\nMemAvailable:    2048 kB\n");
        assertEquals(2 << 20, new MachineMemory(new SystemFiles(directory)).unused());
    }

    @Test
    void shouldTellTheLeastLimitOfTheGroupsAround() throws IOException
    {
        assertEquals(8_000_000L * 1024, machine.limit());
        assertEquals(8_000_000L * 1024, machine.installed());
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/memory.max", "99999999\n");
        write("sys/fs/cgroup/a/memory.max", "1000000\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        assertEquals(1_000_000, machine.limit());
    }

    @Test
    void shouldTellTheLimitOfAContainer() throws IOException
    {
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/memory.max", "2000000\n");
        assertEquals(2_000_000, machine.limit());
        write("proc/self/cgroup", "4:memory:/docker/of-the-host\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000\n");
        assertEquals(3_000_000, machine.limit());
    }

    @Test
    void shouldStayWithinTheGroups() throws IOException
    {
        write("proc/self/cgroup", "0::/../../..\n");
        write("memory.max", "1\n");
        assertEquals(machine.installed(), machine.limit());
    }

    @Test
    void shouldKeepToTheTightestGroup() throws IOException
    {
        write("proc/self/cgroup", "0::/outer/inner\n");
        write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
        write("sys/fs/cgroup/outer/inner/memory.current", "5\n");
        write("sys/fs/cgroup/outer/memory.max", "10000\n");
        write("sys/fs/cgroup/outer/memory.current", "7000\n");
        write("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 500\n");
        assertEquals(3500, machine.available());
        write("sys/fs/cgroup/outer/inner/memory.max", "105\n");
        assertEquals(100, machine.available());
    }

    @Test
    void shouldTakeTheRootForAGroupOutsideOfTheContainer() throws IOException
    {
        write("proc/self/cgroup", "0::/../other\n");
        write("sys/fs/cgroup/memory.max", "300\n");
        write("sys/fs/cgroup/memory.current", "100\n");
        assertEquals(200, machine.available());
    }

    @Test
    void shouldKnowTheFirstVersionOfGroups() throws IOException
    {
        write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a\n");
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1000\n");
        write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1200\n");
        assertEquals(0, machine.available());
        write("sys/fs/cgroup/memory/a/memory.stat", "total_inactive_file 300\n");
        assertEquals(100, machine.available());
    }

    @Test
    void shouldRefuseNothingWhereNobodyTells()
    {
        final MachineMemory silent = new MachineMemory(new SystemFiles(directory.resolve("none")));
        assertEquals(Long.MAX_VALUE, silent.available());
        assertEquals(Long.MAX_VALUE, silent.limit());
        assertEquals(-1, silent.installed());
        assertEquals(-1, silent.unused());
        assertEquals(0, silent.hugePageLength());
        assertEquals(0, silent.freeHugePages());
    }

    @Test
    void shouldFindSomeMemoryHere()
    {
        final long available = MachineMemory.here().available();
        assertTrue(available > 1 << 20 && available < Long.MAX_VALUE, "available=" + available);
        final long limit = MachineMemory.here().limit();
        assertTrue(limit > 64 << 20 && limit < 1L << 50, "limit=" + limit);
    }

    private void write(final String name, final String text) throws IOException
    {
        final Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}

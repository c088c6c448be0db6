package org.onesided.verbs.posix;

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
        write("thp/hpage_pmd_size", "2097152\n");
        write("thp/enabled", "always [madvise] never\n");
        write("thp/shmem_enabled", "always within_size advise [never] deny force\n");
        machine =
            new MachineMemory(directory.resolve("proc"), directory.resolve("groups"), directory.resolve("thp"));
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
        assertEquals("never", machine.sharedTransparentHugePages());
    }

    @Test
    void shouldKeepToTheTightestGroup() throws IOException
    {
        write("proc/self/cgroup", "0::/outer/inner\n");
        write("groups/outer/inner/memory.max", "max\n");
        write("groups/outer/inner/memory.current", "5\n");
        write("groups/outer/memory.max", "10000\n");
        write("groups/outer/memory.current", "7000\n");
        write("groups/outer/memory.stat", "anon 1\ninactive_file 500\n");
        assertEquals(3500, machine.available());
        write("groups/outer/inner/memory.max", "105\n");
        assertEquals(100, machine.available());
    }

    @Test
    void shouldTakeTheRootForAGroupOutsideOfTheContainer() throws IOException
    {
        write("proc/self/cgroup", "0::/../other\n");
        write("groups/memory.max", "300\n");
        write("groups/memory.current", "100\n");
        assertEquals(200, machine.available());
    }

    @Test
    void shouldKnowTheFirstVersionOfGroups() throws IOException
    {
        write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a\n");
        write("groups/memory/a/memory.limit_in_bytes", "1000\n");
        write("groups/memory/a/memory.usage_in_bytes", "1200\n");
        assertEquals(0, machine.available());
        write("groups/memory/a/memory.stat", "total_inactive_file 300\n");
        assertEquals(100, machine.available());
    }

    @Test
    void shouldRefuseNothingWhereNobodyTells()
    {
        final Path none = directory.resolve("none");
        final MachineMemory silent = new MachineMemory(none, none, none);
        assertEquals(Long.MAX_VALUE, silent.available());
        assertEquals(0, silent.hugePageLength());
        assertEquals(0, silent.freeHugePages());
    }

    @Test
    void shouldFindSomeMemoryHere()
    {
        final long available = MachineMemory.here().available();
        assertTrue(available > 1 << 20 && available < Long.MAX_VALUE, "available=" + available);
    }

    private void write(final String name, final String text) throws IOException
    {
        final Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}

package org.onesided.tools.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest
{
    @TempDir
    private Path root;

    @Test
    void shouldTellWhatIsInstalled() throws IOException
    {
        write("proc/meminfo", "MemTotal:       24576 kB\nMemFree:        1024 kB\n");

        assertEquals(24 << 20, new MachineMemory(new SystemFiles(root)).bytes());
    }

    @Test
    void shouldTellWhatCouldBeHad() throws IOException
    {
        assertEquals(-1, new MachineMemory(new SystemFiles(root)).available());
        write("proc/meminfo", "MemTotal: 24576 kB\nMemAvailable:    2048 kB\n");
        assertEquals(2 << 20, new MachineMemory(new SystemFiles(root)).available());
        write("proc/meminfo", "MemAvailable:    2048 kB\nHugePages_Free:        3\nHugepagesize:       2048 kB\n");
        assertEquals(8 << 20, new MachineMemory(new SystemFiles(root)).available());
    }

    @Test
    void shouldTellTheLeastLimitOfTheGroupsAround() throws IOException
    {
        write("proc/meminfo", "MemTotal:       24576 kB\n");
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/memory.max", "99999999\n");
        write("sys/fs/cgroup/a/memory.max", "1000000\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");

        assertEquals(1_000_000, new MachineMemory(new SystemFiles(root)).bytes());
    }

    @Test
    void shouldTellTheLimitOfAContainer() throws IOException
    {
        write("proc/meminfo", "MemTotal:       24576 kB\n");
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/memory.max", "2000000\n");

        assertEquals(2_000_000, new MachineMemory(new SystemFiles(root)).bytes());
    }

    @Test
    void shouldStayWithinTheGroups() throws IOException
    {
        write("proc/self/cgroup", "0::/../../..\n");
        write("memory.max", "1\n");

        assertEquals(Long.MAX_VALUE, new MachineMemory(new SystemFiles(root)).bytes());
    }

    @Test
    void shouldTellTheLimitOfAGroupOfTheOldKind() throws IOException
    {
        write("proc/meminfo", "MemTotal:       24576 kB\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000\n");

        assertEquals(3_000_000, new MachineMemory(new SystemFiles(root)).bytes());
    }

    @Test
    void shouldSetNoLimitWhereNothingIsTold()
    {
        assertEquals(Long.MAX_VALUE, new MachineMemory(new SystemFiles(root)).bytes());
    }

    @Test
    void shouldTellOfThisMachine()
    {
        final long bytes = MachineMemory.here().bytes();

        assertTrue(bytes > 64 << 20 && bytes < 1L << 50, "bytes=" + bytes);
    }

    private void write(final String file, final String text) throws IOException
    {
        final Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}

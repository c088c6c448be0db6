package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.posix.ResidentPages;

/**
 * Memory on file systems with and without huge pages, which this test mounts.
 */
@Timeout(300)
class HugePagesTest
{
    private static final int HUGE = 2 << 20;
    private static final int LENGTH = 4 * HUGE + 5;

    @TempDir
    private Path directory;

    @Test
    void shouldDoWithoutHugePagesWhereThereAreNone() throws Exception
    {
        on("huge=never", (context) ->
        {
            try (DeviceMemory memory = context.allocate(LENGTH, HugePages.AUTO))
            {
                use(memory);
                assertFalse(memory.hugePages());
            }
            final VerbsException refused =
                assertThrows(VerbsException.class, () -> context.allocate(LENGTH, HugePages.ON));
            assertEquals(Errno.EOPNOTSUPP, refused.errno());
            assertTrue(
                refused.getMessage().contains("mount -o remount,huge=advise " + directory), refused.getMessage());
        });
    }

    @Test
    void shouldUseHugePagesWhereTheyAreAllowed() throws Exception
    {
        for (final String option : new String[] {"huge=advise", "huge=within_size", "huge=always"})
        {
            on(option, (context) ->
            {
                for (final HugePages hugePages : new HugePages[] {HugePages.AUTO, HugePages.ON})
                {
                    try (DeviceMemory memory = context.allocate(LENGTH, hugePages))
                    {
                        assertTrue(memory.hugePages(), option + " " + hugePages);
                        assertEquals(LENGTH, memory.range().length());
                        use(memory);
                    }
                }
            });
        }
    }

    @Test
    void shouldMapAPeersHugePagesAsSuch() throws Exception
    {
        on("huge=advise", (context) ->
        {
            try (DeviceMemory memory = context.allocate(LENGTH, HugePages.AUTO))
            {
                final Path path = ContextPaths.pathOf(Posix.userId(), context.queryGid(1, 0));
                final int fd = Posix.openDirectory(path);
                final String name = FileNames.memory(((ShmMemory)memory).number());
                final int file = Posix.openAt(fd, name, Posix.O_RDONLY);
                try (SharedMapping peer = SharedMapping.of(file, name, LENGTH, false))
                {
                    assertEquals(0, peer.address() % HUGE);
                    long sum = 0;
                    for (int offset = 0; offset < 4 * HUGE; offset += 4096)
                    {
                        sum += UnsafeApi.getLong(peer.address() + offset);
                    }
                    assertEquals(0, sum);
                    assertEquals(4 * HUGE, ResidentPages.of(new MemoryRange(peer.address(), LENGTH)).huge());
                }
                finally
                {
                    Posix.close(file);
                    Posix.close(fd);
                }
            }
        });
    }

    @Test
    void shouldSayThatItIsFullAndLeaveNothing() throws Exception
    {
        on("huge=advise", (context) ->
        {
            final VerbsException full =
                assertThrows(VerbsException.class, () -> context.allocate(256L << 20, HugePages.AUTO));
            assertEquals(Errno.ENOSPC, full.errno());
            try (DeviceMemory memory = context.allocate(40L << 20, HugePages.AUTO))
            {
                use(memory);
            }
        });
    }

    @Test
    void shouldGrowInHugePagesUntilTheFileSystemIsFull() throws Exception
    {
        for (final String option : new String[] {"huge=advise", "huge=never"})
        {
            on(option, (context) ->
            {
                try (GrowableMemory memory = context.allocateGrowable(1L << 40, HugePages.AUTO))
                {
                    final long step = 10L << 20;
                    long offset = 0;
                    while (offset < 40L << 20)
                    {
                        memory.commit(offset, step);
                        offset += step;
                    }
                    assertEquals(option.equals("huge=advise"), memory.hugePages());
                    final long before = memory.committed();
                    final long end = offset;
                    final VerbsException full =
                        assertThrows(VerbsException.class, () -> memory.commit(end, 2 * step));
                    assertEquals(Errno.ENOSPC, full.errno());
                    assertTrue(full.getMessage().contains("remount,size="), full.getMessage());
                    assertEquals(before, memory.committed());
                    memory.commit(end, step / 2);
                    UnsafeApi.setMemory(memory.range().address(), end + step / 2, (byte)1);
                }
            });
        }
    }

    private static void use(final DeviceMemory memory)
    {
        final MemoryRange range = memory.range();
        for (long offset = 0; offset < range.length(); offset += 4097)
        {
            assertEquals(0, UnsafeApi.getByte(range.addressOf(offset, 1)));
            UnsafeApi.putByte(range.addressOf(offset, 1), (byte)1);
        }
    }

    private void on(final String option, final Consumer<Context> test) throws Exception
    {
        assumeTrue(Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage/shmem_enabled")), "no huge pages");
        try (MountedSharedMemory mounted = MountedSharedMemory.at(directory, "size=64m," + option);
            Context context = Devices.find("shm").open())
        {
            assertTrue(mounted.isUsed());
            test.accept(context);
        }
    }
}

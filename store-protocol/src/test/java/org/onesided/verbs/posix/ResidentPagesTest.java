package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.verbs.MemoryRange;

class ResidentPagesTest
{
    private static final String TEXT = """
        00100000-00200000 rw-p 00000000 00:00 0                                  [heap]
        Rss:                   4 kB
        AnonHugePages:         0 kB
        VmFlags: rd wr mr mw me ac sd
        7f0000000000-7f0000800000 rw-p 00000000 00:00 0
        KernelPageSize:        4 kB
        Rss:                6144 kB
        AnonHugePages:      4096 kB
        ShmemPmdMapped:        0 kB
        VmFlags: rd wr
        7f0000800000-7f0000a00000 rw-s 00000000 00:10 77   /dev/shm/a:b-c d
        Rss:                2048 kB
        ShmemPmdMapped:     2048 kB
        7f0000a00000-7f0001000000 rw-p 00000000 00:0f 12   /anon_hugepage (deleted)
        KernelPageSize:     2048 kB
        Rss:                   0 kB
        Shared_Hugetlb:        0 kB
        Private_Hugetlb:    6144 kB
        ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]
        Rss:                   4 kB
        """;

    @TempDir
    private Path directory;

    @Test
    void shouldCountOnlyTheMappingsOfTheRange() throws IOException
    {
        expect(0x7f0000000000L, 8 << 20, 6 << 20, 4 << 20);
        expect(0x7f0000800000L, 1, 2 << 20, 2 << 20);
        expect(0x7f0000a00000L, 6 << 20, 6 << 20, 6 << 20);
        expect(0x7f00007ffffeL, 4, 8 << 20, 6 << 20);
        expect(0x100000, 1 << 20, 4096, 0);
        expect(0x200000, 1 << 20, 0, 0);
    }

    @Test
    void shouldCallPagesHugeWhenAtLeastHalfAre() throws IOException
    {
        assertTrue(pages(0x7f0000000000L, 8 << 20).areMostlyHuge());
        assertTrue(pages(0x7f0000a00000L, 1).areMostlyHuge());
        assertFalse(pages(0x100000, 1 << 20).areMostlyHuge());
        assertFalse(pages(0x200000, 1 << 20).areMostlyHuge());
    }

    @Test
    void shouldTellNothingWhereTheKernelTellsNothing()
    {
        final ResidentPages pages = ResidentPages.of(new MemoryRange(0x100000, 1), directory.resolve("none"));
        assertEquals(0, pages.resident());
        assertFalse(pages.areMostlyHuge());
    }

    private void expect(final long address, final long length, final long resident, final long huge)
        throws IOException
    {
        final ResidentPages pages = pages(address, length);
        assertEquals(resident, pages.resident());
        assertEquals(huge, pages.huge());
    }

    private ResidentPages pages(final long address, final long length) throws IOException
    {
        final Path file = directory.resolve("smaps");
        Files.writeString(file, TEXT);
        return ResidentPages.of(new MemoryRange(address, length), file);
    }
}

package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.machine.MachineMemory;
import org.onesided.machine.SystemFiles;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.VerbsException;

class GrowingMemoryTest
{
    private static final long MIB = 1 << 20;

    @TempDir
    private Path directory;

    private MachineMemory machine(final int free, final long pageKilobytes, final String transparent)
        throws IOException
    {
        Files.createDirectories(directory.resolve("proc"));
        final Path pages = Files.createDirectories(directory.resolve("sys/kernel/mm/transparent_hugepage"));
        Files.writeString(directory.resolve("proc/meminfo"),
            "HugePages_Free: " + free + "\nHugePages_Rsvd: 0\nHugepagesize: " + pageKilobytes + " kB\n");
        Files.writeString(pages.resolve("hpage_pmd_size"), "2097152\n");
        Files.writeString(pages.resolve("enabled"), transparent + "\n");
        return new MachineMemory(new SystemFiles(directory));
    }

    @ParameterizedTest
    @CsvSource({
        "0,1048576,AUTO,[always] madvise never,false,2097152",
        "4,1048576,AUTO,[always] madvise never,false,2097152",
        "4,1048576,AUTO,always madvise [never],false,4096",
        "4,1048576,ON,always [madvise] never,false,2097152",
        "4,1048576,ON,always madvise [never],true,2097152",
        "4,2048,AUTO,always madvise [never],true,4096",
        "0,2048,AUTO,always madvise [never],false,4096",
        "4,2048,OFF,[always] madvise never,false,4096"})
    void shouldTakeLongPagesOnlyWhereThereAreNoOthers(
        final int free,
        final long pageKilobytes,
        final HugePages hugePages,
        final String transparent,
        final boolean isReserved,
        final long unit)
        throws IOException
    {
        final MachineMemory machine = machine(free, pageKilobytes, transparent);
        assertEquals(isReserved, GrowingMemory.mayUseReserved(machine, hugePages));
        assertEquals(unit, GrowingMemory.unit(machine, hugePages));
    }

    @ParameterizedTest
    @CsvSource({"OFF", "AUTO"})
    void shouldGivePagesBackAndMakeThemAnewZeroed(final HugePages hugePages)
    {
        try (GrowingMemory memory = GrowingMemory.of(64 * MIB, hugePages, false))
        {
            final long start = memory.range().address();
            memory.commit(2 * MIB, 8 * MIB);
            UnsafeApi.putLong(start + 2 * MIB, 7);
            UnsafeApi.putLong(start + 6 * MIB, 8);
            memory.release(4 * MIB, 6 * MIB);
            assertEquals(2 * MIB, memory.committed());
            memory.release(0, 2 * MIB);
            assertEquals(2 * MIB, memory.committed());
            memory.commit(4 * MIB, 4 * MIB);
            assertEquals(6 * MIB, memory.committed());
            assertEquals(7, UnsafeApi.getLong(start + 2 * MIB));
            assertEquals(0, UnsafeApi.getLong(start + 6 * MIB));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.release(60 * MIB, 5 * MIB));
        }
    }

    @Test
    void shouldUseUsualPagesOnceReservedOnesAreUsedUp()
    {
        final MachineMemory here = MachineMemory.here();
        final long free = here.freeHugePages();
        assumeTrue(free > 0 && free < 1_000 && here.hugePageLength() == 2 * MIB);
        try (GrowingMemory memory = GrowingMemory.of((free + 8) * 2 * MIB, HugePages.AUTO, false))
        {
            for (long i = 0; i < free + 8; i++)
            {
                memory.commit(i * 2 * MIB, 2 * MIB);
                UnsafeApi.putByte(memory.range().address() + (i + 1) * 2 * MIB - 1, (byte)1);
            }
            assertEquals((free + 8) * 2 * MIB, memory.committed());
        }
        try (GrowingMemory memory = GrowingMemory.of((free + 8) * 2 * MIB, HugePages.ON, false))
        {
            final VerbsException refused =
                assertThrows(VerbsException.class, () -> memory.commit(0, (free + 8) * 2 * MIB));
            assertEquals(Errno.ENOMEM, refused.errno());
            assertEquals(0, memory.committed());
            memory.commit(0, 2 * MIB);
            assertTrue(memory.hugePages());
        }
        assertEquals(free, here.freeHugePages());
    }
}

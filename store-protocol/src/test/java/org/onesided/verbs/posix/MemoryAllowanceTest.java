package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.machine.MachineMemory;
import org.onesided.machine.SystemFiles;

class MemoryAllowanceTest
{
    @TempDir
    private Path directory;
    private MemoryAllowance allowance;
    private long timeNs;

    @BeforeEach
    void machine()
    {
        allowance = new MemoryAllowance(new MachineMemory(new SystemFiles(directory)), () -> timeNs);
    }

    @Test
    void shouldAskForEachLargePiece() throws IOException
    {
        available(64 << 20);
        assertTrue(allowance.permits(64 << 20));
        available(2 << 20);
        assertFalse(allowance.permits((2 << 20) + 1));
        assertTrue(allowance.permits(2 << 20));
    }

    @Test
    void shouldAskOnceForManySmallPieces() throws IOException
    {
        available(16 * MemoryAllowance.MAX_LENGTH);
        assertTrue(allowance.permits(MemoryAllowance.SMALL_LENGTH));
        available(0);
        int more = 0;
        while (allowance.permits(MemoryAllowance.SMALL_LENGTH))
        {
            more++;
        }
        assertEquals(MemoryAllowance.MAX_LENGTH / MemoryAllowance.SMALL_LENGTH - 1, more);
    }

    @Test
    void shouldAllowLittleWhereLittleIsLeft() throws IOException
    {
        available(MemoryAllowance.SMALL_LENGTH);
        assertTrue(allowance.permits(MemoryAllowance.SMALL_LENGTH));
        available(0);
        assertFalse(allowance.permits(1));
    }

    @Test
    void shouldAskAgainAfterAWhile() throws IOException
    {
        available(16 * MemoryAllowance.MAX_LENGTH);
        assertTrue(allowance.permits(1));
        available(0);
        timeNs += 1_000_000_000L;
        assertTrue(allowance.permits(1));
        timeNs++;
        assertFalse(allowance.permits(1));
    }

    private void available(final long length) throws IOException
    {
        final Path file = directory.resolve("proc/meminfo");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "MemAvailable:   " + length / 1024 + " kB\n");
    }

    @ParameterizedTest
    @CsvSource({"0,0", "4,1", "64,16", "128,16", "256,16", "1024,64", "65536,4096"})
    void shouldLeaveAPartOfALimitToClients(final long limitMib, final long marginMib)
    {
        assertEquals(marginMib << 20, MemoryAllowance.margin(limitMib << 20));
    }
}

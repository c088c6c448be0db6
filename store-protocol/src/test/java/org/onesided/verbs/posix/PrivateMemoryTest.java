package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.onesided.machine.MachineMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.VerbsException;

class PrivateMemoryTest
{
    private static final int HUGE = 2 << 20;

    private final MachineMemory machine = MachineMemory.here();

    @Test
    void shouldBeZeroedAndWritableToItsEnd()
    {
        for (final HugePages hugePages : List.of(HugePages.OFF, HugePages.AUTO))
        {
            for (final long length : new long[] {1, 4096, 4097, HUGE - 1, HUGE, 3 * HUGE + 5})
            {
                try (PrivateMemory memory = PrivateMemory.reserve(length, hugePages))
                {
                    assertEquals(length, memory.range().length());
                    assertEquals(0, memory.range().address() % UnsafeApi.pageSize());
                    for (long offset = 0; offset < length; offset += 1023)
                    {
                        assertEquals(0, UnsafeApi.getByte(memory.range().addressOf(offset, 1)));
                    }
                    UnsafeApi.putByte(memory.range().addressOf(length - 1, 1), (byte)1);
                }
            }
        }
    }

    @Test
    void shouldExistOnlyWhereItWasUsed()
    {
        try (PrivateMemory memory = PrivateMemory.reserve(64L << 30, HugePages.OFF))
        {
            assertEquals(0, ResidentPages.of(memory.pages()).resident());
            UnsafeApi.putByte(memory.range().addressOf((64L << 30) - 1, 1), (byte)1);
            assertEquals(UnsafeApi.pageSize(), ResidentPages.of(memory.pages()).resident());
        }
    }

    @Test
    void shouldExistAtOnceUnlessItIsShortAndMayExistAsItIsUsed()
    {
        final int length = 512 << 10;
        try (PrivateMemory memory = PrivateMemory.allocateAsUsed(length, HugePages.AUTO))
        {
            assertEquals(0, ResidentPages.of(memory.pages()).resident());
            UnsafeApi.putByte(memory.range().addressOf(length - 1, 1), (byte)1);
            assertEquals(UnsafeApi.pageSize(), ResidentPages.of(memory.pages()).resident());
        }
        try (PrivateMemory memory = PrivateMemory.allocateAsUsed(HUGE + 1, HugePages.OFF))
        {
            assertEquals(HUGE + UnsafeApi.pageSize(), ResidentPages.of(memory.pages()).resident());
        }
    }

    @Test
    void shouldExistAtOnceIfAllocated()
    {
        try (PrivateMemory memory = PrivateMemory.allocate(HUGE + 1, HugePages.OFF))
        {
            assertEquals(HUGE + UnsafeApi.pageSize(), ResidentPages.of(memory.pages()).resident());
            assertEquals(0, ResidentPages.of(memory.pages()).huge());
            assertFalse(memory.hugePages());
        }
    }

    @Test
    void shouldTellWhetherTheKernelGaveHugePages()
    {
        assumeTrue(List.of("always", "madvise").contains(machine.transparentHugePages()) && machine.hugePages() == 0,
            "transparent huge pages are " + machine.transparentHugePages());
        try (PrivateMemory memory = PrivateMemory.reserve(8L * HUGE, HugePages.AUTO))
        {
            final ResidentPages first = ResidentPages.of(memory.pages());
            assertEquals(first.huge() > 0, memory.hugePages());
            assertTrue(first.resident() <= HUGE, () -> "only the first page is to be used: " + first.resident());
            assertEquals(0, memory.range().address() % HUGE);
        }
        try (PrivateMemory memory = PrivateMemory.reserve(HUGE + 1, HugePages.ON))
        {
            assertTrue(memory.hugePages());
            assertEquals(2 * HUGE, ResidentPages.of(memory.pages()).huge());
        }
        try (PrivateMemory memory = PrivateMemory.reserve(8L * HUGE, HugePages.OFF))
        {
            UnsafeApi.putByte(memory.range().address(), (byte)1);
            assertFalse(memory.hugePages());
        }
    }

    @Test
    void shouldNameTheWayOutWhenHugePagesCannotBeHad()
    {
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> PrivateMemory.reserve(1L << 45, HugePages.ON));
        assertEquals(Errno.ENOMEM, refused.errno());
        assertTrue(refused.getMessage().contains("length=" + (1L << 45)), refused.getMessage());
    }

    @Test
    void shouldRefuseLengthsThatCannotBe()
    {
        for (final HugePages hugePages : HugePages.values())
        {
            assertEquals(Errno.EINVAL,
                assertThrows(VerbsException.class, () -> PrivateMemory.reserve(0, hugePages)).errno());
            assertEquals(Errno.EINVAL,
                assertThrows(VerbsException.class, () -> PrivateMemory.reserve(-1, hugePages)).errno());
            assertTrue(List.of(Errno.ENOMEM, Errno.EOPNOTSUPP).contains(assertThrows(
                VerbsException.class, () -> PrivateMemory.reserve(Long.MAX_VALUE, hugePages)).errno()));
            assertTrue(List.of(Errno.ENOMEM, Errno.EOPNOTSUPP).contains(assertThrows(
                VerbsException.class, () -> PrivateMemory.allocate(1L << 46, hugePages)).errno()));
        }
    }
}

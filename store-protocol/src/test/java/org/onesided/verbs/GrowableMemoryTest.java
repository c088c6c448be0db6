package org.onesided.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.UnsafeApi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrowableMemoryTest
{
    private static final long TIB = 1L << 40;
    private static final int HUGE = 2 << 20;

    @ParameterizedTest
    @CsvSource({"shm,OFF", "shm,AUTO", "tcp,OFF", "tcp,AUTO"})
    void shouldTakeManyMoreAddressesThanTheMachineHasMemory(final String device, final HugePages hugePages)
    {
        final long beganNs = System.nanoTime();
        try (Context context = Devices.find(device).open();
            GrowableMemory memory = context.allocateGrowable(64 * TIB - HUGE, hugePages))
        {
            final long end = memory.range().length();
            memory.commit(0, 100);
            memory.commit(end - 4096, 4096);
            memory.commit(TIB, 8192);
            for (final long offset : new long[] {0, 99, TIB, TIB + 8191, end - 4096, end - 1})
            {
                assertEquals(0, UnsafeApi.getByte(memory.range().addressOf(offset, 1)));
                UnsafeApi.putByte(memory.range().addressOf(offset, 1), (byte)7);
            }
            assertTrue(memory.committed() >= 4 * 4096 && memory.committed() <= 3L * HUGE, "" + memory.committed());
        }
        assertTrue(System.nanoTime() - beganNs < 20_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({"shm,OFF", "shm,AUTO", "tcp,OFF", "tcp,AUTO"})
    void shouldKeepWhatIsThereWhenNeighboursCome(final String device, final HugePages hugePages)
    {
        try (Context context = Devices.find(device).open();
            GrowableMemory memory = context.allocateGrowable(64L * HUGE, hugePages))
        {
            final long base = memory.range().address();
            memory.commit(8 * HUGE + 5000, 10_000);
            UnsafeApi.putLong(base + 8 * HUGE + 5000, 42);
            UnsafeApi.putLong(base + 8 * HUGE + 14_992, 43);
            memory.commit(8 * HUGE + 15_000, HUGE);
            memory.commit(8 * HUGE + 100, 5);
            memory.commit(7 * HUGE, 4 * HUGE);
            memory.commit(7 * HUGE, 4 * HUGE);
            assertEquals(42, UnsafeApi.getLong(base + 8 * HUGE + 5000));
            assertEquals(43, UnsafeApi.getLong(base + 8 * HUGE + 14_992));
            UnsafeApi.setMemory(base + 7 * HUGE, 4L * HUGE, (byte)1);
            assertEquals(4L * HUGE, memory.committed());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldRegisterPieceByPiece(final String device)
    {
        try (Context context = Devices.find(device).open();
            GrowableMemory memory = context.allocateGrowable(1L << 30, HugePages.OFF);
            ProtectionDomain domain = context.allocateProtectionDomain())
        {
            for (int i = 0; i < 3; i++)
            {
                memory.commit(i * 8192L, 4096);
            }
            try (MemoryRegion first = domain.register(memory.range().slice(0, 4096), Access.REMOTE_READ);
                MemoryRegion second = domain.register(memory.range().slice(16384, 4096), Access.REMOTE_READ))
            {
                assertTrue(first.remoteKey() != second.remoteKey());
                assertEquals(Errno.EBUSY, assertThrows(VerbsException.class, memory::close).errno());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldRefuseWhatTheMachineDoesNotHaveAndGoOn(final String device)
    {
        try (Context context = Devices.find(device).open();
            GrowableMemory memory = context.allocateGrowable(16 * TIB, HugePages.OFF))
        {
            memory.commit(0, 4096);
            final VerbsException refused =
                assertThrows(VerbsException.class, () -> memory.commit(TIB, 8 * TIB));
            assertTrue(refused.errno() == Errno.ENOMEM || refused.errno() == Errno.ENOSPC, refused.getMessage());
            assertEquals(4096, memory.committed());
            memory.commit(TIB, 4096);
            UnsafeApi.putByte(memory.range().addressOf(TIB + 4095, 1), (byte)1);
            assertEquals(8192, memory.committed());
            assertThrows(IndexOutOfBoundsException.class, () -> memory.commit(16 * TIB - 1, 2));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.commit(-1, 2));
        }
    }

    @ParameterizedTest
    @CsvSource({"shm,OFF", "shm,AUTO", "tcp,OFF", "tcp,AUTO"})
    void shouldGivePagesBackThatNobodyUses(final String device, final HugePages hugePages)
    {
        try (Context context = Devices.find(device).open();
            GrowableMemory memory = context.allocateGrowable(64L * HUGE, hugePages))
        {
            memory.commit(HUGE, 4L * HUGE);
            UnsafeApi.putLong(memory.range().addressOf(HUGE, 8), 5);
            UnsafeApi.putLong(memory.range().addressOf(3L * HUGE, 8), 6);
            memory.release(2L * HUGE, 3L * HUGE);
            assertEquals(HUGE, memory.committed());
            memory.commit(2L * HUGE, 2L * HUGE);
            assertEquals(3L * HUGE, memory.committed());
            assertEquals(5, UnsafeApi.getLong(memory.range().addressOf(HUGE, 8)));
            assertEquals(0, UnsafeApi.getLong(memory.range().addressOf(3L * HUGE, 8)));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.release(64L * HUGE, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldRefuseNoLength(final String device)
    {
        try (Context context = Devices.find(device).open())
        {
            assertEquals(Errno.EINVAL, assertThrows(
                VerbsException.class, () -> context.allocateGrowable(0, HugePages.OFF)).errno());
            final VerbsException tooLong = assertThrows(
                VerbsException.class, () -> context.allocateGrowable(1L << 50, HugePages.OFF));
            assertTrue(tooLong.errno() == Errno.ENOMEM, tooLong.getMessage());
        }
    }
}

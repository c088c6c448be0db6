package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCheckTest
{
    private static final int ROOM = 1 << 20;

    private final RecordCheck check = new RecordCheck(77);
    private long address;

    @BeforeEach
    void fill()
    {
        address = UnsafeApi.allocateMemory(ROOM);
        final Random random = new Random(3);
        for (int i = 0; i < ROOM; i += Long.BYTES)
        {
            UnsafeApi.putLong(address + i, random.nextLong());
        }
    }

    @AfterEach
    void free()
    {
        UnsafeApi.freeMemory(address);
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 64, 100, 256, 257, 300, 1056})
    void shouldDependOnEachBitButThoseOfTheCheckWord(final int length)
    {
        final long code = check.code(address, length, 4096);
        for (int bit = 0; bit < length * 8; bit++)
        {
            final long at = address + bit / 8;
            final byte old = UnsafeApi.getByte(at);
            UnsafeApi.putByte(at, (byte)(old ^ 1 << bit % 8));
            assertEquals(bit < 64, code == check.code(address, length, 4096), "bit " + bit);
            UnsafeApi.putByte(at, old);
        }
    }

    /** Constants of the wyhash family: beside a word equal to one, such a hash does not see the next word change. */
    @ParameterizedTest
    @ValueSource(longs = {
        0x2D35_8DCC_AA6C_78A5L, 0x8BB8_4B93_962E_ACC9L, 0x4B33_A62E_D433_D4A3L, 0x4D5A_2DA5_1DE1_AA47L,
        0xA076_1D64_78BD_642FL, 0xE703_7ED1_A0B4_28DBL, 0x90ED_1765_281C_388CL, 0xAAAA_AAAA_AAAA_AAAAL})
    void shouldNotBeBlindedByAWordOfTheValue(final long word)
    {
        for (final int length : new int[]{128, 200, 1056})
        {
            for (int at = RecordDescriptor.KEY_OFFSET; at <= length - 16; at += Long.BYTES)
            {
                final long first = UnsafeApi.getLong(address + at);
                final long second = UnsafeApi.getLong(address + at + 8);
                UnsafeApi.putLong(address + at, word);
                final long code = check.code(address, length, 4096);
                UnsafeApi.putLong(address + at + 8, ~second);
                assertNotEquals(code, check.code(address, length, 4096), "at " + at);
                UnsafeApi.putLong(address + at, first);
                UnsafeApi.putLong(address + at + 8, second);
            }
        }
    }

    @Test
    void shouldDependOnPlaceLengthAndSeed()
    {
        final long code = check.code(address, 100, 4096);
        assertEquals(code, new RecordCheck(77).code(address, 100, 4096));
        assertNotEquals(code, check.code(address, 100, 4128));
        assertNotEquals(code, check.code(address, 101, 4096));
        assertNotEquals(code, new RecordCheck(78).code(address, 100, 4096));
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 64, 255, 256, 257, 1000, 4096, 100_001, ROOM})
    void shouldBeTheSameInSteps(final int length)
    {
        final RecordCheckStream stream = check.stream();
        for (final int step : new int[]{1 << 30, 1000, 64, 17})
        {
            stream.reset(address, length);
            int steps = 0;
            while (!stream.isWhole())
            {
                assertThrows(IllegalStateException.class, () -> stream.code(1, 4096));
                stream.update(step);
                steps++;
            }
            assertEquals((length - 16 + step - 1L) / step, steps);
            final long version = UnsafeApi.getLong(address + RecordDescriptor.VERSION_OFFSET);
            assertEquals(check.code(address, length, 4096), stream.code(version, 4096));
        }
    }

    @Test
    void shouldNeverBeAMark()
    {
        for (int i = 0; i < 100_000; i++)
        {
            final long code = check.code(address + i, 64, 4096);
            assertTrue(code != RecordDescriptor.DEAD && code != RecordDescriptor.BEING_WRITTEN);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 64, 100, 250, 257, 270, 1000, 100_001})
    void shouldDependOnTheExpiryAndTellTheCodeOfAnother(final int length)
    {
        UnsafeApi.putShort(address + RecordDescriptor.FLAGS_OFFSET, (short)RecordDescriptor.EXPIRY_FLAG);
        final long expiry = address + length - RecordDescriptor.EXPIRY_LENGTH;
        final long version = UnsafeApi.getLong(address + RecordDescriptor.VERSION_OFFSET);
        final RecordCheckStream stream = check.stream();
        long before = 0;
        UnsafeApi.putLong(expiry, before);
        long code = check.code(address, length, 4096);
        for (final long next : new long[]{1, 1_700_000_000_000L, 0, -1, Long.MIN_VALUE, 77})
        {
            UnsafeApi.putLong(expiry, next);
            final long changed = check.code(address, length, 4096);
            assertNotEquals(code, changed);
            assertEquals(changed, RecordCheck.recode(code, before, next));
            stream.reset(address, length);
            UnsafeApi.putLong(expiry, before);
            stream.update(Long.MAX_VALUE);
            UnsafeApi.putLong(expiry, next);
            assertEquals(changed, stream.code(version, 4096));
            before = next;
            code = changed;
        }
    }

    @Test
    void shouldDependOnWhetherThereIsAnExpiry()
    {
        UnsafeApi.putShort(address + RecordDescriptor.FLAGS_OFFSET, (short)0);
        final long without = check.code(address, 100, 4096);
        UnsafeApi.putShort(address + RecordDescriptor.FLAGS_OFFSET, (short)RecordDescriptor.EXPIRY_FLAG);
        assertNotEquals(without, check.code(address, 100, 4096));
        assertNotEquals(without, check.code(address, 108, 4096));
    }
}

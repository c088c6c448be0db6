package org.onesided.tools.load.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueVerifierTest
{
    private static final int LENGTH = 100;
    private static final long KEY = 7;

    private final Writers writers = new Writers(0x1234_5678_9ABC_0000L, 2);
    private final ValueVerifier verifier = new ValueVerifier(writers, 0, 1000);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[LENGTH]);

    @BeforeEach
    void write()
    {
        for (int i = 0; i < 10; i++)
        {
            writers.nextCounter(0);
            writers.nextCounter(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 41, 47, 48, 95, 96, 97, 100, 159, 160, 161, 1000})
    void shouldKnowWhatWasWrittenAndNoOtherLengthOrByte(final int length)
    {
        final UnsafeBuffer whole = new UnsafeBuffer(new byte[length + 1]);
        ValueCodec.write(whole, length, KEY, writers.identity(1), 3);

        assertTrue(ValueCodec.isWhole(whole, length));
        assertEquals(false, ValueCodec.isWhole(whole, length + 1));
        assertEquals(false, ValueCodec.isWhole(whole, length - 1));
        for (int i = 0; i < length; i++)
        {
            whole.putByte(i, (byte)(whole.getByte(i) ^ 0x10));
            assertEquals(false, ValueCodec.isWhole(whole, length), "byte " + i);
            whole.putByte(i, (byte)(whole.getByte(i) ^ 0x10));
        }
        assertNull(verifier.verify(KEY, whole, length));
    }

    @Test
    void shouldFindWhatNobodyWrote()
    {
        assertEquals(Fault.NEVER_WRITTEN, verifier.verify(KEY, value, LENGTH));
        // A counter that the writer has not come to, and a writer that there is not.
        assertEquals(Fault.NEVER_WRITTEN, verify(KEY, writers.identity(0), 11));
        assertEquals(Fault.NEVER_WRITTEN, verify(KEY, writers.identity(0), 0));
        assertEquals(Fault.NEVER_WRITTEN, verify(KEY, writers.identity(2), 1));
        assertTrue(verifier.finding().contains("has not written: counter 1"), verifier.finding());
    }

    @Test
    void shouldFindAValueMadeOfTwo()
    {
        final UnsafeBuffer other = new UnsafeBuffer(new byte[LENGTH]);
        ValueCodec.write(value, LENGTH, KEY, writers.identity(0), 1);
        ValueCodec.write(other, LENGTH, KEY, writers.identity(0), 2);
        for (int at = 1; at < LENGTH; at++)
        {
            final UnsafeBuffer torn = new UnsafeBuffer(value.byteArray().clone());
            torn.putBytes(at, other, at, LENGTH - at);
            // The words before the counter are the same in both.
            assertEquals(at <= 24 ? null : Fault.NEVER_WRITTEN, verifier.verify(KEY, torn, LENGTH), "at " + at);
        }
    }

    @Test
    void shouldFindAnotherKeysValue()
    {
        assertEquals(Fault.ANOTHER_KEY, verify(KEY + 1, writers.identity(0), 1));
        assertEquals("key number 7 has the value of key number 8", verifier.finding());
    }

    @Test
    void shouldFindAnOlderValueOfTheSameWriter()
    {
        assertNull(verify(KEY, writers.identity(0), 5));
        assertNull(verify(KEY, writers.identity(0), 5));
        // Another writer's counters say nothing about this one's.
        assertNull(verify(KEY, writers.identity(1), 2));
        assertEquals(Fault.OLDER, verify(KEY, writers.identity(0), 4));
        // What was seen stays seen.
        assertEquals(Fault.OLDER, verify(KEY, writers.identity(0), 4));
        assertNull(verify(KEY, writers.identity(0), 6));
        // Nor do this writer's at another key.
        assertNull(verifier.verify(KEY + 1, written(KEY + 1, writers.identity(0), 1), LENGTH));
    }

    @Test
    void shouldFindAnOlderValueAfterAWriteOfItsOwn()
    {
        verifier.wrote(KEY, writers.identity(0), 9);

        assertEquals(Fault.OLDER, verify(KEY, writers.identity(0), 8));
    }

    @Test
    void shouldBelieveWritersOfOtherProcesses()
    {
        final long stranger = 0x7777_0000_0001_0003L;

        assertNull(verify(KEY, stranger, 1_000_000));
        assertEquals(Fault.OLDER, verify(KEY, stranger, 999_999));
    }

    @Test
    void shouldFindWhatIsLost()
    {
        assertNull(verifier.verifyAbsent(KEY, false));
        assertEquals(Fault.LOST, verifier.verifyAbsent(KEY, true));
        assertNull(verify(KEY, writers.identity(0), 1));
        assertEquals(Fault.LOST, verifier.verifyAbsent(KEY, false));
    }

    @Test
    void shouldKeepSixteenWritersOfEachKeyApart()
    {
        final int count = 16;
        final int keys = 100;
        final Writers many = new Writers(0x1234_5678_9ABC_0000L, count);
        final ValueVerifier reader = new ValueVerifier(many, 3, keys);
        for (int writer = 0; writer < count; writer++)
        {
            many.nextCounter(writer);
            many.nextCounter(writer);
            for (long key = 0; key < keys; key++)
            {
                assertNull(reader.verify(key, written(key, many.identity(writer), 2), LENGTH));
            }
        }

        int found = 0;
        for (int writer = 0; writer < count; writer++)
        {
            for (long key = 0; key < keys; key++)
            {
                final Fault fault = reader.verify(key, written(key, many.identity(writer), 1), LENGTH);
                found += fault == Fault.OLDER ? 1 : 0;
                assertTrue(fault == Fault.OLDER || writer != 3, "its own: key=" + key);
            }
        }
        assertTrue(found >= count * keys * 99 / 100, "found " + found);
    }

    @Test
    void shouldNotForgetItsOwnWritesNorKeysForThoseOfOthers()
    {
        final SeenValues seen = new SeenValues(1, 256, 4);
        for (long key = 0; key < 16; key++)
        {
            seen.see(key, 1, 7);
            for (long writer = 2; writer < 1000; writer++)
            {
                seen.see(key, writer, 1);
            }
        }

        for (long key = 0; key < 16; key++)
        {
            assertTrue(seen.hasSeen(key), "key " + key);
            assertEquals(7, seen.see(key, 1, 8));
        }
    }

    @Test
    void shouldForgetRatherThanAccuseWrongly()
    {
        final SeenValues seen = new SeenValues(2, 16, 16);
        for (long counter = 1; counter <= 100; counter++)
        {
            for (long key = 0; key < 100; key++)
            {
                final long latest = seen.see(key, 1, counter);
                assertTrue(latest == 0 || latest == counter - 1, "latest " + latest + " of " + counter);
            }
        }
    }

    private Fault verify(final long key, final long writer, final long counter)
    {
        return verifier.verify(KEY, written(key, writer, counter), LENGTH);
    }

    private UnsafeBuffer written(final long key, final long writer, final long counter)
    {
        ValueCodec.write(value, LENGTH, key, writer, counter);
        return value;
    }
}

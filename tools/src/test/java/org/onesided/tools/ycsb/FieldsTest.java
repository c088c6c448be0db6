package org.onesided.tools.ycsb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.StringByteIterator;

final class FieldsTest
{
    private final Fields fields = new Fields();

    @Test
    void shouldLayFieldsOutAsDrawn()
    {
        assertEquals(
            "59435331" + "02000000" +
            "02000000" + "03000000" + "c3a9" + "616263" +
            "01000000" + "00000000" + "66",
            HexFormat.of().formatHex(Fields.pack(fields("é", "abc", "f", ""))));
        assertEquals("5943533100000000", HexFormat.of().formatHex(Fields.pack(Map.of())));
    }

    @Test
    void shouldUnpackWhatItPacked()
    {
        final byte[] packed = Fields.pack(fields("field0", "zero", "field1", "", "field2", "zwei"));
        assertEquals(Map.of("field0", "zero", "field1", "", "field2", "zwei"), unpack(packed, null));
        assertEquals(Map.of("field2", "zwei"), unpack(packed, Set.of("field2", "field9")));
    }

    @Test
    void shouldChangeFieldsOfTheSameLengthInPlace()
    {
        final byte[] packed = Fields.pack(fields("a", "one", "b", "two", "c", "six"));
        assertSame(packed, fields.merge(packed, fields("c", "SIX", "a", "ONE")));
        assertEquals(Map.of("a", "ONE", "b", "two", "c", "SIX"), unpack(packed, null));
    }

    @Test
    void shouldChangeFieldsOfOtherLengthsAndAddNewOnes()
    {
        final byte[] packed = Fields.pack(fields("a", "one", "b", "two", "c", "six"));
        final byte[] before = packed.clone();
        final byte[] merged = fields.merge(packed, fields("a", "ONE", "b", "twenty", "d", "new"));
        assertNotSame(packed, merged);
        assertArrayEquals(before, packed);
        assertEquals(Map.of("a", "ONE", "b", "twenty", "c", "six", "d", "new"), unpack(merged, null));
    }

    @Test
    void shouldRefuseEveryValueThatEndsEarlyOrLate()
    {
        final byte[] packed = Fields.pack(fields("field0", "zero", "field1", "one"));
        for (int length = 0; length < packed.length; length++)
        {
            final byte[] cut = Arrays.copyOf(packed, length);
            assertThrows(BrokenFieldsException.class, () -> unpack(cut, null), "length=" + length);
        }
        final byte[] longer = Arrays.copyOf(packed, packed.length + 1);
        assertThrows(BrokenFieldsException.class, () -> unpack(longer, null));
        assertThrows(
            BrokenFieldsException.class,
            () -> unpack("hello, one-sided world".getBytes(StandardCharsets.UTF_8), null));
    }

    @Test
    void shouldStayWithinValuesOfAnyContent()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final byte[] packed = Fields.pack(fields("field0", "zero", "field1", "one"));
        int refused = 0;
        for (int i = 0; i < 20_000; i++)
        {
            final byte[] spoiled = packed.clone();
            spoiled[random.nextInt(spoiled.length)] = (byte)random.nextInt();
            try
            {
                unpack(spoiled, null);
            }
            catch (final BrokenFieldsException e)
            {
                refused++;
            }
            catch (final RuntimeException e)
            {
                throw new AssertionError("seed=" + seed + " value=" + HexFormat.of().formatHex(spoiled), e);
            }
        }
        assertTrue(refused > 0, "nothing was refused: seed=" + seed);
    }

    @Test
    void shouldRefuseFieldsThatAreTooLongForOneValue()
    {
        final ByteIterator huge = new LongIterator(1L << 31);
        assertThrows(IllegalArgumentException.class, () -> Fields.pack(Map.of("huge", huge)));
        final ByteIterator half = new LongIterator(1L << 29);
        assertThrows(IllegalArgumentException.class, () -> Fields.pack(Map.of("a", half, "b", half)));
    }

    private Map<String, String> unpack(final byte[] packed, final Set<String> wanted)
    {
        final Map<String, ByteIterator> result = new HashMap<>();
        fields.unpack(packed, wanted, result);
        return StringByteIterator.getStringMap(result);
    }

    private static Map<String, ByteIterator> fields(final String... namesAndValues)
    {
        final Map<String, ByteIterator> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2)
        {
            fields.put(namesAndValues[i], new StringByteIterator(namesAndValues[i + 1]));
        }
        return fields;
    }

    /** Tells a length, and holds nothing. */
    private static final class LongIterator extends ByteIterator
    {
        private final long length;

        LongIterator(final long length)
        {
            this.length = length;
        }

        @Override
        public boolean hasNext()
        {
            return true;
        }

        @Override
        public byte nextByte()
        {
            throw new AssertionError("it is too long to be read");
        }

        @Override
        public long bytesLeft()
        {
            return length;
        }
    }
}

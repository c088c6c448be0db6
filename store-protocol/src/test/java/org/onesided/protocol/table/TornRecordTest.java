package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What READs may show of a record that is rewritten in place meanwhile: parts of it from one version and parts from
 * others, in any mixture, the check word included.
 */
class TornRecordTest
{
    private static final int KEY_LENGTH = 16;
    private static final long OFFSET = 4096 + 32;
    private static final int MIXES = 20_000;
    private static final int VERSIONS = 3;

    private final RecordCheck check = new RecordCheck(77);
    private final Random random = new Random(5);

    /** Values that differ in everything, in a counter, in one bit, and not at all (only the version differs). */
    private enum Values
    {
        RANDOM,
        COUNTER,
        ONE_BIT,
        SAME
    }

    @ParameterizedTest
    @CsvSource({
        "64,40", "64,100", "64,1000", "64,4000", "32,100", "32,1000", "8,40", "8,100", "8,1000", "8,4000"})
    void shouldCatchEachMixtureOfVersions(final int lineLength, final int valueLength)
    {
        final int length = (int)RecordDescriptor.length(KEY_LENGTH, valueLength);
        final long address = UnsafeApi.allocateMemory(length + Long.BYTES);
        try
        {
            for (final Values values : Values.values())
            {
                final byte[][] versions = versions(values, length, address);
                int torn = 0;
                for (int i = 0; i < MIXES / Values.values().length; i++)
                {
                    final byte[] mixture = mixture(versions, lineLength);
                    final boolean isWhole = Arrays.stream(versions).anyMatch((v) -> Arrays.equals(v, mixture));
                    assertEquals(isWhole, isAccepted(mixture, address), () -> values + ": " + Arrays.toString(mixture));
                    torn += isWhole ? 0 : 1;
                }
                assertTrue(torn > 0 || values == Values.SAME, "nothing was torn: length=" + length);
            }
        }
        finally
        {
            UnsafeApi.freeMemory(address);
        }
    }

    /** The least tear that there can be: a READ is atomic per aligned 8 bytes. */
    @ParameterizedTest
    @CsvSource({"100", "1000", "4000"})
    void shouldCatchASingleWordOfAnotherVersion(final int valueLength)
    {
        final int length = (int)RecordDescriptor.length(KEY_LENGTH, valueLength);
        final long address = UnsafeApi.allocateMemory(length + Long.BYTES);
        try
        {
            final byte[][] versions = versions(Values.RANDOM, length, address);
            int torn = 0;
            for (int from = 0; from < length; from += Long.BYTES)
            {
                final byte[] mixture = versions[0].clone();
                System.arraycopy(versions[1], from, mixture, from, Math.min(Long.BYTES, length - from));
                final boolean isTorn = !Arrays.equals(versions[0], mixture);
                assertEquals(!isTorn, isAccepted(mixture, address), "from=" + from);
                torn += isTorn ? 1 : 0;
            }
            // All but lengths and key.
            assertEquals((length + Long.BYTES - 1) / Long.BYTES - 3, torn);
        }
        finally
        {
            UnsafeApi.freeMemory(address);
        }
    }

    private byte[][] versions(final Values values, final int length, final long address)
    {
        final byte[] value = new byte[length - RecordDescriptor.KEY_OFFSET - KEY_LENGTH];
        random.nextBytes(value);
        final byte[][] versions = new byte[VERSIONS][];
        for (int i = 0; i < VERSIONS; i++)
        {
            switch (values)
            {
                case RANDOM -> random.nextBytes(value);
                case COUNTER -> value[value.length / 2]++;
                case ONE_BIT -> value[random.nextInt(value.length)] ^= 1;
                default ->
                {
                }
            }
            versions[i] = record(value, length, 1000 + i, address);
        }
        return versions;
    }

    private byte[] record(final byte[] value, final int length, final long version, final long address)
    {
        UnsafeApi.setMemory(null, address, length, (byte)0);
        UnsafeApi.putLong(address + RecordDescriptor.VERSION_OFFSET, version);
        UnsafeApi.putShort(address + RecordDescriptor.KEY_LENGTH_OFFSET, (short)KEY_LENGTH);
        UnsafeApi.putInt(address + RecordDescriptor.VALUE_LENGTH_OFFSET, value.length);
        UnsafeApi.setMemory(null, address + RecordDescriptor.KEY_OFFSET, KEY_LENGTH, (byte)'k');
        final long valueAddress = address + RecordDescriptor.KEY_OFFSET + KEY_LENGTH;
        UnsafeApi.copyMemory(value, BufferUtil.ARRAY_BASE_OFFSET, null, valueAddress, value.length);
        UnsafeApi.putLong(address + RecordDescriptor.CHECK_OFFSET, check.code(address, length, OFFSET));
        final byte[] record = new byte[length];
        UnsafeApi.copyMemory(null, address, record, BufferUtil.ARRAY_BASE_OFFSET, length);
        return record;
    }

    /** The record begins in the midst of a line: records are aligned to 16 bytes, lines to 64. */
    private byte[] mixture(final byte[][] versions, final int lineLength)
    {
        final int length = versions[0].length;
        final byte[] mixture = new byte[length];
        int from = 0;
        int to = Math.min(length, lineLength - (int)(OFFSET % lineLength));
        while (from < length)
        {
            System.arraycopy(versions[random.nextInt(VERSIONS)], from, mixture, from, to - from);
            from = to;
            to = Math.min(length, from + lineLength);
        }
        return mixture;
    }

    private boolean isAccepted(final byte[] record, final long address)
    {
        UnsafeApi.copyMemory(record, BufferUtil.ARRAY_BASE_OFFSET, null, address, record.length);
        return UnsafeApi.getLong(address + RecordDescriptor.CHECK_OFFSET) == check.code(address, record.length, OFFSET);
    }
}

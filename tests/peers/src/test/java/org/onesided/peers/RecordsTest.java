package org.onesided.peers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecordsTest
{
    @Test
    void shouldMakeTheKeysOfRedisBenchmark()
    {
        final byte[] key = new byte[Records.KEY_LENGTH];
        final LongStream random = new Random(1).longs(100_000, 0, Records.MAX_COUNT);
        LongStream.concat(LongStream.of(0, 9, 10, 9_999, 10_000, 99_999_999), random).forEach((number) ->
        {
            Records.key(number, key);
            assertEquals(String.format("key:%012d", number), new String(key, StandardCharsets.US_ASCII));
        });
    }

    @Test
    void shouldTellValuesApartByTheirFirstWord()
    {
        final byte[] value = Records.template(100);
        Records.value(7, value);

        assertEquals(Records.firstValueWord(7), Records.firstWord(value));
        assertNotEquals(Records.firstValueWord(8), Records.firstWord(value));
        assertEquals(Records.ABSENT, Records.firstWord(null));
    }

    @Test
    void shouldMakeTheSameTemplateAlways()
    {
        assertArrayEquals(Records.template(1000), Records.template(1000));
    }
}

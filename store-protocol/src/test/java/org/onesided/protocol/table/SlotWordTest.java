package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotWordTest
{
    @ParameterizedTest
    @CsvSource({
        "0, 17, 4096, 32", "1, 140, 16, 144", "43981, 64, 549755813888, 64", "1, 32768, 16, 32768",
        "1, 32769, 16, 32896", "2, 32896, 16, 32896", "3, 32897, 16, 33024", "65535, 294528, 1099511627760, 294528",
        "65535, 294529, 1099511627760, 294656", "9, 294656, 32, 294656"})
    void shouldHoldWhatItIsMadeOf(final int fingerprint, final long length, final long offset, final int rounded)
    {
        final long slot = SlotWord.of(fingerprint, length, offset);
        assertEquals(fingerprint, SlotWord.fingerprint(slot));
        assertEquals(offset, SlotWord.heapOffset(slot));
        assertFalse(SlotWord.isLong(slot));
        assertEquals(rounded, SlotWord.length(slot));
    }

    @Test
    void shouldNeverSayLessThanTheLengthNorMuchMore()
    {
        int before = 0;
        for (int length = 1; length <= SlotWord.MAX_SHORT_LENGTH; length++)
        {
            final int said = SlotWord.length(SlotWord.of(0, length, 0));
            final long granules = SlotWord.granules(length) * SlotWord.GRANULE;
            assertTrue(said >= Math.max(granules, before), "length=" + length);
            assertTrue(said - granules <= (length <= 2048 * SlotWord.GRANULE ? 0 : 112), "length=" + length);
            before = said;
        }
    }

    @Test
    void shouldCallARecordLongFromTheFirstByteThatDoesNotFit()
    {
        assertEquals(294_656, SlotWord.MAX_SHORT_LENGTH);
        assertFalse(SlotWord.isLong(SlotWord.of(0, 294_656, 4096)));
        assertTrue(SlotWord.isLong(SlotWord.of(0, 294_657, 4096)));
        assertTrue(SlotWord.isLong(SlotWord.of(0, (64 << 20) + 4120, 4096)));
        assertEquals(4096, SlotWord.heapOffset(SlotWord.of(0, (64 << 20) + 4120, 4096)));
    }
}

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
    @CsvSource({"0, 33, 4096", "65535, 131008, 2199023255520", "1, 131040, 32", "43981, 64, 1099511627776"})
    void shouldHoldWhatItIsMadeOf(final int fingerprint, final long length, final long offset)
    {
        final long slot = SlotWord.of(fingerprint, length, offset);
        assertEquals(fingerprint, SlotWord.fingerprint(slot));
        assertEquals(offset, SlotWord.tableOffset(slot));
        assertEquals(length > 131_008, SlotWord.isLong(slot));
        if (!SlotWord.isLong(slot))
        {
            assertEquals((length + 31) / 32 * 32, SlotWord.length(slot));
        }
    }

    @Test
    void shouldCallARecordLongFromTheFirstByteThatDoesNotFit()
    {
        assertFalse(SlotWord.isLong(SlotWord.of(0, 131_008, 4096)));
        assertEquals(131_008, SlotWord.length(SlotWord.of(0, 131_008, 4096)));
        assertTrue(SlotWord.isLong(SlotWord.of(0, 131_009, 4096)));
        assertTrue(SlotWord.isLong(SlotWord.of(0, (64 << 20) + 4128, 4096)));
        assertEquals(4096, SlotWord.tableOffset(SlotWord.of(0, (64 << 20) + 4128, 4096)));
    }
}

package org.onesided.server.eviction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordStateTest
{
    @ParameterizedTest
    @CsvSource({"1,0", "2,1", "3,2", "4,3", "5,3", "6,4", "7,4", "8,5", "10,5", "11,6", "14,6", "15,7"})
    void shouldClassifyHowOftenAKeyCame(final int count, final int frequency)
    {
        assertEquals(frequency, RecordState.classOf(RecordState.of(count, false, 0xFFF)));
        assertEquals(frequency + RecordState.FREQUENCIES, RecordState.classOf(RecordState.of(count, true, 0)));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "2,1", "3,2", "6,2", "7,3", "4094,11", "4095,12", "4096,0"})
    void shouldClassifyTheAge(final int age, final int ageClass)
    {
        final int begin = 3 * 4096 + 77;
        assertEquals(15 * RecordState.AGES + ageClass,
            RecordState.cell(RecordState.of(15, true, begin), begin + age));
    }

    @Test
    void shouldHaveACellForEveryState()
    {
        for (int state = 0; state <= 0xFFFF; state++)
        {
            final int cell = RecordState.cell((short)state, 4095);
            assertEquals(cell, Math.max(0, Math.min(RecordState.CLASSES * RecordState.AGES - 1, cell)));
        }
    }
}

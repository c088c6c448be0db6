package org.onesided.server.eviction;

import static org.junit.jupiter.api.Assertions.*;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrequencySketchTest
{
    private static final int RECORDS = 100_000;

    private final FrequencySketch sketch = new FrequencySketch(RECORDS);
    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void shouldCountUpToItsMaximum()
    {
        for (int i = 1; i <= 20; i++)
        {
            assertEquals(Math.min(FrequencySketch.MAX, i), sketch.add(7));
        }
    }

    @Test
    void shouldSeldomCountOneKeyForAnother()
    {
        int wrong = 0;
        for (int i = 0; i < RECORDS; i++)
        {
            wrong += sketch.add(random.nextLong()) > 1 ? 1 : 0;
        }
        assertTrue(wrong < RECORDS / 10, "wrong=" + wrong);
    }

    @Test
    void shouldForgetWhatIsLongAgo()
    {
        for (int i = 0; i < FrequencySketch.MAX; i++)
        {
            sketch.add(7);
        }
        // The hand goes round once, and then once more.
        for (int i = 0; i < 20 * RECORDS; i++)
        {
            sketch.add(random.nextInt(8) << 10);
        }
        assertEquals(FrequencySketch.MAX / 2 + 1, sketch.add(7), 1);
        for (int i = 0; i < 80 * RECORDS; i++)
        {
            sketch.add(random.nextInt(8) << 10);
        }
        assertTrue(sketch.add(7) <= 2);
    }

    @Test
    void shouldKnowWhichNumbersOfRecordsItFits()
    {
        assertTrue(sketch.fits(RECORDS));
        assertTrue(sketch.fits(2 * RECORDS));
        assertFalse(sketch.fits(2 * RECORDS + 1));
        assertTrue(sketch.fits(RECORDS / 4));
        assertFalse(sketch.fits(RECORDS / 4 - 1));
        assertTrue(new FrequencySketch(0).fits(1));
    }
}

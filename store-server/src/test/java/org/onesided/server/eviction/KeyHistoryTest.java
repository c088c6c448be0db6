package org.onesided.server.eviction;

import static org.junit.jupiter.api.Assertions.*;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyHistoryTest
{
    private static final int RECORDS = 100_000;

    private final KeyHistory history = new KeyHistory(RECORDS);
    private final SplittableRandom random = new SplittableRandom(1);

    private void addOthers(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            history.add(random.nextLong());
        }
    }

    @Test
    void shouldCountUpToItsMaximum()
    {
        for (int i = 1; i <= 20; i++)
        {
            assertEquals(Math.min(KeyHistory.MAX, i), history.add(7));
        }
    }

    @Test
    void shouldSeldomTakeOneKeyForAnother()
    {
        int wrong = 0;
        for (int i = 0; i < 10 * RECORDS; i++)
        {
            wrong += history.add(random.nextLong()) > 1 ? 1 : 0;
        }
        assertTrue(wrong < 10 * RECORDS / 50, "wrong=" + wrong);
    }

    @Test
    void shouldRememberTheLastKeys()
    {
        int known = 0;
        for (int i = 0; i < 1000; i++)
        {
            history.add(i);
        }
        addOthers(RECORDS);
        for (int i = 0; i < 1000; i++)
        {
            known += history.add(i) == 2 ? 1 : 0;
        }
        assertTrue(known > 990, "known=" + known);
    }

    @Test
    void shouldSpareKeysThatCameOftenAndForgetThemInTheEnd()
    {
        for (int i = 0; i < KeyHistory.MAX; i++)
        {
            history.add(7);
        }
        addOthers(5 * RECORDS);
        final int spared = history.add(7);
        assertTrue(spared > 1 && spared < KeyHistory.MAX, "spared=" + spared);
        addOthers(50 * RECORDS);
        assertEquals(1, history.add(7));
    }

    @Test
    void shouldKnowWhichNumbersOfRecordsItFits()
    {
        assertTrue(history.fits(RECORDS));
        assertTrue(history.fits(2 * RECORDS));
        assertFalse(history.fits(2 * RECORDS + 1));
        assertTrue(history.fits(RECORDS / 4));
        assertFalse(history.fits(RECORDS / 4 - 1));
        assertTrue(new KeyHistory(0).fits(1));
    }
}

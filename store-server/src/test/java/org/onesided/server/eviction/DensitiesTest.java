package org.onesided.server.eviction;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class DensitiesTest
{
    private static final long RECORDS = 10_000;
    private static final long TICK = 128;

    private final Densities densities = new Densities(21);

    private static int cell(final int recordClass, final int age)
    {
        return recordClass * RecordState.AGES + age;
    }

    private void learnAll()
    {
        for (int i = 0; i < RecordState.CLASSES; i++)
        {
            densities.learn(i, RECORDS, TICK);
        }
    }

    @Test
    void shouldExpectMoreOfKeysThatCameOftenAndOfYoungRecords()
    {
        learnAll();
        for (int i = 1; i < RecordState.FREQUENCIES; i++)
        {
            assertTrue(densities.value(cell(i, 3)) > densities.value(cell(i - 1, 3)));
            assertTrue(densities.value(cell(i, 9)) < densities.value(cell(i, 3)));
        }
    }

    @Test
    void shouldLearnWhichRecordsAreLookedUp()
    {
        for (int round = 0; round < 100; round++)
        {
            for (int i = 0; i < RecordState.CLASSES * RecordState.AGES; i++)
            {
                densities.onSeen(i);
            }
            // Records of a rare key are looked up at a certain age, those of a frequent one never.
            densities.onHit(cell(0, 7), 1);
            learnAll();
        }
        assertTrue(densities.value(cell(0, 7)) > 3 * densities.value(cell(7, 7)));
        // It is worth to wait for that age, but not for long.
        assertTrue(densities.value(cell(0, 6)) > densities.value(cell(0, 2)));
        assertTrue(densities.value(cell(0, 6)) > densities.value(cell(0, 8)));
    }

    @Test
    void shouldForget()
    {
        for (int i = 0; i < 1000; i++)
        {
            densities.onSeen(cell(0, 7));
            densities.onHit(cell(0, 7), 1);
        }
        learnAll();
        final double before = densities.value(cell(0, 7));
        for (int i = 0; i < 500; i++)
        {
            densities.onSeen(cell(0, 7));
            learnAll();
        }
        assertTrue(densities.value(cell(0, 7)) < before / 5);
    }
}

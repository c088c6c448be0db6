package org.onesided.tools.load.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InsertedItemsTest
{
    @Test
    void shouldShowAnItemWhenAllBeforeItHaveEnded()
    {
        final InsertedItems items = new InsertedItems(10);
        assertEquals(9, items.last());
        final long first = items.begin();
        final long second = items.begin();
        assertEquals(10, first);
        assertEquals(11, second);

        items.end(second, true);
        assertEquals(9, items.last());
        items.end(first, false);
        assertEquals(11, items.last());
        assertTrue(items.isFailed(first));
        assertFalse(items.isFailed(second));
    }

    @Test
    void shouldCountTheInsertsOfManyThreads() throws Exception
    {
        final int threadCount = 4;
        final int each = 50_000;
        final InsertedItems items = new InsertedItems(5);
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < threadCount; i++)
        {
            threads.add(new Thread(() ->
            {
                for (int n = 0; n < each; n++)
                {
                    items.end(items.begin(), true);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }

        assertEquals(4 + threadCount * each, items.last());
        assertEquals(5 + threadCount * each, items.begin());
    }
}

package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

class StagingPoolTest
{
    /** More than the pool keeps. */
    private static final int BUFFERS = 70;

    @Test
    void shouldRefuseAtOnceBeyondItsShareOfMemory()
    {
        final StagingPool pool = new StagingPool(BUFFERS * (long)StagingBuffer.CAPACITY, 0);
        final Deque<StagingBuffer> taken = new ArrayDeque<>();
        for (int round = 0; round < 3; round++)
        {
            while (taken.size() < BUFFERS)
            {
                taken.push(pool.take());
            }
            assertEquals(Errno.ENOMEM, assertThrows(VerbsException.class, pool::take).errno());
            while (!taken.isEmpty())
            {
                pool.giveBack(taken.pop());
            }
        }
    }

    @Test
    void shouldSetAsideOnlyOnceHalfOfItIsInUse()
    {
        final StagingPool pool = new StagingPool(4L * StagingBuffer.CAPACITY, 100);
        final Deque<StagingBuffer> taken = new ArrayDeque<>();
        taken.push(pool.take());
        taken.push(pool.take());
        assertNull(pool.setAside(10));
        taken.push(pool.take());
        assertEquals(10, pool.setAside(10).length);
        pool.giveBack(taken.pop());
        assertNull(pool.setAside(10));
        taken.forEach(pool::giveBack);
    }

    @Test
    void shouldSetAsideNoMoreThanItMay()
    {
        final StagingPool pool = new StagingPool(StagingBuffer.CAPACITY, 100);
        final StagingBuffer taken = pool.take();
        assertNotNull(pool.setAside(60));
        assertNull(pool.setAside(41));
        assertNotNull(pool.setAside(40));
        pool.forget(60);
        assertNotNull(pool.setAside(60));
        pool.giveBack(taken);
    }
}

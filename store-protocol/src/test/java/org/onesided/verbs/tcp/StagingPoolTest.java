package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
        final StagingPool pool = new StagingPool(BUFFERS * (long)StagingBuffer.CAPACITY);
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
}

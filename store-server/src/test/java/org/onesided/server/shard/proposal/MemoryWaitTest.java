package org.onesided.server.shard.proposal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryWaitTest
{
    private static final long STEP_NS = MemoryWait.LONGEST_NS - 1;

    /** Passes the largest number soon. */
    private long nowNs = Long.MAX_VALUE - 1;
    private final MemoryWait wait = new MemoryWait(() -> nowNs);

    @Test
    void shouldEndWithoutProgress()
    {
        assertTrue(wait.goOn());
        nowNs += STEP_NS;
        assertTrue(wait.goOn());
        nowNs++;
        assertFalse(wait.goOn());
        assertEquals(TimeUnit.NANOSECONDS.toSeconds(MemoryWait.LONGEST_NS), wait.waitedSeconds());
    }

    @Test
    void shouldCountFromTheLastProgress()
    {
        assertTrue(wait.goOn());
        for (int i = 0; i < 3; i++)
        {
            nowNs += STEP_NS;
            wait.onProgress();
            assertTrue(wait.goOn());
        }
        nowNs += MemoryWait.LONGEST_NS;
        assertFalse(wait.goOn());
    }

    @Test
    void shouldEndThoughThereIsProgressForEver()
    {
        assertTrue(wait.goOn());
        final long beganNs = nowNs;
        while (wait.goOn())
        {
            assertTrue(nowNs - beganNs < MemoryWait.MOST_NS, "it never ends");
            nowNs += STEP_NS;
            wait.onProgress();
        }
        assertEquals(TimeUnit.NANOSECONDS.toSeconds(nowNs - beganNs), wait.waitedSeconds());
    }

    @Test
    void shouldBeginAnewBehindRoom()
    {
        assertTrue(wait.goOn());
        nowNs += STEP_NS;
        wait.end();
        assertEquals(0, wait.waitedSeconds());
        wait.onProgress();
        nowNs += STEP_NS;
        assertTrue(wait.goOn());
        nowNs += STEP_NS;
        assertTrue(wait.goOn());
    }
}

package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SilenceTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long LIMIT_NS = 4 * SECOND_NS;

    private final Silence silence = new Silence();
    private long bytes;

    @Test
    void shouldNotMindAPeerThatOwesNothing()
    {
        for (int i = 0; i < 20; i++)
        {
            assertEquals(Silence.WAIT, pass(false));
        }
    }

    @Test
    void shouldGiveAPeerItsWholeTime()
    {
        // Asked at any moment before the first of these.
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.OVER, pass(true));
    }

    @Test
    void shouldBeginAnewWithASign()
    {
        pass(true);
        pass(true);
        pass(true);
        pass(true);
        silence.end();
        assertTrue(silence.hasEnded());
        assertEquals(Silence.WAIT, pass(true));
        assertFalse(silence.hasEnded());
        pass(true);
        pass(true);
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.OVER, pass(true));
    }

    @Test
    void shouldBeginAnewWhenNothingWasOwedBetween()
    {
        pass(true);
        pass(true);
        pass(true);
        pass(true);
        pass(false);
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.WAIT, pass(true));
    }

    @Test
    void shouldHaveThePeerProveWhatItDoesNotAnswer()
    {
        silence.sent();
        assertEquals(Silence.WAIT, pass(false));
        assertEquals(Silence.ASK, pass(false));
        silence.asked(0, bytes);
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.OVER, pass(true));
    }

    @Test
    void shouldAskOnceOnly()
    {
        silence.sent();
        pass(false);
        assertEquals(Silence.ASK, pass(false));
        silence.asked(0, bytes);
        silence.answered(0);
        silence.end();
        for (int i = 0; i < 20; i++)
        {
            assertEquals(Silence.WAIT, pass(false));
        }
    }

    @Test
    void shouldGiveASlowNetworkASecondForEach128KiB()
    {
        bytes = 3 * 128 * 1024;
        silence.asked(7, bytes);
        pass(true);
        for (int i = 1; i < 7; i++)
        {
            assertEquals(Silence.WAIT, pass(true));
        }
        assertEquals(Silence.OVER, pass(true));
    }

    @Test
    void shouldGiveNoTimeForWhatHasArrived()
    {
        bytes = 100 << 20;
        silence.asked(7, bytes);
        // Asked meanwhile, and answered later.
        silence.asked(8, bytes);
        silence.answered(7);
        silence.end();
        pass(true);
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.WAIT, pass(true));
        assertEquals(Silence.OVER, pass(true));
    }

    @Test
    void shouldComeToAnEndHoweverMuchWasSent()
    {
        bytes = Long.MAX_VALUE / 2;
        int passes = 0;
        while (pass(true) != Silence.OVER)
        {
            passes++;
        }
        assertEquals(4 + 64, passes);
    }

    private int pass(final boolean waiting)
    {
        return silence.pass(SECOND_NS, waiting, LIMIT_NS, bytes);
    }
}

package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.ServedShards;

class SendCountsTest
{
    private static final int CREDITS = 4;

    private final SendCounts sends = new SendCounts(ServedShards.all(2), CREDITS);

    @Test
    void shouldKnowByOneCompletionThatAllSendsBeforeItAreComplete()
    {
        sends.post(0, 0);
        sends.post(0, 1);
        sends.post(0, 2);
        assertEquals(3, sends.posted(0));
        assertFalse(sends.isComplete(0, 0));

        assertTrue(sends.complete(0, 1));
        assertTrue(sends.isComplete(0, 0));
        assertTrue(sends.isComplete(0, 1));
        assertFalse(sends.isComplete(0, 2));
    }

    @Test
    void shouldCountTheSendsOfEachShardApart()
    {
        sends.post(0, 0);
        sends.post(1, CREDITS);
        assertTrue(sends.complete(0, 0));

        assertTrue(sends.isComplete(0, 0));
        assertFalse(sends.isComplete(1, CREDITS));
    }

    @Test
    void shouldRefuseACompletionOfNoSend()
    {
        sends.post(0, 0);
        assertFalse(sends.complete(0, 1), "not posted yet");
        assertFalse(sends.complete(0, -1));
        assertFalse(sends.complete(2, 0), "no such shard");
        assertTrue(sends.complete(0, 0));
        assertFalse(sends.complete(0, 0), "told before");
    }

    @Test
    void shouldSignalOneOfEveryHalfOfTheCreditsById()
    {
        assertFalse(sends.takeSignal(0, 1));
        assertTrue(sends.takeSignal(0, 2));
        assertFalse(sends.takeSignal(0, 3));
        // Of ids that were taken back there are no SENDs.
        assertTrue(sends.takeSignal(0, 7));
        assertFalse(sends.takeSignal(1, 1));
    }

    @Test
    void shouldSignalEachSendOfASingleCredit()
    {
        final SendCounts single = new SendCounts(ServedShards.all(1), 1);
        assertTrue(single.takeSignal(0, 1));
        assertTrue(single.takeSignal(0, 2));
    }

    /** What the former attachment sent is not completed by the next one, and keeps no slot. */
    @Test
    void shouldBeginAnewOverAnotherAttachment()
    {
        sends.post(0, 0);
        assertTrue(sends.takeSignal(0, 6));
        sends.restart();
        sends.resume(0, 5);

        assertTrue(sends.isComplete(0, 0));
        assertFalse(sends.complete(0, 0));
        assertEquals(0, sends.posted(0));
        assertFalse(sends.takeSignal(0, 5));
        assertTrue(sends.takeSignal(0, 6));
    }
}

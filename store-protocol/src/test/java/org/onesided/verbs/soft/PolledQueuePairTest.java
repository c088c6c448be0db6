package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.UseCount;

class PolledQueuePairTest
{
    private static final int MARK = 70;

    private final NativeArray memory = new NativeArray(Marks.LENGTH);
    private final Marks marks = new Marks(memory.range().address(), 1, () -> { });
    private final UseCount context = new UseCount("close_device", "the context");
    private final SoftCompletionQueue completions = completionQueue();
    private boolean hasArrived;
    private boolean mayRest = true;
    private final Transport transport = transport();
    private final WorkQueues queues = new WorkQueues(
        event -> { }, new RegionTable(), null,
        new QueuePairInitAttributes(completions, completions, null, 4, 4, 1, 1, 0, false, false), 7,
        made -> transport);
    private final Rest rest = new Rest(completions, MARK);
    private final PolledQueuePair polled = new PolledQueuePair(queues, rest);

    @AfterEach
    void free()
    {
        queues.freeMemory();
        completions.close();
        memory.close();
    }

    private SoftCompletionQueue completionQueue()
    {
        context.acquire();
        return new SoftCompletionQueue(null, context, event -> { }, 4, null, () -> marks);
    }

    private Transport transport()
    {
        return (Transport)Proxy.newProxyInstance(
            Transport.class.getClassLoader(), new Class<?>[]{Transport.class}, (proxy, method, arguments) ->
                switch (method.getName())
                {
                    case "mayRest" -> mayRest;
                    case "lookForArrivals" -> hasArrived;
                    default -> method.getReturnType() == boolean.class ? false : null;
                });
    }

    @Test
    void shouldRestWhereNothingHappens()
    {
        assertFalse(polled.progress());
        assertTrue(polled.tryRest());
        assertTrue(polled.isResting());
        polled.endRest();
        assertFalse(polled.isResting());
    }

    @Test
    void shouldNotRestOverAMessageThatCameMeanwhile()
    {
        hasArrived = true;
        assertFalse(polled.tryRest());
        assertFalse(polled.isResting());
    }

    @Test
    void shouldNotRestIfThePeerSetsNoMarks()
    {
        mayRest = false;
        assertFalse(polled.tryRest());
        assertFalse(new PolledQueuePair(queues, new Rest(completions, Marks.NONE)).tryRest());
    }

    @Test
    void shouldMarkItselfOnlyWhileItRests()
    {
        for (int i = 0; i < ReadyList.NEVER_RESTING; i++)
        {
            completions.add(new PolledQueuePair(queues, new Rest(completions, Marks.NONE)));
        }
        assertEquals(0, completions.acquireMark());
        rest.attend();
        assertEquals(0, marks.take(MARK / Long.SIZE));
        assertTrue(polled.tryRest());
        rest.attend();
        assertEquals(1L << MARK, marks.take(MARK / Long.SIZE));
        completions.releaseMark(0);
        for (int i = 0; i < ReadyList.NEVER_RESTING; i++)
        {
            completions.uses().release();
        }
        assertEquals(0, UnsafeApi.getInt(memory.range().address()));
    }
}

package org.onesided.verbs.soft;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.agrona.UnsafeApi;
import org.onesided.server.table.StressMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A message comes for a queue pair that is about to rest, and whose owner is about to sleep: the owner sees the message
 * or the mark, or else the sender sees that it is to wake the owner.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the owner sleeps, and nobody wakes it")
@Outcome(expect = ACCEPTABLE, desc = "woken, or awake")
@State
public class RestStress
{
    private static final long MESSAGE_OFFSET = Marks.LENGTH;
    private static final long ASKED_OFFSET = MESSAGE_OFFSET + 64;
    private static final int CELL_LENGTH = (int)ASKED_OFFSET + 64;
    private static final int MARK = 3;
    private static final int WANTED = 1;

    private static final StressMemory MEMORY = new StressMemory(CELL_LENGTH);

    private final long cell = MEMORY.take();
    private final Marks marks;

    /**
     * The queue pair does not rest yet.
     */
    public RestStress()
    {
        UnsafeApi.setMemory(cell, CELL_LENGTH, (byte)0);
        marks = new Marks(cell, 1, () -> { });
    }

    /**
     * Puts the message, and marks the queue pair if asked to, as {@code Connection#wake} of the device shm does.
     *
     * @param result whether it wakes the owner.
     */
    @Actor
    public void sender(final II_Result result)
    {
        UnsafeApi.putLongRelease(null, cell + MESSAGE_OFFSET, 1);
        UnsafeApi.fullFence();
        if (UnsafeApi.getIntVolatile(null, cell + ASKED_OFFSET) != 0)
        {
            marks.set(MARK);
            result.r1 = marks.takeWakeUps(WANTED);
        }
    }

    /**
     * Lets the queue pair rest, and then is about to sleep, as a completion queue does that is armed.
     *
     * @param result whether it sees that there is something to do.
     */
    @Actor
    public void owner(final II_Result result)
    {
        UnsafeApi.putIntVolatile(null, cell + ASKED_OFFSET, 1);
        UnsafeApi.fullFence();
        if (hasMessage())
        {
            result.r2 = 1;
            return;
        }
        marks.wakeUps(WANTED);
        UnsafeApi.fullFence();
        result.r2 = marks.take(0) != 0 && hasMessage() ? 1 : 0;
    }

    /**
     * Gives the memory back.
     *
     * @param result of both.
     */
    @Arbiter
    public void end(final II_Result result)
    {
        MEMORY.giveBack(cell);
    }

    private boolean hasMessage()
    {
        return UnsafeApi.getLongVolatile(null, cell + MESSAGE_OFFSET) != 0;
    }
}

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
 * Marks of two queue pairs are set while their owner takes those of a word, in which one is set already. Each message
 * is seen by the owner now, or its mark is there for the next poll.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both are seen, now or at the next poll")
@Outcome(expect = FORBIDDEN, desc = "a message is neither seen nor marked")
@State
public class MarkStress
{
    private static final int FIRST = 3;
    private static final int SECOND = 60;
    private static final long FIRST_OFFSET = Marks.LENGTH;
    private static final long SECOND_OFFSET = FIRST_OFFSET + 64;
    private static final int CELL_LENGTH = (int)SECOND_OFFSET + 64;

    private static final StressMemory MEMORY = new StressMemory(CELL_LENGTH);

    private final long cell = MEMORY.take();
    private final Marks marks;
    private boolean isFirstSeen;
    private boolean isSecondSeen;

    /**
     * The first is marked, for an older message.
     */
    public MarkStress()
    {
        UnsafeApi.setMemory(cell, CELL_LENGTH, (byte)0);
        marks = new Marks(cell, 1, () -> { });
        marks.set(FIRST);
    }

    /**
     * Sends to both.
     */
    @Actor
    public void sender()
    {
        send(FIRST_OFFSET, FIRST);
        send(SECOND_OFFSET, SECOND);
    }

    /**
     * Takes the marks, and looks at those that are marked.
     */
    @Actor
    public void owner()
    {
        look();
    }

    /**
     * The next poll.
     *
     * @param result whether each message was seen.
     */
    @Arbiter
    public void end(final II_Result result)
    {
        look();
        result.r1 = isFirstSeen ? 1 : 0;
        result.r2 = isSecondSeen ? 1 : 0;
        MEMORY.giveBack(cell);
    }

    private void send(final long offset, final int mark)
    {
        UnsafeApi.putLongRelease(null, cell + offset, 1);
        UnsafeApi.fullFence();
        marks.set(mark);
    }

    private void look()
    {
        final long taken = marks.take(0);
        isFirstSeen |= (taken & 1L << FIRST) != 0 && UnsafeApi.getLongVolatile(null, cell + FIRST_OFFSET) != 0;
        isSecondSeen |= (taken & 1L << SECOND) != 0 && UnsafeApi.getLongVolatile(null, cell + SECOND_OFFSET) != 0;
    }
}

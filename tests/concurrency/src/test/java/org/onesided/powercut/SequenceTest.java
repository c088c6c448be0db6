package org.onesided.powercut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What counts as left of a sequence.
 */
class SequenceTest
{
    private static final int STEPS = 100;

    private final SplittableRandom random = new SplittableRandom(1);
    private final Sequence sequence = newSequence(1);
    private final List<Step> steps = new ArrayList<>();

    @Test
    void shouldFindAllSteps()
    {
        write(STEPS, Step.Fate.DONE);
        final Sequence.Left left = sequence.left(heldAfter(STEPS), System.nanoTime());
        assertEquals(STEPS, left.most());
        assertEquals(0, left.lost());
    }

    @Test
    void shouldCountWhatIsLostAtTheEnd()
    {
        write(STEPS, Step.Fate.DONE);
        final int puts = lastPut();
        final Sequence.Left left = sequence.left(heldAfter(puts), System.nanoTime());
        assertTrue(left.least() <= puts && left.most() >= puts, left::toString);
        assertTrue(left.lost() > 0, left::toString);
    }

    @Test
    void shouldFindNoBeginningIfAStepInTheMiddleIsMissing()
    {
        write(STEPS, Step.Fate.DONE);
        final int missing = lastPut();
        steps.remove(missing);
        final long[] without = heldAfter(STEPS - 1);
        write(1, Step.Fate.DONE);
        final Step last = steps.get(STEPS - 1);
        without[last.key()] = last.number();
        // With this seed, the last write is to another key than the missing one.
        assertEquals(-1, sequence.left(without, System.nanoTime()).most());
    }

    @Test
    void shouldFindNoBeginningWithAValueThatNobodyPut()
    {
        write(STEPS, Step.Fate.DONE);
        final long[] held = heldAfter(STEPS);
        held[0] = NumberedValue.CORRUPT;
        assertEquals(-1, sequence.left(held, System.nanoTime()).most());
    }

    @Test
    void shouldAllowAWriteOfUnknownFateAtTheEndToBeThereOrNot()
    {
        write(STEPS, Step.Fate.DONE);
        write(1, Step.Fate.UNKNOWN);
        final long cutNs = System.nanoTime();
        assertEquals(STEPS, sequence.left(heldAfter(STEPS), cutNs).most());
        assertEquals(STEPS, sequence.left(heldAfter(STEPS + 1), cutNs).most());
    }

    @Test
    void shouldWantAWriteThatWasAcknowledgedAfterTheCut()
    {
        write(STEPS, Step.Fate.DONE);
        final long cutNs = System.nanoTime();
        write(1, Step.Fate.DONE);
        final long[] without = heldAfter(STEPS);
        final long[] with = heldAfter(STEPS + 1);
        assertEquals(STEPS, sequence.left(with, cutNs).most());
        final int key = steps.get(STEPS).key();
        // A delete of a key that was absent leaves no trace.
        assertEquals(with[key] == without[key] ? STEPS : -1, sequence.left(without, cutNs).most());
    }

    @Test
    void shouldNotFitALaterWriteOfTheSameShard()
    {
        write(STEPS, Step.Fate.DONE);
        final Sequence other = newSequence(2);
        final Step later = other.begin(random);
        other.end(later, Step.Fate.DONE);
        final Sequence.Left all = new Sequence.Left(STEPS, STEPS, STEPS);
        final Sequence.Left fewer = new Sequence.Left(STEPS - 1, STEPS - 1, STEPS);
        assertTrue(sequence.fits(all, other, new Sequence.Left(1, 1, 1)));
        assertTrue(sequence.fits(fewer, other, new Sequence.Left(0, 0, 1)));
        assertFalse(sequence.fits(fewer, other, new Sequence.Left(1, 1, 1)));
    }

    private static Sequence newSequence(final int writer)
    {
        return new Sequence(0, writer, Collections.nCopies(Sequence.KEYS, new byte[1]));
    }

    private void write(final int count, final Step.Fate fate)
    {
        for (int i = 0; i < count; i++)
        {
            final Step step = sequence.begin(random);
            steps.add(step);
            sequence.end(step, fate);
        }
    }

    private int lastPut()
    {
        int last = STEPS - 1;
        while (steps.get(last).number() == NumberedValue.ABSENT)
        {
            last--;
        }
        return last;
    }

    private long[] heldAfter(final int count)
    {
        final long[] held = new long[Sequence.KEYS];
        steps.subList(0, count).forEach(step -> held[step.key()] = step.number());
        return held;
    }
}

package org.onesided.powercut;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Writes of one writer to keys of one shard, one after the other, and what is left of them. The shard has one log, so
 * whatever is lost, a beginning of them is left. For one thread at a time.
 */
final class Sequence
{
    static final int KEYS = 16;

    private static final int DELETE_ODDS = 8;
    private static final int SHORTEST = 16;
    private static final int SHORT = 2000;
    private static final int LONG_ODDS = 40;
    /** More than a message holds: the server pulls such values, and the longest are in the log in pieces. */
    private static final int LONG = 100_000;
    private static final int LONGEST_ODDS = 300;
    private static final int LONGEST = 3_000_000;

    private final int shard;
    private final int writer;
    private final List<byte[]> keys;
    /** What the keys held before the first step. */
    private final long[] base = new long[KEYS];
    private final List<Step> steps = new ArrayList<>();
    private int count;
    private long acknowledged;

    /**
     * What is left of a sequence.
     *
     * @param least  fewest steps that explain what its keys hold; -1 if no beginning does.
     * @param most   most steps that explain it.
     * @param wanted steps that were acknowledged before the cut.
     */
    record Left(int least, int most, int wanted)
    {
        int lost()
        {
            return wanted - most;
        }
    }

    /**
     * @param shard  of all keys.
     * @param writer whose sequence it is, from 1 to 127, for each sequence another one.
     * @param keys   {@value #KEYS} of that shard, which no other sequence has.
     */
    Sequence(final int shard, final int writer, final List<byte[]> keys)
    {
        this.shard = shard;
        this.writer = writer;
        this.keys = List.copyOf(keys);
    }

    int shard()
    {
        return shard;
    }

    int writer()
    {
        return writer;
    }

    List<byte[]> keys()
    {
        return keys;
    }

    /** Writes acknowledged, from the beginning. */
    long acknowledged()
    {
        return acknowledged;
    }

    /** Begins the next write. */
    Step begin(final RandomGenerator random)
    {
        count++;
        final int length = random.nextInt(LONGEST_ODDS) == 0 ? random.nextInt(LONG, LONGEST) :
            random.nextInt(LONG_ODDS) == 0 ? random.nextInt(SHORT, LONG) : random.nextInt(SHORTEST, SHORT);
        final Step step = new Step(random.nextInt(KEYS), random.nextInt(DELETE_ODDS) == 0 ?
            NumberedValue.ABSENT : NumberedValue.number(writer, length, count));
        steps.add(step);
        return step;
    }

    /** Ends the write that was begun last. */
    void end(final Step step, final Step.Fate fate)
    {
        step.end(fate);
        acknowledged += fate == Step.Fate.DONE ? 1 : 0;
        if (fate == Step.Fate.NOT_DONE)
        {
            steps.remove(steps.size() - 1);
        }
    }

    /**
     * Compares what the keys hold with the steps. The last step may have been under way at the cut: then it may have
     * taken effect before or after that, or, if it was not acknowledged, not at all.
     *
     * @param held  numbers of what each key holds.
     * @param cutNs when the machine that acknowledged the steps before was surely gone.
     */
    Left left(final long[] held, final long cutNs)
    {
        final int last = steps.size() - 1;
        final Step late = last < 0 || steps.get(last).isDoneBy(cutNs) ? null : steps.get(last);
        final int wanted = late == null ? steps.size() : last;
        final long[] now = base.clone();
        int least = -1;
        int most = -1;
        for (int i = 0; i <= wanted; i++)
        {
            if (i > 0)
            {
                now[steps.get(i - 1).key()] = steps.get(i - 1).number();
            }
            if (matches(now, held, late))
            {
                least = least < 0 ? i : least;
                most = i;
            }
        }
        return new Left(least, most, wanted);
    }

    private static boolean matches(final long[] now, final long[] held, final Step late)
    {
        for (int key = 0; key < KEYS; key++)
        {
            final boolean isLate = late != null && late.key() == key;
            final boolean isAsBefore = held[key] == now[key] && !(isLate && late.fate() == Step.Fate.DONE);
            if (!isAsBefore && !(isLate && held[key] == late.number()))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether what is left of this sequence goes with what is left of another one of its shard: if a write is left, so
     * is each that was acknowledged before it was begun.
     */
    boolean fits(final Left left, final Sequence other, final Left leftOfOther)
    {
        if (leftOfOther.least() <= 0)
        {
            return true;
        }
        final long beganNs = other.steps.get(leftOfOther.least() - 1).invokeNs();
        return left.most() >= left.wanted() || !steps.get(left.most()).isDoneBy(beganNs);
    }

    /** Seconds from the acknowledgement of the first step that is lost to the cut. */
    double lostSeconds(final Left left, final long cutNs)
    {
        return left.lost() <= 0 ? 0 : (cutNs - steps.get(left.most()).returnNs()) / 1e9;
    }

    /** Goes on from what the keys hold. */
    void goOnFrom(final long[] held)
    {
        System.arraycopy(held, 0, base, 0, KEYS);
        steps.clear();
    }

    /** What was expected and found, a key a line. */
    String text(final long[] held, final Left left)
    {
        final StringBuilder text = new StringBuilder("shard " + shard + ", writer " + writer + ", " + left);
        final long[] now = base.clone();
        steps.forEach(step -> now[step.key()] = step.number());
        for (int key = 0; key < KEYS; key++)
        {
            if (now[key] != held[key])
            {
                text.append("\n  key ").append(key).append(": wanted ").append(NumberedValue.text(now[key]))
                    .append(", found ").append(NumberedValue.text(held[key]));
            }
        }
        return text.toString();
    }
}

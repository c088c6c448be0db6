package org.onesided.chaos;

import java.util.Arrays;
import org.onesided.verbs.Opcode;

/**
 * What happens to one send request, decided when it is posted.
 */
final class SendFate
{
    static final int LINE = 64;
    /** No device fetches less of aligned memory at once. */
    static final int WORD = Long.BYTES;

    /** A long READ is fetched in so many parts, each of some lines or words. */
    private static final int MAX_PARTS = 64;
    private static final int STREAM = 0;

    /** When the queue pair is lost. */
    enum Loss
    {
        NEVER,
        BEFORE,
        AMID,
        AFTER
    }

    /** Where each part of the READ begins, and where the last one ends; the order is that of the bytes. */
    final long[] cuts;
    /** Parts in the order in which they are fetched; a part may come twice. */
    final int[] order;
    /** Pause before each of them, in microseconds; 0 for none. */
    final int[] stallsUs;
    final boolean isReplayed;
    final boolean overtakes;
    final int lateUs;
    final Loss loss;

    /**
     * @param plan    that says how often.
     * @param object  number of the queue pair.
     * @param counter number of the request.
     * @param opcode  of the request.
     * @param address that it READs.
     * @param length  of what it READs.
     */
    SendFate(
        final FaultPlan plan,
        final long object,
        final long counter,
        final int opcode,
        final long address,
        final long length)
    {
        final Dice dice = new Dice(plan.seed(), object, STREAM, counter);
        final boolean isSplit = dice.oneIn(plan.split()) && opcode == Opcode.RDMA_READ;
        final boolean isRepeated = dice.oneIn(plan.replay()) && isSplit;
        overtakes = dice.oneIn(plan.overtake());
        lateUs = pauseUs(dice, plan.late(), plan.stallUs());
        final boolean isLost = dice.oneIn(plan.lose());
        final int when = dice.below(3);
        loss = isLost ? Loss.values()[1 + when] : Loss.NEVER;
        cuts = isSplit ? cuts(dice, address, length) : new long[]{0, length};
        final int parts = cuts.length - 1;
        final int[] first = shuffled(dice, parts);
        isReplayed = isRepeated;
        order = isRepeated ? withSecondFetch(dice, first) : first;
        stallsUs = new int[order.length];
        for (int i = 0; i < stallsUs.length; i++)
        {
            stallsUs[i] = isSplit ? pauseUs(dice, plan.stall(), plan.stallUs()) : 0;
        }
    }

    static int pauseUs(final Dice dice, final int odds, final int most)
    {
        final boolean isDue = dice.oneIn(odds);
        final int us = 1 + dice.below(most);
        return isDue ? us : 0;
    }

    boolean isSplit()
    {
        return cuts.length > 2;
    }

    @Override
    public String toString()
    {
        return "order=" + Arrays.toString(order) + " stallsUs=" + Arrays.toString(stallsUs) + " overtakes=" +
            overtakes + " lateUs=" + lateUs + " loss=" + loss;
    }

    /** Between lines of the peer's memory, or between words; of a READ of many only some places between them. */
    private static long[] cuts(final Dice dice, final long address, final long length)
    {
        final int unit = dice.below(2) == 0 ? LINE : WORD;
        final long toFirst = unit - (address & unit - 1);
        final long inside = length <= toFirst ? 0 : (length - toFirst + unit - 1) / unit;
        final int wanted = (int)Math.min(inside, MAX_PARTS - 1);
        final long[] cuts = new long[wanted + 2];
        for (int i = 0; i < wanted; i++)
        {
            // One of each stretch of places; the stretches are of one place where there are few.
            final long begin = inside * i / wanted;
            final long end = inside * (i + 1) / wanted;
            cuts[i + 1] = toFirst + unit * (begin + dice.below((int)Math.min(end - begin, Integer.MAX_VALUE)));
        }
        cuts[wanted + 1] = length;
        return cuts;
    }

    private static int[] shuffled(final Dice dice, final int count)
    {
        final int[] order = new int[count];
        for (int i = 0; i < count; i++)
        {
            final int j = dice.below(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    /** Those that are fetched again overwrite what was fetched before; of the others the older bytes stay. */
    private static int[] withSecondFetch(final Dice dice, final int[] first)
    {
        final int[] all = Arrays.copyOf(first, 2 * first.length);
        int count = first.length;
        for (final int part : shuffled(dice, first.length))
        {
            if (dice.below(2) == 0)
            {
                all[count++] = part;
            }
        }
        return Arrays.copyOf(all, count);
    }
}

package org.onesided.verbs.soft;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;

/**
 * Which queue pairs a poll looks at. Those that had nothing to do for a while rest, and are looked at again when their
 * mark is set; so polling many idle ones costs as much as polling none. The first few never rest, as looking at them
 * costs no more than at the marks. The completion queue's polling lock guards all.
 */
final class ReadyList
{
    /**
     * A queue pair whose completions come to the completion queue.
     */
    interface Source
    {
        /**
         * Makes progress if there is something to do. For a thread that holds the completion queue's polling lock, as
         * the next methods are.
         *
         * @return whether there was.
         */
        boolean progress();

        /**
         * @return mark that ends its rest; {@link Marks#NONE} if it never rests.
         */
        int mark();

        /**
         * @return whether it need not be looked at until its mark is set.
         */
        boolean isResting();

        /**
         * Lets it rest if there is nothing to do now, and its peer sets its mark from now on.
         *
         * @return whether it rests.
         */
        boolean tryRest();

        /**
         * Ends its rest, so that it is to be looked at.
         */
        void endRest();

        /**
         * Tells the peer what to wake this side for now.
         */
        void refreshArmed();

        /**
         * @return nanoseconds until the next retry.
         */
        long waitLeftNs(long nowNs);
    }

    /** Queue pairs that do without marks. */
    static final int NEVER_RESTING = 8;
    /** Looks in vain after which a queue pair rests. */
    static final int PATIENCE = 1024;
    /** The same while many are watched. */
    static final int PATIENCE_WITH_MANY = 16;
    private static final int MANY = 2 * NEVER_RESTING;
    /** Every so often all are looked at: a faulty peer may have cleared another's mark. */
    private static final int ROUNDS_TO_SWEEP = 1 << 16;

    private final Supplier<Marks> maker;
    /** Null until there are enough queue pairs, or if they cannot be made. */
    private Marks marks;
    private boolean hasTried;
    private final BitSet used = new BitSet();
    private int words;
    /** By mark. */
    private Source[] marked = {};
    private Source[] watched = {};
    /** Looks in vain, by place among the watched. */
    private int[] looks = {};
    private int watchedCount;
    private int count;
    private int neverResting;
    private int rounds;

    /**
     * @param maker makes marks, or returns null where the device has none.
     */
    ReadyList(final Supplier<Marks> maker)
    {
        this.maker = maker;
    }

    /**
     * @return a mark for a new queue pair, or {@link Marks#NONE}; given back by {@link #release}.
     */
    int acquire()
    {
        if (neverResting < NEVER_RESTING)
        {
            return Marks.NONE;
        }
        if (!hasTried)
        {
            hasTried = true;
            marks = maker.get();
        }
        final int mark = used.nextClearBit(0);
        if (marks == null || mark >= Marks.CAPACITY)
        {
            return Marks.NONE;
        }
        used.set(mark);
        words = Math.max(words, mark / Long.SIZE + 1);
        if (mark >= marked.length)
        {
            marked = Arrays.copyOf(marked, words * Long.SIZE);
        }
        return mark;
    }

    void release(final int mark)
    {
        if (mark != Marks.NONE)
        {
            used.clear(mark);
        }
    }

    /**
     * @return the marks; null if there are none.
     */
    Marks marks()
    {
        return marks;
    }

    void add(final Source source)
    {
        if (++count > watched.length)
        {
            // All may have to be watched; so nothing is allocated while polling.
            watched = Arrays.copyOf(watched, Math.max(4, 2 * count));
            looks = Arrays.copyOf(looks, watched.length);
        }
        if (source.mark() == Marks.NONE)
        {
            neverResting++;
        }
        else
        {
            marked[source.mark()] = source;
        }
        watch(source);
    }

    void remove(final Source source)
    {
        for (int i = 0; i < watchedCount; i++)
        {
            if (watched[i] == source)
            {
                unwatch(i);
                break;
            }
        }
        if (source.mark() == Marks.NONE)
        {
            neverResting--;
        }
        else
        {
            marked[source.mark()] = null;
        }
        count--;
    }

    /** Lets those make progress that have something to do. */
    void progress()
    {
        if (marks != null)
        {
            wakeMarked();
            if (++rounds >= ROUNDS_TO_SWEEP)
            {
                wakeAll();
            }
        }
        final int patience = watchedCount > MANY ? PATIENCE_WITH_MANY : PATIENCE;
        for (int i = 0; i < watchedCount;)
        {
            final Source source = watched[i];
            if (source.progress())
            {
                looks[i] = 0;
            }
            else if (++looks[i] >= patience)
            {
                looks[i] = 0;
                if (source.tryRest())
                {
                    unwatch(i);
                    continue;
                }
            }
            i++;
        }
    }

    /** Ends all rest. */
    void wakeAll()
    {
        rounds = 0;
        for (final Source source : marked)
        {
            wake(source);
        }
    }

    /** Tells peers what to wake this side for. The caller puts a full fence behind this. */
    void publishWakeUps(final int wanted)
    {
        if (marks != null)
        {
            marks.wakeUps(wanted);
        }
        for (int i = 0; i < watchedCount; i++)
        {
            watched[i].refreshArmed();
        }
    }

    /**
     * @return nanoseconds until there is something to do without a peer.
     */
    long waitLeftNs(final long nowNs)
    {
        if (marks != null && marks.isAnySet(words))
        {
            return 1;
        }
        long left = Timers.FOR_EVER_NS;
        for (int i = 0; i < watchedCount; i++)
        {
            left = Math.min(left, watched[i].waitLeftNs(nowNs));
        }
        return left;
    }

    void close()
    {
        if (marks != null)
        {
            marks.close();
        }
    }

    /**
     * @return how many a poll looks at now.
     */
    int watchedCount()
    {
        return watchedCount;
    }

    private void wakeMarked()
    {
        for (int i = 0; i < words; i++)
        {
            for (long bits = marks.take(i); bits != 0; bits &= bits - 1)
            {
                wake(marked[i * Long.SIZE + Long.numberOfTrailingZeros(bits)]);
            }
        }
    }

    private void wake(final Source source)
    {
        if (source != null && source.isResting())
        {
            // Watched first: from then on, whoever arms the queue tells this one's peer, too.
            watch(source);
            source.endRest();
        }
    }

    private void watch(final Source source)
    {
        looks[watchedCount] = 0;
        watched[watchedCount++] = source;
    }

    private void unwatch(final int place)
    {
        watchedCount--;
        watched[place] = watched[watchedCount];
        looks[place] = looks[watchedCount];
        watched[watchedCount] = null;
    }
}

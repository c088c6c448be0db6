package org.onesided.client.pool;

/**
 * How many sessions to lend at a time while more threads want one. At first as many as there are processors: more
 * threads amid operations would only take the processors from each other. Fewer where as many operations end with them,
 * as on a host where the server needs a processor, too. More where operations wait rather than work, as those of a
 * server far away do, and more of them end with more sessions. It tries both now and then, and keeps what helps.
 *
 * <p>Sessions that are lent for much longer than others are not counted, and where none comes back for a while there is
 * one more: threads that wait for a server that is stopped, or for a long value, keep nobody else waiting. For one
 * thread at a time.
 */
final class LendingBound
{
    /** If none came back for so long, there is one more. */
    static final long STALL_NS = 1_000_000L;
    /** How long is counted before anything is decided. */
    static final long WINDOW_NS = 16_000_000L;
    /** An operation that takes longer than this may have waited for something else than a processor. */
    private static final long WAITING_NS = 60_000L;
    private static final long FIRST_REST_NS = 50_000_000L;
    private static final long LONGEST_REST_NS = 2_000_000_000L;
    /** One that is lent so many times as long as the others is counted no more. */
    private static final int STUCK_FACTOR = 8;
    /** Of the rate that so many more would have if they were not in each other's way. */
    private static final double WANTED_GAIN = 0.5;
    /** Of the rate before, for fewer to be as good. */
    private static final double TAKEN_LOSS = 0.95;

    /** As many as there are processors. */
    private final int usual;
    private final int most;
    private int bound;
    private int places;
    private boolean isRunning;
    private long windowStartNs;
    private long windowStartCount;
    private long changedNs;
    private long changedCount;
    private double rate;
    /** The bound before the trial that goes on, or 0 for none. */
    private int boundBefore;
    private double rateBefore;
    private long restNs = FIRST_REST_NS;
    private long restedNs;
    private boolean isUpNext = true;

    /**
     * @param processors that there are.
     * @param most       sessions at a time.
     */
    LendingBound(final int processors, final int most)
    {
        this.most = most;
        usual = Math.max(1, Math.min(processors, most));
        bound = usual;
        places = usual;
    }

    /** How many there may be. */
    int places()
    {
        return places;
    }

    /** How many there are as a rule; fewer where those serve as many operations. */
    int usual()
    {
        return usual;
    }

    /** One that is lent for longer than this in nanoseconds is stuck, as far as is known. */
    long stuckAfterNs()
    {
        final double meanNs = rate == 0 ? 0 : bound / rate;
        return (long)Math.max(2 * STALL_NS, Math.min(STUCK_FACTOR * meanNs, WINDOW_NS * STUCK_FACTOR));
    }

    /**
     * Looks, while threads wait.
     *
     * @param returns how many sessions came back so far, while threads waited.
     * @param lent    sessions that are lent now.
     * @param stuck   of these, that are lent for longer than {@link #stuckAfterNs}.
     */
    void look(final long nowNs, final long returns, final int lent, final int stuck)
    {
        if (!isRunning)
        {
            isRunning = true;
            begin(nowNs, returns);
            restedNs = nowNs + restNs;
        }
        if (returns != changedCount)
        {
            changedCount = returns;
            changedNs = nowNs;
            places = Math.min(most, bound + stuck);
        }
        else if (nowNs - changedNs >= STALL_NS && lent >= places)
        {
            places = Math.min(most, lent + 1);
            changedNs = nowNs;
        }
        if (nowNs - windowStartNs >= WINDOW_NS)
        {
            rate = (double)(returns - windowStartCount) / (nowNs - windowStartNs);
            if (rate > 0)
            {
                decide(nowNs, lent - stuck);
                places = Math.min(most, bound + stuck);
            }
            begin(nowNs, returns);
        }
    }

    /** Nobody waits any more: what comes next is counted anew. */
    void pause()
    {
        isRunning = false;
        if (boundBefore != 0)
        {
            bound = boundBefore;
            boundBefore = 0;
        }
        places = bound;
    }

    private void begin(final long nowNs, final long returns)
    {
        windowStartNs = nowNs;
        windowStartCount = returns;
        changedNs = nowNs;
        changedCount = returns;
    }

    private void decide(final long nowNs, final int busy)
    {
        if (boundBefore != 0)
        {
            final double share = (double)bound / boundBefore;
            final boolean isBetter =
                rate >= rateBefore * (share > 1 ? 1 + WANTED_GAIN * (share - 1) : TAKEN_LOSS);
            if (!isBetter)
            {
                bound = boundBefore;
            }
            restNs = isBetter ? FIRST_REST_NS : Math.min(LONGEST_REST_NS, 2 * restNs);
            // What has helped may help more.
            restedNs = isBetter ? nowNs : nowNs + restNs;
            isUpNext ^= !isBetter;
            boundBefore = 0;
        }
        else if (bound > usual && busy < rate * WAITING_NS)
        {
            bound = usual;
        }
        else if (nowNs - restedNs >= 0)
        {
            final int highest = busy < rate * WAITING_NS ? usual : most;
            isUpNext = bound == 1 || isUpNext && bound < highest;
            boundBefore = bound;
            rateBefore = rate;
            bound = isUpNext ? Math.min(highest, bound + Math.max(1, bound / 2)) : Math.max(1, bound / 2);
            boundBefore = bound == boundBefore ? 0 : boundBefore;
        }
    }
}

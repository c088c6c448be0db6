package org.onesided.client.pool;

/**
 * How many sessions to lend at a time while more threads want one. At first as many as keep the processors busy: more
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
    /** If no session came back for so long, the bound grows by one. */
    static final long STALL_NS = 1_000_000L;
    /** Length of one measurement at least. */
    static final long WINDOW_NS = 16_000_000L;
    /** A measurement goes on until so many operations have ended: of few that wait for a disk, chance sets the rate. */
    private static final long LEAST_RETURNS = 64;
    private static final long LONGEST_WINDOW_NS = 256_000_000L;
    /** A longer operation may have waited for something other than a core. */
    private static final long WAITING_NS = 60_000L;
    private static final long FIRST_REST_NS = 50_000_000L;
    private static final long LONGEST_REST_NS = 2_000_000_000L;
    /** A session that is lent so many times longer than the others counts as stuck. */
    private static final int STUCK_FACTOR = 8;
    /** Required part of the ideal gain in rate for a higher bound. */
    private static final double WANTED_GAIN = 0.5;
    /** Required part of the former rate for a lower bound. */
    private static final double TAKEN_LOSS = 0.95;

    /** So many keep the processors busy. */
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
    /** The bound before the present trial, or 0 without a trial. */
    private int boundBefore;
    private double rateBefore;
    private long restNs = FIRST_REST_NS;
    private long restedNs;
    private boolean isUpNext = true;

    /**
     * @param busy so many sessions keep the processors busy.
     * @param most sessions at a time.
     */
    LendingBound(final int busy, final int most)
    {
        this.most = most;
        usual = Math.max(1, Math.min(busy, most));
        bound = usual;
        places = usual;
    }

    /** Maximum number of lent sessions. */
    int places()
    {
        return places;
    }

    /** Usual number of lent sessions; fewer if they serve as many operations. */
    int usual()
    {
        return usual;
    }

    /** A session that is lent for longer, in nanoseconds, counts as stuck. */
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
        final long windowNs = nowNs - windowStartNs;
        final long ended = returns - windowStartCount;
        if (windowNs >= (ended < LEAST_RETURNS ? LONGEST_WINDOW_NS : WINDOW_NS))
        {
            rate = (double)ended / windowNs;
            if (rate > 0)
            {
                decide(nowNs, lent - stuck);
                places = Math.min(most, bound + stuck);
            }
            begin(nowNs, returns);
        }
    }

    /** Nobody waits any more: the next measurement starts from zero. */
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
            // A higher bound has helped, so another step may help, too.
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

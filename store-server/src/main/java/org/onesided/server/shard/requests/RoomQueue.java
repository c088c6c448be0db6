package org.onesided.server.shard.requests;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.table.ShardTable;

/**
 * The puts of all sessions that wait until the heap has a run of free granules for them, in order of arrival. In each
 * round the table makes room, by a bounded amount, for the first put that can get it; then all puts that fit are
 * retried. A put that has waited too long is refused. Belongs to the shard's thread.
 */
public final class RoomQueue
{
    /** Granules that may be copied, hashed or zeroed between two looks at the clock: some 5 microseconds. */
    private static final long SLICE = 1 << 10;
    /** How long a round makes room while requests come: each of them may have to wait for so long. */
    private static final long BUSY_NS = TimeUnit.MICROSECONDS.toNanos(20);
    /** The same when none has come for {@link #QUIET_NS}. */
    private static final long QUIET_ROUND_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MIN_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ShardTable table;
    private final ShardCounters counters;
    private final long waitNs;
    private final NanoClock clock;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    /** Puts of the present pass, and puts that arrive during it. */
    private final ArrayDeque<Waiter> pass = new ArrayDeque<>();
    private final ArrayDeque<Waiter> arrived = new ArrayDeque<>();
    private boolean isPassing;
    /** Free objects. */
    private final ArrayDeque<Waiter> idle = new ArrayDeque<>();
    /** When a round with waiting puts has served requests last. */
    private long busyNs;

    /**
     * @param table    in which room is made.
     * @param counters of the shard.
     * @param waitNs   how long a put may wait, in nanoseconds.
     * @param clock    that tells when requests arrived.
     */
    public RoomQueue(final ShardTable table, final ShardCounters counters, final long waitNs, final NanoClock clock)
    {
        this.table = table;
        this.counters = counters;
        this.waitNs = waitNs;
        this.clock = clock;
        busyNs = clock.nanoTime();
    }

    /**
     * Lets a put wait.
     *
     * @param owner   that tries it again.
     * @param request of the put, which stays as it is, and was just tried.
     */
    void add(final RoomOwner owner, final Request request)
    {
        final Waiter unused = idle.poll();
        (isPassing ? arrived : waiters).add(
            (unused == null ? new Waiter() : unused).begin(owner, request, owner.neededLength(request)));
        counters.increment(ShardCounters.ROOM_WAITS);
        counters.add(ShardCounters.WAITING_FOR_ROOM, 1);
    }

    /** Drops the puts of an owner without retrying them. */
    void remove(final RoomOwner owner)
    {
        for (final Iterator<Waiter> all = waiters.iterator(); all.hasNext(); )
        {
            final Waiter waiter = all.next();
            if (waiter.owner == owner)
            {
                all.remove();
                end(waiter);
            }
        }
    }

    /**
     * Goes on making room, for a bounded time.
     *
     * @param isBusy whether the round has served requests.
     * @param isHeld whether room is made for something else, which comes first.
     * @return how much was done; 0 if nothing waits, or nothing can be done for what waits.
     */
    public int step(final boolean isBusy, final boolean isHeld)
    {
        if (waiters.isEmpty())
        {
            // The clock is not read: rounds without waiting puts are the usual ones.
            return !isHeld && table.makeRoom(0, SLICE) > 0 ? 1 : 0;
        }
        final long beginNs = clock.nanoTime();
        busyNs = isBusy ? beginNs : busyNs;
        final long limitNs = beginNs - busyNs < QUIET_NS ? BUSY_NS : QUIET_ROUND_NS;
        final int done = retryAll(beginNs);
        if (isHeld || makeRoom(SLICE) == 0)
        {
            return done;
        }
        long nowNs = clock.nanoTime();
        while (nowNs - beginNs < limitNs)
        {
            if (makeRoom(SLICE) == 0)
            {
                // What was made is for those that waited, and not for requests of the next round.
                retryAll(nowNs);
                return 1;
            }
            nowNs = clock.nanoTime();
        }
        return 1;
    }

    /** Makes room for the first put that can get it. */
    private long makeRoom(final long budget)
    {
        long shortest = Long.MAX_VALUE;
        long spent = 0;
        for (final Iterator<Waiter> all = waiters.iterator(); spent == 0 && all.hasNext(); )
        {
            final Waiter waiter = all.next();
            if (waiter.needsRoom && waiter.length < shortest)
            {
                shortest = waiter.length;
                spent = table.makeRoom(waiter.length, budget);
            }
        }
        return spent;
    }

    /**
     * Tries all again for which there may be room: not those that are no shorter than another that has none in the
     * heap, but before one is refused it is tried in any case. If the value to append to got shorter meanwhile, the
     * append may so wait for longer than it had to.
     */
    private int retryAll(final long nowNs)
    {
        long shortest = Long.MAX_VALUE;
        int count = 0;
        pass.addAll(waiters);
        waiters.clear();
        isPassing = true;
        for (Waiter waiter = pass.poll(); waiter != null; waiter = pass.poll())
        {
            final boolean isOver = nowNs - waiter.request.arrivedNs() > waitNs;
            final boolean isTried = isOver || waiter.length < shortest;
            final RoomOwner.Outcome outcome = isTried ? retry(waiter) : RoomOwner.Outcome.NO_ROOM;
            if (outcome == RoomOwner.Outcome.DONE || isOver && giveUp(waiter))
            {
                end(waiter);
                count++;
            }
            else
            {
                waiter.needsRoom = outcome == RoomOwner.Outcome.NO_ROOM;
                waiter.length = isTried && waiter.needsRoom ? waiter.owner.neededLength(waiter.request) : waiter.length;
                shortest = waiter.needsRoom ? Math.min(shortest, waiter.length) : shortest;
                waiters.add(waiter);
            }
        }
        isPassing = false;
        waiters.addAll(arrived);
        arrived.clear();
        return count;
    }

    private static RoomOwner.Outcome retry(final Waiter waiter)
    {
        try
        {
            return waiter.owner.retry(waiter.request);
        }
        catch (final RuntimeException e)
        {
            waiter.owner.onError(e);
            return RoomOwner.Outcome.NOT_NOW;
        }
    }

    private static boolean giveUp(final Waiter waiter)
    {
        try
        {
            return waiter.owner.giveUp(waiter.request);
        }
        catch (final RuntimeException e)
        {
            waiter.owner.onError(e);
            return false;
        }
    }

    /**
     * @return how long the agent may sleep, in nanoseconds, so that no wait ends late: at least a millisecond, as a put
     *         whose wait is over stays while its session cannot be answered.
     */
    public long sleepNs()
    {
        if (waiters.isEmpty())
        {
            // Called each time that a shard falls asleep, so it must not allocate.
            return Long.MAX_VALUE;
        }
        final long nowNs = clock.nanoTime();
        long left = Long.MAX_VALUE;
        for (final Waiter waiter : waiters)
        {
            left = Math.min(left, waitNs - (nowNs - waiter.request.arrivedNs()));
        }
        return Math.max(MIN_SLEEP_NS, left);
    }

    private void end(final Waiter waiter)
    {
        waiter.begin(null, null, 0);
        idle.add(waiter);
        counters.add(ShardCounters.WAITING_FOR_ROOM, -1);
    }

    private static final class Waiter
    {
        private RoomOwner owner;
        private Request request;
        private long length;
        /** Whether the put still waits for room in the heap. */
        private boolean needsRoom;

        Waiter begin(final RoomOwner newOwner, final Request newRequest, final long newLength)
        {
            owner = newOwner;
            request = newRequest;
            length = newLength;
            needsRoom = true;
            return this;
        }
    }
}

package org.onesided.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.onesided.client.Carriers.Carrier;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.callback.BlockedCallback;
import org.onesided.client.callback.Callbacks;
import org.onesided.client.session.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a thread that a callback keeps, at most {@value #MAX_REPLACED} at a time, and else ends the operations whose
 * deadline passes meanwhile. The life line's thread calls it; a call takes no longer than starting threads does.
 */
final class CarrierWatch implements Watched
{
    private static final Logger LOGGER = LoggerFactory.getLogger(CarrierWatch.class);
    /** A thread whose callback has waited for so long is replaced. */
    private static final long BLOCKED_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** The same for a callback that seems to run: its thread may only lack a core. */
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** The watch goes on for so long after the last callback. */
    private static final long WATCH_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_REPLACED = 4;

    private final AsyncThreads threads;
    private final Carriers carriers;
    private final ReentrantLock turn;
    private final AsyncWork work;
    private final Callbacks callbacks;
    private final BlockedCallback blocked;
    private final BooleanSupplier isClosed;
    /** The operation that was being told the last time, and since when. */
    private AsyncOperation seen;
    private long seenNs;
    private long activeNs;

    /**
     * @param turn     held by the thread that carries operations out, but not while it tells their ends.
     * @param isClosed whether the operations are being ended for good.
     */
    CarrierWatch(
        final AsyncThreads threads,
        final Carriers carriers,
        final ReentrantLock turn,
        final AsyncWork work,
        final Callbacks callbacks,
        final BlockedCallback blocked,
        final BooleanSupplier isClosed)
    {
        this.threads = threads;
        this.carriers = carriers;
        this.turn = turn;
        this.work = work;
        this.callbacks = callbacks;
        this.blocked = blocked;
        this.isClosed = isClosed;
    }

    @Override
    public boolean look(final long nowNs)
    {
        final Carrier now = carriers.inOffice();
        final AsyncOperation telling = now == null ? null : now.telling();
        if (telling != null)
        {
            activeNs = nowNs;
            if (telling != seen)
            {
                seen = telling;
                seenNs = nowNs;
            }
            else if (nowNs - seenNs >= BLOCKED_NS)
            {
                replace(now, telling, nowNs);
            }
        }
        else
        {
            seen = null;
        }
        if (callbacks.tellLate())
        {
            activeNs = nowNs;
        }
        return threads.look(nowNs) || nowNs - activeNs < WATCH_NS;
    }

    private void replace(final Carrier now, final AsyncOperation telling, final long nowNs)
    {
        if (!turn.tryLock())
        {
            return;
        }
        try
        {
            if (!now.isInOffice() || now.telling() != telling || isClosed.getAsBoolean())
            {
                return;
            }
            final boolean isBusy = now.thread().getState() == Thread.State.RUNNABLE;
            if (carriers.replacedCount() < MAX_REPLACED && (!isBusy || nowNs - seenNs >= BUSY_NS))
            {
                carriers.replace(now);
                blocked.warn(now.thread(), telling, nowNs - seenNs);
            }
            else
            {
                expire();
            }
        }
        catch (final OutOfMemoryError e)
        {
            LOGGER.error("no thread can be started in place of one that a callback keeps", e);
            expire();
        }
        finally
        {
            turn.unlock();
        }
    }

    /** Ends late operations, in the turn. Other threads tell their ends, because callbacks may block. */
    private void expire()
    {
        work.expire();
        callbacks.takeLate(work.ended());
    }
}

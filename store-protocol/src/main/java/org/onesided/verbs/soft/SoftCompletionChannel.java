package org.onesided.verbs.soft;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.UseCount;
import org.onesided.waiting.LostWakeUps;

/**
 * Events of completion queues. While a thread waits here, it makes progress for their queue pairs; it sleeps as the
 * device can, until the device or a peer rings.
 */
public abstract class SoftCompletionChannel implements CompletionChannel, Owned
{
    /**
     * Shorter sleeps are those of deadlines. Their end meets now and then a peer that was stopped, or taken from its
     * core, just before it rings.
     */
    private static final long CAP_NS = 500_000_000;

    /**
     * A completion queue as its channel knows it.
     */
    interface Member extends CompletionQueue
    {
        /**
         * Tells the peers of all queue pairs what to wake this side for.
         */
        void publishArmed();

        /**
         * Makes progress for all queue pairs that complete there.
         *
         * @param isNeeded even if they have just made some, as the queue was armed.
         */
        void progress(boolean isNeeded);

        /**
         * @return nanoseconds until the next retry.
         */
        long deadlineNs(long nowNs);

        /**
         * @return events taken and not acknowledged; guarded by the channel.
         */
        int unacknowledgedEvents();

        /**
         * @param count of events taken and not acknowledged; guarded by the channel.
         */
        void unacknowledgedEvents(int count);
    }

    private final Context context;
    private final UseCount contextUses;
    private final UseCount uses = new UseCount("destroy_comp_channel", "the completion channel");
    private final ArrayDeque<Member> events = new ArrayDeque<>();
    private volatile Member[] completionQueues = {};
    private volatile boolean wakeUp;
    private volatile int waiting;
    /** Another channel whose sleeper to wake, too, or null. */
    private volatile CompletionChannel alsoWoken;

    /**
     * @param context     it belongs to.
     * @param contextUses counts what was made from the context; one use of this is acquired already.
     */
    protected SoftCompletionChannel(final Context context, final UseCount contextUses)
    {
        this.context = context;
        this.contextUses = contextUses;
    }

    @Override
    public final Context context()
    {
        return context;
    }

    @Override
    public final CompletionQueue awaitEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        boolean isOver = false;
        while (true)
        {
            final boolean wasRung = clearRing();
            makeProgress(wasRung || timeoutNs <= 0);
            final CompletionQueue completionQueue = takeEvent();
            if (completionQueue != null)
            {
                if (isOver && !wasRung && !awaitRing())
                {
                    LostWakeUps.add();
                }
                if (hasEvent())
                {
                    ringIfAwaited();
                }
                return completionQueue;
            }
            if (takeWakeUp() || uses.isClosed())
            {
                return null;
            }
            final long nowNs = System.nanoTime();
            final long leftNs = timeoutNs - (nowNs - startNs);
            if (leftNs <= 0)
            {
                return null;
            }
            enterWait();
            try
            {
                if (!hasEvent() && !wakeUp)
                {
                    final long deadlineNs = deadlineNs(nowNs);
                    sleep(Math.min(leftNs, deadlineNs));
                    // A thread that raises an event from here on sees this waiter and rings.
                    isOver = timeoutNs >= CAP_NS && leftNs < deadlineNs && System.nanoTime() - nowNs >= leftNs &&
                        (!progressesByItself() || hasEvent());
                }
            }
            finally
            {
                leaveWait();
            }
        }
    }

    @Override
    public final void wakeUp()
    {
        wakeUp = true;
        ring();
    }

    @Override
    public final boolean wake(final CompletionChannel other)
    {
        if (!progressesByItself())
        {
            return false;
        }
        alsoWoken = other;
        return true;
    }

    @Override
    public final void close()
    {
        if (uses.close())
        {
            release();
            contextUses.release();
        }
    }

    /**
     * Rings if a thread waits: something may have to be done for a queue pair.
     */
    public final void ringIfAwaited()
    {
        UnsafeApi.fullFence();
        if (waiting > 0)
        {
            ring();
        }
    }

    /**
     * @return whether the device makes progress without polling or waiting threads, so that events arise by themselves.
     */
    protected boolean progressesByItself()
    {
        return false;
    }

    /**
     * Makes {@link #sleep} return, now or when it is called next.
     */
    protected abstract void ring();

    /**
     * Resets the bell.
     *
     * @return whether a thread had rung, or something else had woken the last sleeper.
     */
    protected abstract boolean clearRing();

    /**
     * Sleeps until a thread rings the bell.
     *
     * @param timeoutNs for how long at most, in nanoseconds, from 1.
     */
    protected abstract void sleep(long timeoutNs);

    /**
     * Makes {@link #awaitEvent} return, called within {@link #sleep}: what woke it is not this device's.
     */
    protected final void endWait()
    {
        wakeUp = true;
    }

    /**
     * Releases what the device holds for the channel.
     */
    protected abstract void release();

    UseCount uses()
    {
        return uses;
    }

    synchronized void add(final Member completionQueue)
    {
        final List<Member> all = new ArrayList<>(List.of(completionQueues));
        all.add(completionQueue);
        completionQueues = all.toArray(Member[]::new);
    }

    synchronized void remove(final Member completionQueue)
    {
        final List<Member> all = new ArrayList<>(List.of(completionQueues));
        all.remove(completionQueue);
        completionQueues = all.toArray(Member[]::new);
        events.removeIf((event) -> event == completionQueue);
    }

    void raise(final Member completionQueue)
    {
        synchronized (this)
        {
            events.add(completionQueue);
        }
        ringIfAwaited();
        final CompletionChannel other = alsoWoken;
        if (other != null)
        {
            other.wakeUp();
        }
    }

    synchronized void acknowledge(final Member completionQueue, final int count)
    {
        completionQueue.unacknowledgedEvents(Math.max(0, completionQueue.unacknowledgedEvents() - count));
    }

    synchronized boolean hasUnacknowledged(final Member completionQueue)
    {
        return completionQueue.unacknowledgedEvents() > 0;
    }

    private boolean awaitRing()
    {
        enterWait();
        try
        {
            sleep(LostWakeUps.GRACE_NS);
        }
        finally
        {
            leaveWait();
        }
        return clearRing();
    }

    private synchronized Member takeEvent()
    {
        final Member completionQueue = events.poll();
        if (completionQueue != null)
        {
            completionQueue.unacknowledgedEvents(completionQueue.unacknowledgedEvents() + 1);
        }
        return completionQueue;
    }

    private synchronized boolean hasEvent()
    {
        return !events.isEmpty();
    }

    private synchronized boolean takeWakeUp()
    {
        if (!wakeUp)
        {
            // A flag that is set from now on must not be cleared.
            return false;
        }
        wakeUp = false;
        return true;
    }

    private synchronized void enterWait()
    {
        waiting++;
    }

    private synchronized void leaveWait()
    {
        waiting--;
    }

    private void makeProgress(final boolean isNeeded)
    {
        for (final Member completionQueue : completionQueues)
        {
            completionQueue.publishArmed();
            completionQueue.progress(isNeeded);
        }
    }

    private long deadlineNs(final long nowNs)
    {
        long left = Timers.FOR_EVER_NS;
        for (final Member completionQueue : completionQueues)
        {
            left = Math.min(left, completionQueue.deadlineNs(nowNs));
        }
        return left;
    }
}

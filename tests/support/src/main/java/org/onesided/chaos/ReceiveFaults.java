package org.onesided.chaos;

import java.util.ArrayDeque;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReceiveRequestDescriptor;

/**
 * Receives of a queue pair that are posted late, and messages that arrive late. Guarded by the queue pair.
 */
final class ReceiveFaults
{
    private static final int ARRIVALS = 1;
    private static final int POSTS = 2;

    /** A message that waits. */
    private record Held(Completion completion, boolean isLast, long notBeforeNs)
    {
    }

    private final ChaosContext context;
    private final FaultPlan plan;
    private final long object;
    private final QueuePair wrapped;
    private final ArrayDeque<HeldReceive> unposted = new ArrayDeque<>();
    private final ArrayDeque<Held> arrived = new ArrayDeque<>();
    private long posts;
    private long arrivals;
    private int outstanding;

    /**
     * @param context of the queue pair.
     * @param object  its number for decisions.
     * @param wrapped the wrapped queue pair.
     */
    ReceiveFaults(final ChaosContext context, final long object, final QueuePair wrapped)
    {
        this.context = context;
        this.object = object;
        this.wrapped = wrapped;
        plan = context.plan();
    }

    int post(final long workRequest, final long badWorkRequest)
    {
        if (plan.rnr() == 0 || wrapped.initAttributes().sharedReceives() != null)
        {
            return wrapped.postReceive(workRequest, badWorkRequest);
        }
        for (long request = workRequest; request != 0;
            request = UnsafeApi.getLong(request + ReceiveRequestDescriptor.NEXT_OFFSET))
        {
            final int errno = postOne(request);
            if (errno != 0)
            {
                UnsafeApi.putLong(badWorkRequest, request);
                return errno;
            }
        }
        return 0;
    }

    /** Posts what is due; in ERR all, to be flushed. */
    boolean postDue(final long nowNs)
    {
        if (unposted.isEmpty())
        {
            return true;
        }
        final boolean isFailed = wrapped.state() == QueuePairState.ERR;
        while (!unposted.isEmpty() && (isFailed || unposted.peek().notBeforeNs() <= nowNs))
        {
            if (unposted.remove().post(wrapped) != 0)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * A receive of the wrapped device completed.
     *
     * @param completion of it.
     */
    void arrived(final Completion completion)
    {
        outstanding--;
        long notBeforeNs = 0;
        boolean isLast = false;
        if (!completion.hasFailed())
        {
            final Dice dice = new Dice(plan.seed(), object, ARRIVALS, arrivals++);
            final int slowUs = SendFate.pauseUs(dice, plan.slow(), plan.slowUs());
            isLast = dice.oneIn(plan.lose());
            if (context.faults().isHeard())
            {
                context.faults().tell("qp=" + object + " arrival=" + (arrivals - 1) + " slowUs=" + slowUs +
                    " lost=" + isLast);
            }
            if (slowUs > 0)
            {
                context.faults().add(Faults.Kind.SLOW);
                notBeforeNs = System.nanoTime() + slowUs * 1000L;
            }
            if (isLast)
            {
                context.faults().add(Faults.Kind.LOSE);
            }
        }
        arrived.add(new Held(completion, isLast, notBeforeNs));
    }

    /**
     * Hands on what has waited long enough.
     *
     * @return false if the queue pair is lost by that.
     */
    boolean deliverDue(final long nowNs, final ChaosCompletionQueue queue)
    {
        while (!arrived.isEmpty() && (arrived.peek().notBeforeNs == 0 || arrived.peek().notBeforeNs <= nowNs))
        {
            final Held held = arrived.remove();
            // Whether its sender asked to wake this side was told when it came, if it waited.
            if (!queue.add(held.completion, held.notBeforeNs != 0) || held.isLast)
            {
                return false;
            }
        }
        return true;
    }

    long dueInNs(final long nowNs)
    {
        long dueNs = Long.MAX_VALUE;
        if (!unposted.isEmpty())
        {
            dueNs = unposted.peek().notBeforeNs() - nowNs;
        }
        if (!arrived.isEmpty())
        {
            dueNs = Math.min(dueNs, arrived.peek().notBeforeNs - nowNs);
        }
        return dueNs;
    }

    void clear()
    {
        unposted.clear();
        arrived.clear();
        outstanding = 0;
    }

    private int postOne(final long request)
    {
        final int count = UnsafeApi.getInt(request + ReceiveRequestDescriptor.ELEMENT_COUNT_OFFSET);
        if (count < 0 || count > wrapped.initAttributes().maxReceiveElements() ||
            wrapped.state() == QueuePairState.RESET)
        {
            return Errno.EINVAL;
        }
        if (outstanding >= wrapped.initAttributes().maxReceives())
        {
            return Errno.ENOMEM;
        }
        final Dice dice = new Dice(plan.seed(), object, POSTS, posts);
        final int lateUs = SendFate.pauseUs(dice, plan.rnr(), plan.stallUs());
        if (lateUs > 0 || !unposted.isEmpty())
        {
            unposted.add(HeldReceive.of(request, lateUs == 0 ? 0 : System.nanoTime() + lateUs * 1000L));
        }
        else
        {
            final int errno = HeldReceive.of(request, 0).post(wrapped);
            if (errno != 0)
            {
                return errno;
            }
        }
        if (lateUs > 0)
        {
            context.faults().add(Faults.Kind.RNR);
        }
        if (context.faults().isHeard())
        {
            context.faults().tell("qp=" + object + " receive=" + posts + " lateUs=" + lateUs);
        }
        posts++;
        outstanding++;
        return 0;
    }
}

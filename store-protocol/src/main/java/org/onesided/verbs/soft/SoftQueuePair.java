package org.onesided.verbs.soft;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.VerbsException;

/**
 * A queue pair: the verbs on its {@link WorkQueues}.
 */
public abstract class SoftQueuePair extends WorkQueues implements QueuePair
{
    /**
     * @param context          it belongs to.
     * @param protectionDomain it belongs to.
     * @param initAttributes   checked ones, as granted.
     * @param number           its number.
     */
    protected SoftQueuePair(
        final SoftContext context,
        final SoftProtectionDomain protectionDomain,
        final QueuePairInitAttributes initAttributes,
        final int number)
    {
        super(context, protectionDomain, initAttributes, number);
    }

    @Override
    public final void modify(final QueuePairAttributes values, final int mask)
    {
        Runnable leftOver = null;
        QueuePairState to = null;
        lock.acquire();
        try
        {
            checkOpen("modify_qp");
            makeProgress();
            final QueuePairState from = state;
            to = (mask & AttributeMask.STATE) != 0 ? values.state() : from;
            Transitions.check(from, to, mask);
            AttributeRanges.check(values, mask, context.queryDevice());
            if ((mask & AttributeMask.CUR_STATE) != 0 && values.currentState() != from)
            {
                throw new VerbsException("modify_qp", Errno.EINVAL,
                    "the queue pair is in another state: state=" + from + " cur_qp_state=" + values.currentState());
            }
            leftOver = change(from, to, values, mask);
        }
        finally
        {
            lock.release();
        }
        if (to == QueuePairState.RESET)
        {
            sendCompletions.drop(this);
            receiveCompletions.drop(this);
        }
        release(leftOver);
    }

    @Override
    public final QueuePairAttributes query()
    {
        lock.acquire();
        try
        {
            checkOpen("query_qp");
            makeProgress();
            final QueuePairAttributes copy = new QueuePairAttributes().state(state).currentState(state);
            AttributeRanges.copy(attributes, copy, -1);
            return copy;
        }
        finally
        {
            lock.release();
        }
    }

    @Override
    public final QueuePairState state()
    {
        lock.acquire();
        try
        {
            makeProgress();
            return state;
        }
        finally
        {
            lock.release();
        }
    }

    @Override
    public final int postSend(final long workRequest, final long badWorkRequest)
    {
        lock.acquire();
        try
        {
            if (closed || state.ordinal() < QueuePairState.RTS.ordinal())
            {
                UnsafeApi.putLong(badWorkRequest, workRequest);
                return Errno.EINVAL;
            }
            if (hasArrivedBeforePosting())
            {
                makeProgress();
            }
            if (UnsafeApi.getLong(workRequest + NEXT_OFFSET) != 0)
            {
                tryFetchAhead(workRequest);
            }
            int errno = 0;
            for (long request = workRequest; request != 0; request = UnsafeApi.getLong(request + NEXT_OFFSET))
            {
                errno = sends.isFull() ? Errno.ENOMEM : RequestChecks.send(request, initAttributes);
                errno = errno == 0 ? check(request) : errno;
                if (errno != 0)
                {
                    UnsafeApi.putLong(badWorkRequest, request);
                    break;
                }
                if (!runAtOnce(request))
                {
                    sends.add(request);
                }
            }
            run();
            posted();
            return errno;
        }
        finally
        {
            lock.release();
        }
    }

    @Override
    public final int postReceive(final long workRequest, final long badWorkRequest)
    {
        lock.acquire();
        try
        {
            int errno = closed || sharedReceives != null || state == QueuePairState.RESET ? Errno.EINVAL : 0;
            long request = workRequest;
            while (errno == 0 && request != 0)
            {
                errno = receives.isFull() ? Errno.ENOMEM :
                    RequestChecks.receive(request, initAttributes.maxReceiveElements());
                if (errno == 0)
                {
                    receives.add(request);
                    request = UnsafeApi.getLong(request + ReceiveRequestDescriptor.NEXT_OFFSET);
                }
            }
            if (errno != 0)
            {
                UnsafeApi.putLong(badWorkRequest, request);
            }
            if (state == QueuePairState.ERR)
            {
                flush();
            }
            else if (state != QueuePairState.RESET && !closed)
            {
                receivesPosted();
            }
            return errno;
        }
        finally
        {
            lock.release();
        }
    }

    @Override
    public final void close()
    {
        lock.acquire();
        final Runnable leftOver;
        try
        {
            if (closed)
            {
                return;
            }
            closed = true;
            blocked = false;
            leftOver = detach(false);
        }
        finally
        {
            lock.release();
        }
        sendCompletions.drop(this);
        sendCompletions.remove(this);
        receiveCompletions.drop(this);
        if (receiveCompletions != sendCompletions)
        {
            receiveCompletions.remove(this);
        }
        release(leftOver);
        sends.close();
        if (sharedReceives == null)
        {
            receives.close();
        }
        else
        {
            sharedReceives.uses().release();
        }
        context.remove(this);
        protectionDomain.uses().release();
    }

    /**
     * Runs the queues if there is something to do. For a thread that holds a completion queue's polling lock.
     */
    final void progress()
    {
        if (blocked || hasArrived() || sendCompletions.isBroken() || receiveCompletions.isBroken())
        {
            progressNow();
        }
    }

    /**
     * Runs the queues: takes in what came, completes what is done, and goes on with what waits. For any thread that
     * does not hold the lock.
     */
    protected final void progressNow()
    {
        lock.acquire();
        try
        {
            makeProgress();
        }
        finally
        {
            lock.release();
        }
    }

    final void refreshArmed()
    {
        lock.acquire();
        try
        {
            if (!closed)
            {
                publishWakeUps(wantedWakeUps());
            }
        }
        finally
        {
            lock.release();
        }
    }

    final void quiesce()
    {
        lock.acquire();
        lock.release();
    }

    private Runnable change(
        final QueuePairState from, final QueuePairState to, final QueuePairAttributes values, final int mask)
    {
        if (to == QueuePairState.ERR)
        {
            fail(null);
            return null;
        }
        if (to == QueuePairState.RESET)
        {
            final Runnable leftOver = detach(true);
            attributes = new QueuePairAttributes();
            sends.clear();
            if (sharedReceives == null)
            {
                receives.clear();
            }
            patience.end();
            blocked = false;
            state = to;
            publish();
            return leftOver;
        }
        final Runnable leftOver = from == QueuePairState.INIT && to == QueuePairState.RTR ? connect(values) : null;
        AttributeRanges.copy(values, attributes, mask);
        if (to == QueuePairState.RTR || to == QueuePairState.INIT)
        {
            receivesPosted();
        }
        // Before the peer may send, it must know whether to wake somebody who sleeps already.
        publishWakeUps(wantedWakeUps());
        state = to;
        publish();
        return leftOver;
    }

    private int wantedWakeUps()
    {
        final int armed = receiveCompletions.armed();
        final int receive = armed == SoftCompletionQueue.ARMED_ANY ? WAKE_RECEIVE :
            armed == SoftCompletionQueue.ARMED_SOLICITED ? WAKE_SOLICITED : 0;
        return receive | (blocked ? WAKE_SEND : 0);
    }

    /**
     * The same, for a thread that holds the lock.
     */
    protected final void makeProgress()
    {
        if (closed || state == QueuePairState.RESET)
        {
            return;
        }
        if (state != QueuePairState.ERR)
        {
            receive();
            if (sendCompletions.isBroken() || receiveCompletions.isBroken())
            {
                fail(null);
            }
        }
        run();
        posted();
    }

    private void release(final Runnable leftOver)
    {
        if (leftOver != null)
        {
            sendCompletions.quiesce();
            receiveCompletions.quiesce();
            leftOver.run();
        }
    }

    private void checkOpen(final String verb)
    {
        if (closed)
        {
            throw new VerbsException(verb, Errno.EINVAL, "the queue pair is closed: qp_num=" + number);
        }
    }
}

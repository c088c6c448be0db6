package org.onesided.verbs.soft;

import java.util.function.Consumer;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

/**
 * A queue pair: the verbs on its {@link WorkQueues}.
 */
final class SoftQueuePair implements QueuePair
{
    private final DeviceAttributes limits;
    private final Consumer<WorkQueues> onClosed;
    private final WorkQueues queues;
    private final SoftCompletionQueue sendCompletions;
    private final SoftCompletionQueue receiveCompletions;

    /**
     * @param queues   its own.
     * @param limits   of the device.
     * @param onClosed is called when the queue pair is closed.
     */
    SoftQueuePair(final WorkQueues queues, final DeviceAttributes limits, final Consumer<WorkQueues> onClosed)
    {
        this.limits = limits;
        this.onClosed = onClosed;
        this.queues = queues;
        sendCompletions = queues.sendCompletions();
        receiveCompletions = queues.receiveCompletions();
    }

    @Override
    public int number()
    {
        return queues.number();
    }

    @Override
    public QueuePairInitAttributes initAttributes()
    {
        return queues.initAttributes();
    }

    @Override
    public byte[] deviceBytes()
    {
        return queues.transport().deviceBytes();
    }

    @Override
    public String failureReason()
    {
        return queues.transport().failureReason();
    }

    @Override
    public void modify(final QueuePairAttributes values, final int mask)
    {
        Runnable leftOver = null;
        QueuePairState to = null;
        queues.lock().acquire();
        try
        {
            checkOpen("modify_qp");
            queues.makeProgress();
            final QueuePairState from = queues.state();
            to = (mask & AttributeMask.STATE) != 0 ? values.state() : from;
            Transitions.check(from, to, mask);
            AttributeRanges.check(values, mask, limits);
            if ((mask & AttributeMask.CUR_STATE) != 0 && values.currentState() != from)
            {
                throw new VerbsException("modify_qp", Errno.EINVAL,
                    "the queue pair is in another state: state=" + from + " cur_qp_state=" + values.currentState());
            }
            leftOver = change(to, values, mask);
        }
        finally
        {
            queues.lock().release();
        }
        if (to == QueuePairState.RESET)
        {
            dropCompletions();
        }
        release(leftOver);
    }

    @Override
    public QueuePairAttributes query()
    {
        queues.lock().acquire();
        try
        {
            checkOpen("query_qp");
            queues.makeProgress();
            final QueuePairState state = queues.state();
            final QueuePairAttributes copy = new QueuePairAttributes().state(state).currentState(state);
            AttributeRanges.copy(queues.attributes(), copy, -1);
            return copy;
        }
        finally
        {
            queues.lock().release();
        }
    }

    @Override
    public QueuePairState state()
    {
        queues.lock().acquire();
        try
        {
            queues.makeProgress();
            return queues.state();
        }
        finally
        {
            queues.lock().release();
        }
    }

    @Override
    public int postSend(final long workRequest, final long badWorkRequest)
    {
        return queues.postSend(workRequest, badWorkRequest);
    }

    @Override
    public int postReceive(final long workRequest, final long badWorkRequest)
    {
        return queues.postReceive(workRequest, badWorkRequest);
    }

    @Override
    public void close()
    {
        queues.lock().acquire();
        final Runnable leftOver;
        try
        {
            if (queues.isClosed())
            {
                return;
            }
            queues.end();
            leftOver = queues.transport().detach(false);
        }
        finally
        {
            queues.lock().release();
        }
        dropCompletions();
        sendCompletions.remove(queues);
        if (receiveCompletions != sendCompletions)
        {
            receiveCompletions.remove(queues);
        }
        release(leftOver);
        queues.freeMemory();
        if (queues.sharedReceives() != null)
        {
            queues.sharedReceives().uses().release();
        }
        onClosed.accept(queues);
        queues.protectionDomain().uses().release();
    }

    private Runnable change(final QueuePairState to, final QueuePairAttributes values, final int mask)
    {
        if (to == QueuePairState.ERR)
        {
            queues.fail(null);
            return null;
        }
        if (to == QueuePairState.RESET)
        {
            final Runnable leftOver = queues.transport().detach(true);
            queues.clear();
            queues.enter(to);
            return leftOver;
        }
        final Transport transport = queues.transport();
        final Runnable leftOver =
            queues.state() == QueuePairState.INIT && to == QueuePairState.RTR ? transport.connect(values) : null;
        AttributeRanges.copy(values, queues.attributes(), mask);
        if (to == QueuePairState.RTR || to == QueuePairState.INIT)
        {
            transport.receivesPosted();
        }
        // Before the peer may send, it must know whether to wake a sleeping thread.
        queues.publishWakeUps();
        queues.enter(to);
        return leftOver;
    }

    private void dropCompletions()
    {
        sendCompletions.drop(queues.sends());
        receiveCompletions.drop(queues.sends());
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
        if (queues.isClosed())
        {
            throw new VerbsException(verb, Errno.EINVAL, "the queue pair is closed: qp_num=" + queues.number());
        }
    }
}

package org.onesided.chaos;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;

/**
 * A queue pair over one of the wrapped device. Thread-safe.
 */
final class ChaosQueuePair implements QueuePair
{
    /** Parts of READs that the wrapped queue has room for, beside whole requests. */
    private static final int MORE_ROOM = 16;

    private final ChaosCompletionQueue sendQueue;
    private final ChaosCompletionQueue receiveQueue;
    private final QueuePair wrapped;
    private final QueuePairInitAttributes granted;
    private final SendFaults sends;
    private final ReceiveFaults receives;
    private boolean isClosed;

    private ChaosQueuePair(
        final ChaosContext context,
        final ChaosCompletionQueue sendQueue,
        final ChaosCompletionQueue receiveQueue,
        final QueuePair wrapped,
        final QueuePairInitAttributes asked)
    {
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.wrapped = wrapped;
        final QueuePairInitAttributes of = wrapped.initAttributes();
        granted = new QueuePairInitAttributes(
            of.type(),
            sendQueue,
            receiveQueue,
            of.sharedReceives(),
            Math.max(1, asked.maxSends()),
            of.maxReceives(),
            of.maxSendElements(),
            of.maxReceiveElements(),
            of.maxInline(),
            asked.signalAll(),
            of.untrustedPeer());
        final long object = context.nextQueuePair();
        sends = new SendFaults(context, object, this, wrapped, sendQueue);
        receives = new ReceiveFaults(context, object, wrapped);
    }

    static ChaosQueuePair create(
        final ChaosContext context,
        final ProtectionDomain domain,
        final ChaosCompletionQueue sendQueue,
        final ChaosCompletionQueue receiveQueue,
        final QueuePairInitAttributes asked)
    {
        ChaosDevice.step(ChaosDevice.Step.CREATE);
        final DeviceAttributes limits = context.queryDevice();
        final int sends = asked.maxSends() < 0 || asked.maxSends() > limits.maxWorkRequests() ? asked.maxSends() :
            Math.min(limits.maxWorkRequests(), Math.max(1, asked.maxSends()) + MORE_ROOM);
        sendQueue.use();
        receiveQueue.use();
        boolean isReady = false;
        try
        {
            final QueuePair wrapped = domain.createQueuePair(new QueuePairInitAttributes(
                asked.type(),
                sendQueue.sends(),
                receiveQueue.receives(),
                asked.sharedReceives(),
                sends,
                asked.maxReceives(),
                asked.maxSendElements(),
                asked.maxReceiveElements(),
                asked.maxInline(),
                false,
                asked.untrustedPeer()));
            final ChaosQueuePair queuePair = new ChaosQueuePair(context, sendQueue, receiveQueue, wrapped, asked);
            sendQueue.add(queuePair);
            if (receiveQueue != sendQueue)
            {
                receiveQueue.add(queuePair);
            }
            isReady = true;
            return queuePair;
        }
        finally
        {
            if (!isReady)
            {
                sendQueue.release();
                receiveQueue.release();
            }
        }
    }

    @Override
    public int number()
    {
        return wrapped.number();
    }

    @Override
    public QueuePairInitAttributes initAttributes()
    {
        return granted;
    }

    @Override
    public byte[] deviceBytes()
    {
        return wrapped.deviceBytes();
    }

    @Override
    public String failureReason()
    {
        return wrapped.failureReason();
    }

    @Override
    public void modify(final QueuePairAttributes attributes, final int mask)
    {
        final boolean isReset = (mask & AttributeMask.STATE) != 0 && attributes.state() == QueuePairState.RESET;
        if ((mask & AttributeMask.STATE) != 0 && attributes.state() == QueuePairState.RTR)
        {
            ChaosDevice.step(ChaosDevice.Step.CONNECT);
        }
        synchronized (this)
        {
            wrapped.modify(attributes, mask);
            if (isReset)
            {
                sends.reset();
                receives.clear();
            }
        }
        if (isReset)
        {
            sendQueue.drop(this);
            receiveQueue.drop(this);
        }
        else
        {
            progress(System.nanoTime());
        }
    }

    @Override
    public QueuePairAttributes query()
    {
        return wrapped.query();
    }

    @Override
    public QueuePairState state()
    {
        return wrapped.state();
    }

    @Override
    public int postSend(final long workRequest, final long badWorkRequest)
    {
        final boolean isRead = UnsafeApi.getInt(workRequest + OPCODE_OFFSET) == Opcode.RDMA_READ;
        ChaosDevice.step(isRead ? ChaosDevice.Step.READ : ChaosDevice.Step.SEND);
        final int errno = post(workRequest, badWorkRequest);
        ChaosDevice.step(isRead ? ChaosDevice.Step.READ_POSTED : ChaosDevice.Step.SEND_POSTED);
        return errno;
    }

    private synchronized int post(final long workRequest, final long badWorkRequest)
    {
        if (isClosed || wrapped.state().ordinal() < QueuePairState.RTS.ordinal())
        {
            UnsafeApi.putLong(badWorkRequest, workRequest);
            return Errno.EINVAL;
        }
        final long nowNs = System.nanoTime();
        for (long request = workRequest; request != 0; request = UnsafeApi.getLong(request + NEXT_OFFSET))
        {
            final int errno = sends.post(request, nowNs);
            if (errno != 0)
            {
                UnsafeApi.putLong(badWorkRequest, request);
                return errno;
            }
        }
        return 0;
    }

    @Override
    public synchronized int postReceive(final long workRequest, final long badWorkRequest)
    {
        if (isClosed)
        {
            UnsafeApi.putLong(badWorkRequest, workRequest);
            return Errno.EINVAL;
        }
        return receives.post(workRequest, badWorkRequest);
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            if (isClosed)
            {
                return;
            }
            isClosed = true;
            wrapped.close();
        }
        sendQueue.remove(this);
        receiveQueue.remove(this);
        sendQueue.drop(this);
        receiveQueue.drop(this);
        sends.close();
        sendQueue.release();
        receiveQueue.release();
    }

    /**
     * Carries on with what is due.
     *
     * @return whether the wrapped device got something to do.
     */
    synchronized boolean progress(final long nowNs)
    {
        if (isClosed)
        {
            return false;
        }
        final boolean isWell = !sendQueue.isBroken() && !receiveQueue.isBroken() && receives.postDue(nowNs) &
            receives.deliverDue(nowNs, receiveQueue);
        if (!isWell)
        {
            sends.lose();
        }
        return sends.progress(nowNs);
    }

    synchronized void partDone(final long token, final int status)
    {
        if (!isClosed)
        {
            sends.partDone(token, status);
        }
    }

    synchronized void received(final long completion)
    {
        if (!isClosed)
        {
            receives.arrived(Completion.ofReceive(this, completion));
        }
    }

    /** Under the completion queue's lock, so without this one. */
    void freeSends(final long upTo)
    {
        sends.free(upTo);
    }

    synchronized long dueInNs(final long nowNs)
    {
        return isClosed ? Long.MAX_VALUE : Math.min(sends.dueInNs(nowNs), receives.dueInNs(nowNs));
    }
}

package org.onesided.verbs.soft;

import static org.onesided.verbs.SendRequestDescriptor.NEXT_OFFSET;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

/**
 * The work queues of a queue pair, its state and its lock. They make progress while their owner posts, polls or waits;
 * with a device that has a thread of its own, that also drives them. They call the {@link Transport} for everything
 * that concerns the peer. The transport calls the public methods, under the lock unless they say otherwise.
 */
public final class WorkQueues implements SoftCompletionQueue.Source
{
    // Fields of each poll and post come first, in few cache lines, because a server polls hundreds of queue pairs.
    private final Transport transport;
    private final SoftCompletionQueue sendCompletions;
    private final SoftCompletionQueue receiveCompletions;
    private final SpinLock lock = new SpinLock();
    private final SendQueue sends;
    private final SendWork sendWork;
    private volatile QueuePairState state = QueuePairState.RESET;
    /** Whether the oldest send request waits for something. */
    private volatile boolean blocked;
    private boolean closed;
    private final int number;
    private final QueuePairInitAttributes initAttributes;
    private final ReceiveWork receiveWork;
    private final LocalMemory memory;
    private final RetryTimer retryTimer = new RetryTimer();
    private QueuePairAttributes attributes = new QueuePairAttributes();
    private final SoftProtectionDomain protectionDomain;
    private final Consumer<AsyncEvent> events;

    /**
     * @param events           raises asynchronous events.
     * @param regions          of the context.
     * @param protectionDomain they belong to.
     * @param initAttributes   checked, as granted.
     * @param number           of the queue pair.
     * @param transport        creates the transport, which may use all of the above at once.
     */
    WorkQueues(
        final Consumer<AsyncEvent> events,
        final RegionTable regions,
        final SoftProtectionDomain protectionDomain,
        final QueuePairInitAttributes initAttributes,
        final int number,
        final Function<WorkQueues, Transport> transport)
    {
        this.events = events;
        this.protectionDomain = protectionDomain;
        this.initAttributes = initAttributes;
        this.number = number;
        sendCompletions = (SoftCompletionQueue)initAttributes.sendQueue();
        receiveCompletions = (SoftCompletionQueue)initAttributes.receiveQueue();
        sends = new SendQueue(
            initAttributes.maxSends(), initAttributes.maxSendElements(), initAttributes.maxInline());
        receiveWork = new ReceiveWork(initAttributes, sends, number);
        memory = new LocalMemory(regions, protectionDomain);
        boolean success = false;
        try
        {
            this.transport = transport.apply(this);
            success = true;
        }
        finally
        {
            if (!success)
            {
                freeMemory();
            }
        }
        sendWork = new SendWork(
            sends, this.transport, retryTimer, sendCompletions, number, initAttributes.signalAll());
    }

    /**
     * @return the queue pair's number; from any thread.
     */
    public int number()
    {
        return number;
    }

    /**
     * @return attributes that the queue pair was created with; from any thread.
     */
    public QueuePairInitAttributes initAttributes()
    {
        return initAttributes;
    }

    /**
     * @return object that the queue pair was created from; from any thread.
     */
    public SoftProtectionDomain protectionDomain()
    {
        return protectionDomain;
    }

    /**
     * @return the attributes now; not to be changed.
     */
    public QueuePairAttributes attributes()
    {
        return attributes;
    }

    /**
     * @return the state now, without looking at the peer.
     */
    public QueuePairState state()
    {
        return state;
    }

    /**
     * @return guards all that the queue pair has.
     */
    public SpinLock lock()
    {
        return lock;
    }

    /**
     * @return whether the queue pair was destroyed.
     */
    public boolean isClosed()
    {
        return closed;
    }

    /**
     * @return the queue pair's own receives; null with a shared receive queue.
     */
    public ReceiveQueue receives()
    {
        return receiveWork.own();
    }

    /**
     * @return the shared receive queue, or null.
     */
    public SoftSharedReceiveQueue sharedReceives()
    {
        return receiveWork.shared();
    }

    /**
     * @return gets completions of sends.
     */
    public SoftCompletionQueue sendCompletions()
    {
        return sendCompletions;
    }

    /**
     * @return gets completions of receives.
     */
    public SoftCompletionQueue receiveCompletions()
    {
        return receiveCompletions;
    }

    /**
     * @return this side's memory.
     */
    public LocalMemory memory()
    {
        return memory;
    }

    /**
     * @return the send requests.
     */
    public SendQueue sends()
    {
        return sends;
    }

    /**
     * @return how long the oldest send request waits for the peer.
     */
    public RetryTimer retryTimer()
    {
        return retryTimer;
    }

    /**
     * Adds the completion of a receive.
     *
     * @param id         its number.
     * @param status     see {@link CompletionStatus}; other than success, the queue pair must {@link #fail} next.
     * @param opcode     see {@link CompletionOpcode}.
     * @param byteLength of the message.
     * @param immediate  data as it came.
     * @param flags      of the completion.
     * @param solicited  whether the sender asked to wake this side.
     */
    public void completeReceive(
        final long id,
        final int status,
        final int opcode,
        final int byteLength,
        final int immediate,
        final int flags,
        final boolean solicited)
    {
        if (!receiveWork.complete(id, status, opcode, byteLength, immediate, flags, solicited))
        {
            fail(null);
        }
    }

    /**
     * Completes finished requests; then the oldest remaining request fails, and the queue pair with it.
     *
     * @param status of the oldest, see {@link CompletionStatus}; not success.
     * @param event  to report, or null.
     */
    public void failOldest(final int status, final AsyncEvent.Type event)
    {
        if (completeDone())
        {
            sendWork.failOldest(status);
            fail(event);
        }
    }

    /**
     * Completes what is done, then goes to ERR and flushes the other requests.
     */
    public void failRest()
    {
        if (completeDone())
        {
            fail(null);
        }
    }

    /**
     * Goes to ERR and flushes all requests.
     *
     * @param event to report, or null.
     */
    public void fail(final AsyncEvent.Type event)
    {
        if (state != QueuePairState.ERR)
        {
            state = QueuePairState.ERR;
            transport.publish();
            if (event != null)
            {
                events.accept(new AsyncEvent(event, number));
            }
            if (sharedReceives() != null)
            {
                events.accept(new AsyncEvent(AsyncEvent.Type.QP_LAST_WQE_REACHED, number));
            }
            flush();
        }
    }

    /**
     * Runs the queues: processes arrivals, completes finished requests, and continues waiting ones.
     */
    public void makeProgress()
    {
        if (closed || state == QueuePairState.RESET)
        {
            return;
        }
        if (state != QueuePairState.ERR)
        {
            transport.receive();
            if (sendCompletions.isBroken() || receiveCompletions.isBroken())
            {
                fail(null);
            }
        }
        run();
        transport.posted();
    }

    /**
     * Makes those look again who sleep for this queue pair, or are about to, for something that they do not look at
     * again once others see them wait. From any thread.
     */
    public void ringChannels()
    {
        sendCompletions.ring();
        if (receiveCompletions != sendCompletions)
        {
            receiveCompletions.ring();
        }
    }

    Transport transport()
    {
        return transport;
    }

    /**
     * As {@link org.onesided.verbs.QueuePair#postSend}.
     */
    int postSend(final long workRequest, final long badWorkRequest)
    {
        lock.acquire();
        try
        {
            if (closed || state.ordinal() < QueuePairState.RTS.ordinal())
            {
                UnsafeApi.putLong(badWorkRequest, workRequest);
                return Errno.EINVAL;
            }
            if (transport.lookForArrivalsBeforePosting())
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
                errno = errno == 0 ? transport.check(request) : errno;
                if (errno != 0)
                {
                    UnsafeApi.putLong(badWorkRequest, request);
                    break;
                }
                if (!tryExecuteAtOnce(request))
                {
                    sends.add(request);
                }
            }
            run();
            transport.posted();
            return errno;
        }
        finally
        {
            lock.release();
        }
    }

    /**
     * As {@link org.onesided.verbs.QueuePair#postReceive}.
     */
    int postReceive(final long workRequest, final long badWorkRequest)
    {
        lock.acquire();
        try
        {
            int errno = Errno.EINVAL;
            if (closed || state == QueuePairState.RESET)
            {
                UnsafeApi.putLong(badWorkRequest, workRequest);
            }
            else
            {
                errno = receiveWork.post(workRequest, badWorkRequest);
            }
            if (state == QueuePairState.ERR)
            {
                flush();
            }
            else if (state != QueuePairState.RESET && !closed)
            {
                transport.receivesPosted();
            }
            return errno;
        }
        finally
        {
            lock.release();
        }
    }

    @Override
    public void progress()
    {
        if (blocked || transport.lookForArrivals() ||
            sendCompletions.isBroken() || receiveCompletions.isBroken())
        {
            progressNow();
        }
    }

    /**
     * Runs the queues. For any thread that does not hold the lock.
     */
    void progressNow()
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

    @Override
    public void refreshArmed()
    {
        lock.acquire();
        try
        {
            if (!closed)
            {
                publishWakeUps();
            }
        }
        finally
        {
            lock.release();
        }
    }

    /**
     * Waits until no request is being executed that began before this call.
     */
    void quiesce()
    {
        lock.acquire();
        lock.release();
    }

    @Override
    public long waitLeftNs(final long nowNs)
    {
        return blocked ? retryTimer.leftNs(nowNs) : Timers.FOR_EVER_NS;
    }

    /**
     * Adds what was done to counters. Takes the lock.
     */
    void addCounters(final LongAdder readsDone, final LongAdder bytesRead)
    {
        lock.acquire();
        readsDone.add(sendWork.reads());
        bytesRead.add(sendWork.readBytes());
        lock.release();
    }

    /**
     * Forgets attributes and requests; under the lock.
     */
    void clear()
    {
        attributes = new QueuePairAttributes();
        sends.clear();
        receiveWork.clear();
        retryTimer.end();
        blocked = false;
    }

    /**
     * Moves to a state other than ERR, or stays in it, and informs the peer; under the lock.
     */
    void enter(final QueuePairState to)
    {
        state = to;
        transport.publish();
    }

    /**
     * Stops accepting requests; under the lock.
     */
    void end()
    {
        closed = true;
        blocked = false;
    }

    /**
     * Tells the peer what to wake this side for; under the lock.
     */
    void publishWakeUps()
    {
        final int armed = receiveCompletions.armed();
        final int receive = armed == SoftCompletionQueue.ARMED_ANY ? Transport.WAKE_RECEIVE :
            armed == SoftCompletionQueue.ARMED_SOLICITED ? Transport.WAKE_SOLICITED : 0;
        transport.publishWakeUps(receive | (blocked ? Transport.WAKE_SEND : 0));
    }

    /**
     * Frees the memory of the queues; nothing may use them any more.
     */
    void freeMemory()
    {
        sends.close();
        receiveWork.close();
    }

    private void tryFetchAhead(final long workRequest)
    {
        try
        {
            transport.fetchAhead(workRequest);
        }
        catch (final VerbsException ex)
        {
            // The completion of the impossible request will report the error.
        }
    }

    private boolean tryExecuteAtOnce(final long request)
    {
        if (state == QueuePairState.ERR || !sendWork.mayExecuteAtOnce(request))
        {
            return false;
        }
        final long totalLength = RequestChecks.totalLength(request);
        final int status = sendWork.tryExecuteAtOnce(request, totalLength);
        if (status == Transport.BLOCKED)
        {
            return false;
        }
        if (!sendWork.finish(request, totalLength, status))
        {
            fail(null);
        }
        return true;
    }

    private void run()
    {
        if (state == QueuePairState.ERR)
        {
            flush();
            return;
        }
        final boolean wasBlocked = blocked;
        final long knownDeadlineNs = wasBlocked ? retryTimer.deadlineNs() : Timers.FOR_EVER_NS;
        final SendWork.Outcome outcome = sendWork.run();
        if (outcome == SendWork.Outcome.FAILED)
        {
            fail(null);
        }
        else if (outcome == SendWork.Outcome.BLOCKED)
        {
            blocked = true;
            if (!wasBlocked || retryTimer.deadlineNs() != knownDeadlineNs)
            {
                // Another thread may sleep beyond the time of the next retry.
                sendCompletions.ringIfAwaited();
                receiveCompletions.ringIfAwaited();
            }
        }
        else if (wasBlocked && outcome == SendWork.Outcome.EMPTY)
        {
            blocked = false;
        }
    }

    /** Whether the queue pair can go on and has not failed before. */
    private boolean completeDone()
    {
        if (state == QueuePairState.ERR)
        {
            return false;
        }
        final boolean canGoOn = sendWork.completeDone();
        if (!canGoOn)
        {
            fail(null);
        }
        return canGoOn;
    }

    private void flush()
    {
        blocked = false;
        retryTimer.end();
        sendWork.flush();
        receiveWork.flush();
    }
}

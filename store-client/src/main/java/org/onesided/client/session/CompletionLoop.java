package org.onesided.client.session;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.WorkCompletions;
import org.onesided.waiting.LostWakeUps;
import org.onesided.waiting.Pause;
import org.onesided.waiting.Spin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's one completion queue: dispatches its completions, and waits for them, first spinning, then asleep on the
 * completion channel. For the session's thread, except {@link #lose}.
 */
public final class CompletionLoop implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(CompletionLoop.class);
    private static final int BATCH = 32;
    private static final int KIND_SHIFT = 56;
    private static final int SHARD_SHIFT = 48;
    private static final long NUMBER_MASK = (1L << SHARD_SHIFT) - 1;
    private static final long KIND_READ = 1;
    private static final long KIND_SEND = 2;
    private static final long KIND_RECEIVE = 3;
    /** Number of lanes: groups of READs that are awaited separately. */
    public static final int LANES = 3;
    /** Upper limit of one sleep, in case a wake-up is lost; see {@link LostWakeUps}. */
    private static final long MAX_SLEEP_NS = 500_000_000L;

    /** Receives completions of requests, within the poll that found them. */
    public interface RequestListener
    {
        /**
         * @param shard  that sent it.
         * @param index  of the shard's receive that holds it.
         * @param length in bytes.
         * @return whether it is what the session waits for.
         */
        boolean onAnswer(int shard, int index, int length);

        /**
         * A SEND and all before it are done with.
         *
         * @param shard  that it went to.
         * @param number of the SEND.
         * @return whether there was such a SEND.
         */
        boolean onSent(int shard, long number);
    }

    private final CompletionQueue queue;
    private final CompletionChannel channel;
    private final WorkCompletions completions = new WorkCompletions(BATCH);
    private final Deadline deadline;
    private final Spin spin;
    private RequestListener requests;
    private QueuePair[] queuePairs = {};
    private boolean isAnswered;
    private final int[] laneReads = new int[LANES];
    private int pendingReads;
    private volatile String lostReason;
    private boolean isClosed;

    CompletionLoop(
        final CompletionQueue queue,
        final CompletionChannel channel,
        final Deadline deadline,
        final long spinNs)
    {
        this.queue = queue;
        this.channel = channel;
        this.deadline = deadline;
        spin = new Spin(spinNs);
    }

    static long readId(final int lane)
    {
        return KIND_READ << KIND_SHIFT | lane;
    }

    /**
     * @param shard  that a SEND goes to.
     * @param number of the SEND, counted per shard.
     * @return the id of its work request.
     */
    public static long sendId(final int shard, final long number)
    {
        return KIND_SEND << KIND_SHIFT | (long)shard << SHARD_SHIFT | number & NUMBER_MASK;
    }

    /**
     * @param shard that sends.
     * @param index of the receive.
     * @return the id of its work request.
     */
    public static long receiveId(final int shard, final int index)
    {
        return KIND_RECEIVE << KIND_SHIFT | (long)shard << SHARD_SHIFT | index;
    }

    /** Sets the queue pairs to ask for a reason when a completion contains only a status. */
    void explainBy(final QueuePair[] all)
    {
        queuePairs = all;
    }

    /** Why a queue pair has failed, if one knows, or null. */
    String failureReason()
    {
        for (final QueuePair queuePair : queuePairs)
        {
            final String reason = queuePair.failureReason();
            if (reason != null)
            {
                return reason;
            }
        }
        return null;
    }

    /** Whether this loop polls that queue. Safe to call from any thread. */
    boolean uses(final CompletionQueue other)
    {
        return queue == other;
    }

    /** Chains of READs were posted in a lane. One completion follows for each. */
    void readsPosted(final int lane, final int count)
    {
        laneReads[lane] += count;
        pendingReads += count;
    }

    /**
     * Says, from any thread, that the session is over, and wakes its thread. The first reason stays.
     *
     * @param reason in a line.
     */
    public void lose(final String reason)
    {
        synchronized (this)
        {
            if (lostReason == null)
            {
                lostReason = reason;
            }
            // The channel closes after this, perhaps during another thread's call.
            if (!isClosed)
            {
                channel.wakeUp();
            }
        }
    }

    /** Wakes the session's thread to check its condition again. Safe to call from any thread. */
    public void wakeUp()
    {
        synchronized (this)
        {
            if (!isClosed)
            {
                channel.wakeUp();
            }
        }
    }

    boolean isLost()
    {
        return lostReason != null;
    }

    /** Why the session is over, or null. */
    String lostReason()
    {
        return lostReason;
    }

    /**
     * As {@link #lose}.
     *
     * @param reason in a line.
     * @return the exception to throw.
     */
    public AttachmentLostException lost(final String reason)
    {
        lose(reason);
        return new AttachmentLostException(lostReason);
    }

    /** Waits until all READs of a lane have completed. */
    void awaitReads(final int lane)
    {
        if (laneReads[lane] > 0)
        {
            poll();
            spin.begin();
            while (laneReads[lane] > 0)
            {
                idle();
                poll();
            }
            spin.end();
        }
        // READs that failed leave the count as well.
        if (lostReason != null)
        {
            throw new AttachmentLostException(lostReason);
        }
    }

    /** Polls completions without waiting. */
    public void progress()
    {
        poll();
        if (lostReason != null)
        {
            throw new AttachmentLostException(lostReason);
        }
    }

    /** Waits until the listener has the awaited answer. */
    public void awaitAnswer()
    {
        poll();
        spin.begin();
        while (!isAnswered)
        {
            idle();
            poll();
        }
        spin.end();
    }

    /**
     * Waits until completions have made a condition true.
     *
     * @param condition that they make true.
     * @throws AttachmentLostException if the attachment is lost meanwhile.
     * @throws DeadlinePassedException if the running operation's deadline passes.
     */
    public void awaitUntil(final BooleanSupplier condition)
    {
        poll();
        spin.begin();
        while (!condition.getAsBoolean())
        {
            idle();
            poll();
        }
        spin.end();
    }

    /**
     * @throws DeadlinePassedException if the running operation's deadline has passed.
     */
    public void checkDeadline()
    {
        if (deadline.remainingNs() <= 0)
        {
            throw new DeadlinePassedException();
        }
    }

    /** A request is about to be posted, whose answer the session awaits. */
    public void expectAnswer()
    {
        isAnswered = false;
    }

    /**
     * @param listener gets what becomes of requests.
     */
    public void listen(final RequestListener listener)
    {
        requests = listener;
    }

    /** Whether READs are in flight, which may write to their buffers. */
    boolean isReading()
    {
        return pendingReads > 0;
    }

    /** Lanes in which READs are in flight, one bit each. */
    int readingLanes()
    {
        int lanes = 0;
        for (int i = 0; i < LANES; i++)
        {
            lanes |= laneReads[i] > 0 ? 1 << i : 0;
        }
        return lanes;
    }

    /** Polls completions, including flushed ones, until all READs have completed or time is up; at least once. */
    void drain(final long timeoutNs)
    {
        final long endNs = System.nanoTime() + timeoutNs;
        int attempts = 0;
        poll();
        while (pendingReads > 0 && System.nanoTime() - endNs < 0)
        {
            if (poll() == 0)
            {
                Pause.after(attempts++);
            }
        }
    }

    /** Ends the use of the channel. */
    @Override
    public void close()
    {
        synchronized (this)
        {
            isClosed = true;
        }
        completions.close();
    }

    /** One turn of waiting. */
    private void idle()
    {
        if (lostReason != null)
        {
            throw new AttachmentLostException(lostReason);
        }
        final long nowNs = System.nanoTime();
        final long remainingNs = deadline.atNs() - nowNs;
        if (remainingNs <= 0)
        {
            throw new DeadlinePassedException();
        }
        if (!spin.again(nowNs))
        {
            sleep(Math.min(remainingNs, MAX_SLEEP_NS));
        }
    }

    private void sleep(final long timeoutNs)
    {
        final int errno = queue.requestNotify(false);
        if (errno != 0)
        {
            throw lost("completion queue cannot be armed: " + Errno.name(errno));
        }
        if (poll() == 0 && lostReason == null)
        {
            awaitEvent(timeoutNs);
        }
    }

    private void awaitEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        try
        {
            if (channel.awaitEvent(timeoutNs) != null)
            {
                queue.acknowledgeEvents(1);
            }
            else if (timeoutNs == MAX_SLEEP_NS && System.nanoTime() - startNs >= timeoutNs && poll() > 0)
            {
                checkEvent();
            }
        }
        catch (final VerbsException e)
        {
            throw lost("completions cannot be waited for: " + e.getMessage());
        }
        final long lost = LostWakeUps.takeUnreported();
        if (lost > 0)
        {
            LOGGER.warn("a wake-up was lost, which delayed an operation: count={} milliseconds={}", lost,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
        }
    }

    /** Completions have come since the queue was armed: there must be an event. */
    private void checkEvent()
    {
        final long startNs = System.nanoTime();
        if (channel.awaitEvent(LostWakeUps.GRACE_NS) != null)
        {
            queue.acknowledgeEvents(1);
        }
        else if (lostReason == null && System.nanoTime() - startNs >= LostWakeUps.GRACE_NS)
        {
            LostWakeUps.add();
        }
    }

    private int poll()
    {
        final int count = completions.poll(queue);
        if (count < 0)
        {
            throw lost("completion queue is broken: " + Errno.name(-count));
        }
        for (int i = 0; i < count; i++)
        {
            take(i);
        }
        return count;
    }

    private void take(final int i)
    {
        final long id = completions.id(i);
        final long kind = id >>> KIND_SHIFT;
        final int status = completions.status(i);
        final int lane = (int)id;
        if (kind == KIND_READ && lane >= 0 && lane < LANES && laneReads[lane] > 0)
        {
            laneReads[lane]--;
            pendingReads--;
        }
        else if (kind == KIND_SEND)
        {
            if (!requests.onSent((int)(id >>> SHARD_SHIFT & 0xFF), id & NUMBER_MASK))
            {
                lose("completion of no SEND that is outstanding: " + completions.describe(i));
            }
        }
        else if (kind != KIND_RECEIVE)
        {
            lose("completion of no request that is outstanding: " + completions.describe(i));
        }
        else if (status == CompletionStatus.SUCCESS)
        {
            isAnswered |= requests.onAnswer(
                (int)(id >>> SHARD_SHIFT & 0xFF), (int)id, completions.byteLength(i));
        }

        if (status != CompletionStatus.SUCCESS && lostReason == null)
        {
            final String what = kind == KIND_READ ? "READ" : kind == KIND_SEND ? "SEND" : "receive";
            lose("queue pair failed, " + reason(what + " did not complete:", completions.queuePair(i)) +
                " shard=" + (id >>> SHARD_SHIFT & 0xFF) + " " + completions.describe(i));
        }
    }

    private String reason(final String unknown, final int number)
    {
        for (final QueuePair queuePair : queuePairs)
        {
            final String known = queuePair.number() == number ? queuePair.failureReason() : null;
            if (known != null)
            {
                return known;
            }
        }
        return unknown;
    }
}

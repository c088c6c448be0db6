package org.onesided.server.shard;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.onesided.protocol.rpc.codec.Status;

/**
 * The counters of a shard: written by its thread alone, at the price of a plain store, and read by any thread.
 */
public final class ShardCounters
{
    private static final RequestKind[] KINDS = RequestKind.values();
    private static final int STATUSES = Status.READ_ONLY.value() + 1;

    /** Executed requests, one counter per kind. */
    private static final int REQUESTS = 0;
    /** Refused requests, one counter per status. */
    private static final int REFUSALS = REQUESTS + KINDS.length;
    /** Requests that were sent again, and whose answers were remembered. */
    public static final int RESENT = REFUSALS + STATUSES;
    /** Bytes of messages that came. */
    public static final int BYTES_RECEIVED = RESENT + 1;
    /** Bytes of answers. */
    public static final int BYTES_SENT = BYTES_RECEIVED + 1;
    /** Bytes of long values that were published. */
    public static final int BYTES_PULLED = BYTES_SENT + 1;
    /** READs of values that failed. */
    public static final int PULL_FAILURES = BYTES_PULLED + 1;
    /** Queue pairs that ended otherwise than their clients asked. */
    public static final int CONNECTIONS_LOST = PULL_FAILURES + 1;
    /** Polls that brought something. */
    public static final int POLLS = CONNECTIONS_LOST + 1;
    /** Completions that polls brought. */
    public static final int COMPLETIONS = POLLS + 1;
    /** Rounds of the thread. They show that it lives, since an idle thread counts, too. */
    public static final int ROUNDS = COMPLETIONS + 1;
    /** Puts that had to wait for room in the heap. */
    public static final int ROOM_WAITS = ROUNDS + 1;
    /** Requests that wait for others of their session. Counters from here on can decrease. */
    public static final int WAITING = ROOM_WAITS + 1;
    /** Puts that wait for room in the heap. */
    public static final int WAITING_FOR_ROOM = WAITING + 1;
    /** Long values that are being pulled. */
    public static final int PULLS = WAITING_FOR_ROOM + 1;
    /** Bytes of the long values that are being pulled. */
    public static final int PULL_BYTES = PULLS + 1;
    /** Durations: per kind of request the buckets, then the sum. */
    private static final int TIMES = PULL_BYTES + 1;
    private static final int TIMES_LENGTH = DurationHistogram.BUCKETS + 1;

    private final boolean measuresTimes;
    private final AtomicLongArray values;

    /**
     * @param measuresTimes whether durations are to be measured at all.
     */
    public ShardCounters(final boolean measuresTimes)
    {
        this.measuresTimes = measuresTimes;
        values = new AtomicLongArray(TIMES + (measuresTimes ? KINDS.length * TIMES_LENGTH : 0));
    }

    /**
     * Adds to a counter.
     *
     * @param counter one of the constants.
     * @param amount  to add; below zero only for those that can decrease.
     */
    public void add(final int counter, final long amount)
    {
        values.setOpaque(counter, values.getPlain(counter) + amount);
    }

    /**
     * Adds 1 to a counter.
     *
     * @param counter one of the constants.
     */
    public void increment(final int counter)
    {
        add(counter, 1);
    }

    /**
     * Counts a request that was executed.
     *
     * @param kind of the request.
     */
    public void executed(final RequestKind kind)
    {
        increment(REQUESTS + kind.ordinal());
    }

    /**
     * Counts a request that was refused.
     *
     * @param status of its answer.
     */
    public void refused(final Status status)
    {
        increment(REFUSALS + status.value());
    }

    /**
     * Records how long a request took, if times are measured.
     *
     * @param kind    of the request.
     * @param beganNs when it began, by {@link System#nanoTime()}.
     */
    public void took(final RequestKind kind, final long beganNs)
    {
        if (measuresTimes)
        {
            final long durationNs = Math.max(0, System.nanoTime() - beganNs);
            final int first = TIMES + kind.ordinal() * TIMES_LENGTH;
            increment(first + DurationHistogram.bucketOf(durationNs));
            add(first + DurationHistogram.BUCKETS, durationNs);
        }
    }

    /**
     * @param counter one of the constants.
     * @return its value. Safe to ask from any thread, as all that follow are.
     */
    public long get(final int counter)
    {
        return values.getOpaque(counter);
    }

    /**
     * @param kind of requests.
     * @return how many of them were executed.
     */
    public long executions(final RequestKind kind)
    {
        return get(REQUESTS + kind.ordinal());
    }

    /**
     * @return how many requests were refused, whatever the status.
     */
    public long allRefusals()
    {
        return IntStream.range(REFUSALS, REFUSALS + STATUSES).mapToLong(this::get).sum();
    }

    /**
     * @return how many requests were executed, by kind.
     */
    public Map<RequestKind, Long> requests()
    {
        final Map<RequestKind, Long> all = new EnumMap<>(RequestKind.class);
        for (final RequestKind kind : KINDS)
        {
            all.put(kind, executions(kind));
        }
        return all;
    }

    /**
     * @return how many requests were refused, by status.
     */
    public Map<Status, Long> refusals()
    {
        final Map<Status, Long> all = new EnumMap<>(Status.class);
        for (int status = 0; status < STATUSES; status++)
        {
            if (status != Status.OK.value() && status != Status.NOT_FOUND.value() &&
                status != Status.NOT_LEADING.value())
            {
                all.put(Status.get((short)status), get(REFUSALS + status));
            }
        }
        return all;
    }

    /**
     * @return how long requests took, by kind; empty if that is not measured.
     */
    public Map<RequestKind, DurationHistogram> times()
    {
        final Map<RequestKind, DurationHistogram> all = new EnumMap<>(RequestKind.class);
        if (measuresTimes)
        {
            for (final RequestKind kind : KINDS)
            {
                final int first = TIMES + kind.ordinal() * TIMES_LENGTH;
                all.put(kind, new DurationHistogram(
                    IntStream.range(first, first + DurationHistogram.BUCKETS).mapToObj(this::get).toList(),
                    get(first + DurationHistogram.BUCKETS)));
            }
        }
        return all;
    }
}

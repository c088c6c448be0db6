package org.onesided.server.shard;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.onesided.protocol.rpc.codec.Status;

/**
 * The counters of a shard: written by its thread alone, at the price of a plain store, and read by any thread.
 */
final class ShardCounters
{
    private static final RequestKind[] KINDS = RequestKind.values();
    private static final int STATUSES = Status.READ_ONLY.value() + 1;

    /** Executed requests, one counter per kind. */
    private static final int REQUESTS = 0;
    /** Refused requests, one counter per status. */
    private static final int REFUSALS = REQUESTS + KINDS.length;
    static final int RESENT = REFUSALS + STATUSES;
    static final int BYTES_RECEIVED = RESENT + 1;
    static final int BYTES_SENT = BYTES_RECEIVED + 1;
    static final int BYTES_PULLED = BYTES_SENT + 1;
    static final int PULL_FAILURES = BYTES_PULLED + 1;
    static final int CONNECTIONS_LOST = PULL_FAILURES + 1;
    static final int POLLS = CONNECTIONS_LOST + 1;
    static final int COMPLETIONS = POLLS + 1;
    /** Rounds of the thread. They show that it lives, since an idle thread counts, too. */
    static final int ROUNDS = COMPLETIONS + 1;
    /** Puts that had to wait for room in the heap. */
    static final int ROOM_WAITS = ROUNDS + 1;
    /** Counters from here on can decrease. */
    static final int WAITING = ROOM_WAITS + 1;
    static final int WAITING_FOR_ROOM = WAITING + 1;
    static final int PULLS = WAITING_FOR_ROOM + 1;
    static final int PULL_BYTES = PULLS + 1;
    /** Durations: per kind of request the buckets, then the sum. */
    private static final int TIMES = PULL_BYTES + 1;
    private static final int TIMES_LENGTH = DurationHistogram.BUCKETS + 1;

    private final boolean measuresTimes;
    private final AtomicLongArray values;

    /**
     * @param measuresTimes whether durations are to be measured at all.
     */
    ShardCounters(final boolean measuresTimes)
    {
        this.measuresTimes = measuresTimes;
        values = new AtomicLongArray(TIMES + (measuresTimes ? KINDS.length * TIMES_LENGTH : 0));
    }

    void add(final int counter, final long amount)
    {
        values.setOpaque(counter, values.getPlain(counter) + amount);
    }

    void increment(final int counter)
    {
        add(counter, 1);
    }

    void executed(final RequestKind kind)
    {
        increment(REQUESTS + kind.ordinal());
    }

    void refused(final Status status)
    {
        increment(REFUSALS + status.value());
    }

    /** Records how long a request took, if times are measured. */
    void took(final RequestKind kind, final long beganNs)
    {
        if (measuresTimes)
        {
            final long durationNs = Math.max(0, System.nanoTime() - beganNs);
            final int first = TIMES + kind.ordinal() * TIMES_LENGTH;
            increment(first + DurationHistogram.bucketOf(durationNs));
            add(first + DurationHistogram.BUCKETS, durationNs);
        }
    }

    long get(final int counter)
    {
        return values.getOpaque(counter);
    }

    long executions(final RequestKind kind)
    {
        return get(REQUESTS + kind.ordinal());
    }

    long allRefusals()
    {
        return IntStream.range(REFUSALS, REFUSALS + STATUSES).mapToLong(this::get).sum();
    }

    Map<RequestKind, Long> requests()
    {
        final Map<RequestKind, Long> all = new EnumMap<>(RequestKind.class);
        for (final RequestKind kind : KINDS)
        {
            all.put(kind, executions(kind));
        }
        return all;
    }

    Map<Status, Long> refusals()
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

    Map<RequestKind, DurationHistogram> times()
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

package org.onesided.linearizability;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.WriteOutcome;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * What one session does with the times of keys: puts that limit the life of a key, changes of that time, and questions
 * for it.
 */
final class ExpiringWrites
{
    private static final int SHORT_MS = 30;
    private static final int LONG_MS = 500;
    /** One value of so many is put by a pull. */
    private static final int LONG_ODDS = 8;

    private final Workload workload;
    private final StoreSession session;
    private final ConditionalWrites conditional;
    private final Recorder recorder;
    private final Random random;

    ExpiringWrites(
        final Workload workload, final StoreSession session, final ConditionalWrites conditional,
        final Recorder recorder)
    {
        this.conditional = conditional;
        this.workload = workload;
        this.session = session;
        this.recorder = recorder;
        random = workload.random();
    }

    void run(final int key)
    {
        switch (random.nextInt(8))
        {
            case 0 -> touch(key, Expiry.NEVER);
            case 1, 2 -> touch(key, Expiry.after(anyTtl()));
            case 3 -> ttl(key);
            case 4 -> put(key, PutOptions.ifPresent().ttl(anyTtl()), Operation.PRESENT);
            case 5 -> put(key, PutOptions.ifAbsent().ttl(anyTtl()), Operation.ABSENT);
            default -> put(key, PutOptions.expiringAfter(anyTtl()), Operation.ANY);
        }
    }

    private Duration anyTtl()
    {
        return Duration.ofMillis(1 + random.nextInt(random.nextInt(3) > 0 ? SHORT_MS : LONG_MS));
    }

    private static long ttlNs(final Expiry expiry)
    {
        return expiry == Expiry.NEVER ? Operation.FOR_EVER : TimeUnit.MILLISECONDS.toNanos(expiry.milliseconds());
    }

    private void put(final int key, final PutOptions options, final long expected)
    {
        final UnsafeBuffer name = new UnsafeBuffer(workload.key(key));
        final NextValue next = workload.next();
        final long number = random.nextInt(LONG_ODDS) == 0 ? next.ofLongValue(key) : next.ofAnyLength(key);
        final long ttlNs = ttlNs(options.expiry());
        final long invokeNs = System.nanoTime();
        try
        {
            final WriteOutcome outcome =
                session.put(name, 0, name.capacity(), next.value(), 0, Values.length(number), options);
            final long version = outcome.version() == null ? Operation.NO_VERSION : outcome.version().number();
            if (outcome.applied())
            {
                recorder.add(key, Kind.PUT, Fate.DONE, number, version, invokeNs, System.nanoTime(), expected, ttlNs);
            }
            else
            {
                conditional.meet(key, expected, null, outcome, invokeNs);
            }
        }
        catch (final StoreException e)
        {
            recorder.add(key, Kind.PUT, workload.failed(e), number, Operation.NO_VERSION, invokeNs,
                System.nanoTime(), expected, ttlNs);
        }
    }

    private void touch(final int key, final Expiry expiry)
    {
        final UnsafeBuffer name = new UnsafeBuffer(workload.key(key));
        final long invokeNs = System.nanoTime();
        Fate fate = Fate.DONE;
        long found = Operation.ANY;
        try
        {
            found = presence(session.touch(name, 0, name.capacity(), expiry));
        }
        catch (final StoreException e)
        {
            fate = workload.failed(e);
        }
        recorder.add(key, Kind.TOUCH, fate, found, Operation.NO_VERSION, invokeNs, System.nanoTime(), Operation.ANY,
            ttlNs(expiry));
    }

    private void ttl(final int key)
    {
        final long invokeNs = System.nanoTime();
        try
        {
            final TimeToLive left = session.ttl(workload.key(key));
            recorder.add(key, Kind.TTL, Fate.DONE, presence(left != null), Operation.NO_VERSION, invokeNs,
                System.nanoTime(), Operation.ANY,
                left != null && left.expires() ? left.left().toNanos() : Operation.FOR_EVER);
        }
        catch (final StoreException e)
        {
            workload.failed(e);
        }
    }

    private static long presence(final boolean isPresent)
    {
        return isPresent ? Operation.PRESENT : Operation.ABSENT;
    }
}

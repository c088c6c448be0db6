package org.onesided.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.KeyText;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * Replaces a key's value by one computed from it, if nobody has changed it meanwhile; if somebody has, begins again
 * with the new value, until shortly before the deadline. The pauses in between grow and are random, so that writers of
 * one key get out of each other's way. Not thread-safe.
 */
final class OptimisticUpdate
{
    private static final long FIRST_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int MAX_DOUBLINGS = 6;

    /** An attempt begins only if this many times the time is left that the store needed for the last one. */
    private static final int SLACK = 2;

    private final StoreSession session;
    private final RunningOperation operation;

    /**
     * @param session   that looks up and writes.
     * @param operation that it carries out.
     */
    OptimisticUpdate(final StoreSession session, final RunningOperation operation)
    {
        this.session = session;
        this.operation = operation;
    }

    /** Returns the new value, or null if the key is absent then. */
    byte @Nullable [] run(final byte[] key, final UnaryOperator<byte @Nullable []> function)
    {
        try
        {
            return run(key, function, operation.runDeadlineNs());
        }
        finally
        {
            // The next operation's time is its own.
            operation.spend(0);
        }
    }

    private byte @Nullable [] run(
        final byte[] key, final UnaryOperator<byte @Nullable []> function, final long deadlineNs)
    {
        for (int attempts = 0; true; attempts++)
        {
            final long beganNs = System.nanoTime();
            operation.limit(deadlineNs);
            final VersionedValue<byte[]> before = session.getVersioned(key);
            final long foundNs = System.nanoTime();
            final byte[] after = function.apply(before == null ? null : before.value());
            if (before == null && after == null)
            {
                return null;
            }
            final long computedNs = System.nanoTime();
            if (deadlineNs - computedNs <= 0)
            {
                // A write would be sent before its deadline is looked at, and be of unknown fate.
                throw tooLate(key, attempts);
            }
            operation.limit(deadlineNs);
            if (write(key, before, after).applied())
            {
                return after;
            }
            final long nowNs = System.nanoTime();
            final long pauseNs = pauseNs(attempts);
            if (deadlineNs - nowNs - pauseNs <= SLACK * (foundNs - beganNs + nowNs - computedNs))
            {
                throw conflict(key);
            }
            if (pauseNs > 0)
            {
                LockSupport.parkNanos(pauseNs);
            }
        }
    }

    private StoreException tooLate(final byte[] key, final int conflicts)
    {
        return conflicts > 0 ? conflict(key) : new StoreDeadlineException(
            "deadline passed while the new value was computed", context(key));
    }

    private StoreConflictException conflict(final byte[] key)
    {
        return new StoreConflictException(
            "others changed the key again and again until the deadline, try later", context(key));
    }

    private FailureContext context(final byte[] key)
    {
        return new FailureContext(Operation.UPDATE, KeyText.of(key), operation.server(), WriteFate.NOT_APPLIED);
    }

    private WriteOutcome write(final byte[] key, final VersionedValue<byte[]> before, final byte[] after)
    {
        return before == null ? session.putIfAbsent(key, after) :
            after == null ? session.deleteIfVersion(key, before.version()) :
            session.putIfVersion(key, after, before.version());
    }

    /** The first conflict needs no pause: the other writer is done. */
    private static long pauseNs(final int attempts)
    {
        return attempts == 0 ? 0 :
            ThreadLocalRandom.current().nextLong(FIRST_PAUSE_NS << Math.min(attempts - 1, MAX_DOUBLINGS));
    }
}

package org.onesided.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.ValueLength;
import org.onesided.client.session.KeyText;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * What {@link OptimisticUpdate} does, without waiting: each step begins where the one before it ends, by the thread
 * that tells its end, and a conflict begins the next attempt at once. One step is under way at a time.
 *
 * @param <T> type of what the future gets.
 */
final class AsyncUpdate<T>
{
    /** An attempt begins only if this many times the time is left that the last one took. */
    private static final int SLACK = 2;

    private final AsyncSubmission submission;
    private final byte[] key;
    private final UnaryOperator<byte[]> function;
    private final Function<byte[], T> result;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final long deadlineNs;
    private long attemptNs;
    private byte[] after;
    private boolean hasConflicted;

    /**
     * @param key      whose length was checked.
     * @param function of the value; null is that of an absent key.
     * @param result   makes what the future gets of the new value, or of null.
     */
    AsyncUpdate(
        final AsyncSubmission submission,
        final byte[] key,
        final UnaryOperator<byte @Nullable []> function,
        final Function<byte[], T> result)
    {
        this.submission = submission;
        this.key = key;
        this.function = function;
        this.result = result;
        deadlineNs = submission.deadlineNs();
    }

    /** Begins the first attempt. */
    CompletableFuture<T> begin()
    {
        lookUp();
        return future;
    }

    private void lookUp()
    {
        attemptNs = System.nanoTime();
        submit(Operation.GET, null, PutOptions.NONE, (found, failure) ->
        {
            if (failure == null)
            {
                guarded(() -> write((VersionedValue<?>)found));
            }
            else
            {
                future.completeExceptionally(
                    hasConflicted && failure instanceof StoreDeadlineException ? conflict() : failure);
            }
        });
    }

    private void write(final VersionedValue<?> before)
    {
        if (future.isDone())
        {
            return;
        }
        after = function.apply(before == null ? null : (byte[])before.value());
        if (before == null && after == null)
        {
            future.complete(result.apply(null));
            return;
        }
        if (deadlineNs - System.nanoTime() <= 0)
        {
            throw hasConflicted ? conflict() :
                new StoreDeadlineException("deadline passed while the new value was computed", context());
        }
        if (after == null)
        {
            submit(Operation.DELETE, null, PutOptions.ifVersion(before.version()), this::written);
            return;
        }
        ValueLength.check(Operation.UPDATE, after.length, submission.server());
        submit(Operation.PUT, after,
            before == null ? PutOptions.ifAbsent() : PutOptions.ifVersion(before.version()), this::written);
    }

    private void written(final Object outcome, final StoreException failure)
    {
        if (failure != null)
        {
            future.completeExceptionally(failure);
        }
        else if (((WriteOutcome)outcome).applied())
        {
            guarded(() -> future.complete(result.apply(after)));
        }
        else if (!future.isDone())
        {
            hasConflicted = true;
            goOn();
        }
    }

    private void goOn()
    {
        final long nowNs = System.nanoTime();
        if (deadlineNs - nowNs <= SLACK * (nowNs - attemptNs))
        {
            future.completeExceptionally(conflict());
        }
        else
        {
            lookUp();
        }
    }

    /** Runs code of the application, or what depends on it: whatever it throws ends the future. */
    private void guarded(final Runnable step)
    {
        try
        {
            step.run();
        }
        catch (final RuntimeException | Error e)
        {
            future.completeExceptionally(e);
        }
    }

    private void submit(
        final String name, final byte[] value, final PutOptions options, final AsyncOperation.Completion completion)
    {
        submission.submit(name, key, value, options, 0, 0, deadlineNs, completion);
    }

    private StoreConflictException conflict()
    {
        return new StoreConflictException(
            "others changed the key again and again until the deadline, try later", context());
    }

    private FailureContext context()
    {
        return new FailureContext(
            Operation.UPDATE, KeyText.of(key), submission.address(), WriteFate.NOT_APPLIED);
    }
}

package org.onesided.client;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.BatchFailure;
import org.onesided.client.request.ValueLength;
import org.onesided.client.session.KeyLength;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;

/**
 * Asynchronous operations on many keys: one operation for each, all with the same deadline, and a future of the whole.
 * Thread-safe.
 */
final class AsyncBatches
{
    private final AsyncSubmission submission;

    AsyncBatches(final AsyncSubmission submission)
    {
        this.submission = submission;
    }

    CompletableFuture<List<byte[]>> get(final List<byte[]> keys)
    {
        final byte[][] all = checked(Operation.GET_ALL, keys);
        final CompletableFuture<List<byte[]>> future = new CompletableFuture<>();
        final byte[][] values = new byte[all.length][];
        final AtomicInteger left = new AtomicInteger(all.length);
        if (all.length == 0)
        {
            future.complete(List.of());
        }
        final long deadlineNs = submission.deadlineNs();
        for (int i = 0; i < all.length; i++)
        {
            final int index = i;
            submission.submit(Operation.GET, all[i], null, null, 0, 0, deadlineNs, (result, failure) ->
            {
                values[index] = (byte[])result;
                // The thread that counts last sees the results of the others.
                if (failure != null)
                {
                    future.completeExceptionally(failure);
                }
                else if (left.decrementAndGet() == 0)
                {
                    future.complete(Arrays.asList(values));
                }
            });
        }
        return future;
    }

    /** @param options one for each key, or null. */
    CompletableFuture<List<WriteOutcome>> put(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        final byte[][] allKeys = checked(Operation.PUT_ALL, keys);
        final byte[][] allValues = values.toArray(new byte[0][]);
        final PutOptions[] allOptions = options == null ? null : options.toArray(new PutOptions[0]);
        if (allKeys.length != allValues.length)
        {
            throw new IllegalArgumentException(
                "one value is needed for each key: keys=" + allKeys.length + " values=" + allValues.length);
        }
        if (allOptions != null && allOptions.length != allKeys.length)
        {
            throw new IllegalArgumentException(
                "options are needed for each key: keys=" + allKeys.length + " options=" + allOptions.length);
        }
        for (int i = 0; i < allKeys.length; i++)
        {
            ValueLength.check(Operation.PUT_ALL, Objects.requireNonNull(allValues[i], "value").length, i,
                submission.server());
            if (allOptions != null)
            {
                Objects.requireNonNull(allOptions[i], "options");
            }
        }
        return write(Operation.PUT, allKeys, allValues, allOptions, results ->
        {
            final WriteOutcome[] outcomes = new WriteOutcome[results.length];
            for (int i = 0; i < outcomes.length; i++)
            {
                outcomes[i] = (WriteOutcome)results[i];
            }
            return Arrays.asList(outcomes);
        });
    }

    CompletableFuture<Integer> delete(final List<byte[]> keys)
    {
        return write(Operation.DELETE, checked(Operation.DELETE_ALL, keys), null, null, results ->
        {
            int present = 0;
            for (final Object wasPresent : results)
            {
                present += (Boolean)wasPresent ? 1 : 0;
            }
            return present;
        });
    }

    private <T> CompletableFuture<T> write(
        final String name,
        final byte[][] keys,
        final byte[][] values,
        final PutOptions[] options,
        final Function<Object[], T> whole)
    {
        final CompletableFuture<T> future = new CompletableFuture<>();
        final Object[] results = new Object[keys.length];
        final WriteFate[] fates = new WriteFate[keys.length];
        final AtomicInteger left = new AtomicInteger(keys.length);
        final AtomicReference<StoreException> first = new AtomicReference<>();
        if (keys.length == 0)
        {
            future.complete(whole.apply(results));
        }
        final long deadlineNs = submission.deadlineNs();
        for (int i = 0; i < keys.length; i++)
        {
            final int index = i;
            submission.submit(
                name, keys[i], values == null ? null : values[i], options == null ? null : options[i], 0, 0, deadlineNs,
                (result, failure) ->
                {
                    results[index] = result;
                    fates[index] = fate(result, failure);
                    first.compareAndSet(null, failure);
                    // The thread that counts last sees the results of the others.
                    if (left.decrementAndGet() == 0)
                    {
                        end(future, results, fates, first.get(), whole, values == null);
                    }
                });
        }
        return future;
    }

    private static <T> void end(
        final CompletableFuture<T> future,
        final Object[] results,
        final WriteFate[] fates,
        final StoreException failure,
        final Function<Object[], T> whole,
        final boolean isDelete)
    {
        if (failure == null)
        {
            future.complete(whole.apply(results));
        }
        else
        {
            future.completeExceptionally(BatchFailure.of(fates, failure, isDelete));
        }
    }

    private static WriteFate fate(final Object result, final StoreException failure)
    {
        if (failure != null)
        {
            return failure.writeFate();
        }
        return result instanceof WriteOutcome outcome && !outcome.applied() ? WriteFate.NOT_APPLIED : WriteFate.APPLIED;
    }

    /** Copies the list, since it may change after the check of the lengths. */
    private byte[][] checked(final String name, final List<byte[]> keys)
    {
        final byte[][] all = keys.toArray(new byte[0][]);
        for (int i = 0; i < all.length; i++)
        {
            KeyLength.check(name, Objects.requireNonNull(all[i], "key").length, i, submission.address());
        }
        return all;
    }
}

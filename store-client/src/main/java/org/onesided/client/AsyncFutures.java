package org.onesided.client;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.request.ValueLength;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.KeyLength;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;

/**
 * Creates futures of operations that a worker carries out.
 */
final class AsyncFutures implements AsyncStore
{
    private final ClientContext context;
    private final AsyncWorker worker;

    AsyncFutures(final ClientContext context, final AsyncWorker worker)
    {
        this.context = context;
        this.worker = worker;
    }

    @Override
    public CompletableFuture<byte[]> get(final byte[] key)
    {
        final CompletableFuture<byte[]> future = new CompletableFuture<>();
        submit(Operation.GET, key, null, (result, failure) -> end(future, (byte[])result, failure));
        return future;
    }

    @Override
    public CompletableFuture<String> get(final String key)
    {
        final CompletableFuture<String> future = new CompletableFuture<>();
        submit(Operation.GET, text(Operation.GET, key, "key"), null, (result, failure) ->
        {
            final String text = result == null ? null : Utf8.decode((byte[])result);
            end(future, text, result == null || text != null ? failure : new StoreLimitException(
                "value is not valid UTF-8, get it as bytes: length=" + ((byte[])result).length,
                FailureContext.unsent(Operation.GET, context.addressText())));
        });
        return future;
    }

    @Override
    public CompletableFuture<List<byte[]>> getAll(final List<byte[]> keys)
    {
        final byte[][] all = keys.toArray(new byte[0][]);
        for (final byte[] key : all)
        {
            checkKey(Operation.GET_ALL, key);
        }
        final CompletableFuture<List<byte[]>> future = new CompletableFuture<>();
        final byte[][] values = new byte[all.length][];
        final AtomicInteger left = new AtomicInteger(all.length);
        if (all.length == 0)
        {
            future.complete(List.of());
        }
        for (int i = 0; i < all.length; i++)
        {
            final int index = i;
            submit(Operation.GET, all[i], null, (result, failure) ->
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

    @Override
    public CompletableFuture<Void> put(final byte[] key, final byte[] value)
    {
        ValueLength.check(Operation.PUT, value.length, context.server());
        final CompletableFuture<Void> future = new CompletableFuture<>();
        submit(Operation.PUT, key, value, (result, failure) -> end(future, null, failure));
        return future;
    }

    @Override
    public CompletableFuture<Void> put(final String key, final String value)
    {
        return put(text(Operation.PUT, key, "key"), text(Operation.PUT, value, "value"));
    }

    @Override
    public CompletableFuture<WriteOutcome> put(final byte[] key, final byte[] value, final PutOptions options)
    {
        Objects.requireNonNull(options, "options");
        ValueLength.check(Operation.PUT, value.length, context.server());
        final CompletableFuture<WriteOutcome> future = new CompletableFuture<>();
        submit(Operation.PUT, key, value, options, (result, failure) -> end(future, (WriteOutcome)result, failure));
        return future;
    }

    @Override
    public CompletableFuture<WriteOutcome> put(final String key, final String value, final PutOptions options)
    {
        return put(text(Operation.PUT, key, "key"), text(Operation.PUT, value, "value"), options);
    }

    @Override
    public CompletableFuture<Boolean> delete(final byte[] key)
    {
        final CompletableFuture<Boolean> future = new CompletableFuture<>();
        submit(Operation.DELETE, key, null, (result, failure) -> end(future, (Boolean)result, failure));
        return future;
    }

    @Override
    public CompletableFuture<Boolean> delete(final String key)
    {
        return delete(text(Operation.DELETE, key, "key"));
    }

    private void submit(
        final String name, final byte[] key, final byte[] value, final AsyncOperation.Completion completion)
    {
        submit(name, key, value, null, completion);
    }

    private void submit(
        final String name,
        final byte[] key,
        final byte[] value,
        final PutOptions options,
        final AsyncOperation.Completion completion)
    {
        checkKey(name, key);
        worker.submit(new AsyncOperation(
            name, key, value, options, System.nanoTime() + context.configuration().deadlineNs(), completion));
    }

    private void checkKey(final String name, final byte[] key)
    {
        KeyLength.checked(name, key.length, context.addressText());
    }

    private byte[] text(final String name, final String text, final String what)
    {
        return Utf8.encoded(text, what, name, context.addressText());
    }

    private static <T> void end(final CompletableFuture<T> future, final T result, final StoreException failure)
    {
        if (failure != null)
        {
            future.completeExceptionally(failure);
        }
        else
        {
            future.complete(result);
        }
    }
}

package org.onesided.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.request.ValueLength;
import org.onesided.client.request.WriteTerms;
import org.onesided.client.session.Deadline;
import org.onesided.client.session.KeyLength;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * Creates futures of operations that a worker carries out.
 */
final class AsyncFutures implements AsyncStore
{
    private static final PutOptions KEEPING = PutOptions.NONE.expiry(Expiry.KEEP);

    private final AsyncSubmission submission;
    private final AsyncBatches batches;

    AsyncFutures(final AsyncSubmission submission)
    {
        this.submission = submission;
        batches = new AsyncBatches(submission);
    }

    @Override
    public AsyncStore within(final Duration deadline)
    {
        return new AsyncFutures(submission.within(Deadline.checked(deadline)));
    }

    @Override
    public CompletableFuture<byte @Nullable []> get(final byte[] key)
    {
        final CompletableFuture<byte[]> future = new CompletableFuture<>();
        submit(Operation.GET, key, null, (result, failure) -> end(future, (byte[])result, failure));
        return future;
    }

    @Override
    public CompletableFuture<@Nullable String> get(final String key)
    {
        final CompletableFuture<String> future = new CompletableFuture<>();
        submit(Operation.GET, text(Operation.GET, key, "key"), null, (result, failure) ->
        {
            final String text = result == null ? null : Utf8.decode((byte[])result);
            end(future, text, result == null || text != null ? failure : noText((byte[])result));
        });
        return future;
    }

    @Override
    public CompletableFuture<Boolean> contains(final byte[] key)
    {
        return submit(Operation.CONTAINS, key, null, null, Boolean.class);
    }

    @Override
    public CompletableFuture<Boolean> contains(final String key)
    {
        return contains(text(Operation.CONTAINS, key, "key"));
    }

    @Override
    public CompletableFuture<List<byte @Nullable []>> getAll(final List<byte[]> keys)
    {
        return batches.get(keys);
    }

    @Override
    public CompletableFuture<Map<String, String>> getAll(final Set<String> keys)
    {
        final List<String> all = List.copyOf(keys);
        return composed(batches.get(Texts.all(Operation.GET_ALL, all, submission.server())),
            values -> Texts.found(all, values, submission.server()));
    }

    @Override
    public CompletableFuture<Void> putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        return composed(batches.put(keys, values, null), outcomes -> null);
    }

    @Override
    public CompletableFuture<List<WriteOutcome>> putAll(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        return batches.put(keys, values, Objects.requireNonNull(options, "options"));
    }

    @Override
    public CompletableFuture<Void> putAll(final Map<String, String> pairs)
    {
        final List<byte[]> keys = new ArrayList<>(pairs.size());
        final List<byte[]> values = new ArrayList<>(pairs.size());
        pairs.forEach((key, value) ->
        {
            keys.add(text(Operation.PUT_ALL, key, "key"));
            values.add(text(Operation.PUT_ALL, value, "value"));
        });
        return putAll(keys, values);
    }

    @Override
    public CompletableFuture<Integer> deleteAll(final List<byte[]> keys)
    {
        return batches.delete(keys);
    }

    @Override
    public CompletableFuture<Integer> deleteAll(final Set<String> keys)
    {
        return batches.delete(Texts.all(Operation.DELETE_ALL, keys, submission.server()));
    }

    @Override
    public CompletableFuture<Void> put(final byte[] key, final byte[] value)
    {
        ValueLength.check(Operation.PUT, value.length, submission.server());
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
    public CompletableFuture<@Nullable VersionedValue<byte[]>> getVersioned(final byte[] key)
    {
        final CompletableFuture<VersionedValue<byte[]>> future = new CompletableFuture<>();
        submit(Operation.GET, key, null, PutOptions.NONE, (result, failure) ->
        {
            final VersionedValue<?> found = (VersionedValue<?>)result;
            end(future, found == null ? null :
                new VersionedValue<>((byte[])found.value(), found.version()), failure);
        });
        return future;
    }

    @Override
    public CompletableFuture<@Nullable VersionedValue<String>> getVersioned(final String key)
    {
        final CompletableFuture<VersionedValue<String>> future = new CompletableFuture<>();
        submit(Operation.GET, text(Operation.GET, key, "key"), null, PutOptions.NONE, (result, failure) ->
        {
            final VersionedValue<?> found = (VersionedValue<?>)result;
            final String text = found == null ? null : Utf8.decode((byte[])found.value());
            end(future, text == null ? null : new VersionedValue<>(text, found.version()),
                found == null || text != null ? failure : noText((byte[])found.value()));
        });
        return future;
    }

    @Override
    public CompletableFuture<WriteOutcome> put(final byte[] key, final byte[] value, final PutOptions options)
    {
        Objects.requireNonNull(options, "options");
        ValueLength.check(Operation.PUT, value.length, submission.server());
        return submit(Operation.PUT, key, value, options, WriteOutcome.class);
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

    @Override
    public CompletableFuture<WriteOutcome> deleteIfVersion(final byte[] key, final Version version)
    {
        return submit(Operation.DELETE, key, null, PutOptions.ifVersion(version), WriteOutcome.class);
    }

    @Override
    public CompletableFuture<WriteOutcome> deleteIfVersion(final String key, final Version version)
    {
        return deleteIfVersion(text(Operation.DELETE, key, "key"), version);
    }

    @Override
    public CompletableFuture<byte @Nullable []> update(
        final byte[] key, final UnaryOperator<byte @Nullable []> function)
    {
        return update(key, Objects.requireNonNull(function, "function"), UnaryOperator.identity());
    }

    @Override
    public CompletableFuture<@Nullable String> update(final String key, final UnaryOperator<@Nullable String> function)
    {
        Objects.requireNonNull(function, "function");
        return update(
            text(Operation.UPDATE, key, "key"),
            before ->
            {
                final String after = function.apply(decoded(key, before));
                return after == null ? null : text(Operation.UPDATE, after, "value");
            },
            after -> decoded(key, after));
    }

    @Override
    public CompletableFuture<byte @Nullable []> getAndPut(final byte[] key, final byte[] value)
    {
        ValueLength.check(Operation.UPDATE, value.length, submission.server());
        return exchange(key, value, UnaryOperator.identity());
    }

    @Override
    public CompletableFuture<@Nullable String> getAndPut(final String key, final String value)
    {
        final byte[] bytes = text(Operation.UPDATE, value, "value");
        ValueLength.check(Operation.UPDATE, bytes.length, submission.server());
        return exchange(text(Operation.UPDATE, key, "key"), bytes, before -> decoded(key, before));
    }

    @Override
    public CompletableFuture<byte @Nullable []> getAndDelete(final byte[] key)
    {
        return exchange(key, null, UnaryOperator.identity());
    }

    @Override
    public CompletableFuture<@Nullable String> getAndDelete(final String key)
    {
        return exchange(text(Operation.UPDATE, key, "key"), null, before -> decoded(key, before));
    }

    /** Gives a key a value, or none, once the one before is decoded, which the future gets. */
    private <T> CompletableFuture<T> exchange(final byte[] key, final byte[] value, final Function<byte[], T> decoder)
    {
        final AtomicReference<T> last = new AtomicReference<>();
        return update(
            key,
            before ->
            {
                last.set(decoder.apply(before));
                return value;
            },
            after -> last.get());
    }

    private <T> CompletableFuture<T> update(
        final byte[] key, final UnaryOperator<byte[]> function, final Function<byte[], T> result)
    {
        checkKey(Operation.UPDATE, key);
        return new AsyncUpdate<>(submission, key, function, result).begin();
    }

    private String decoded(final String key, final byte[] value)
    {
        return value == null ? null : Texts.of(Operation.UPDATE, key, value, submission.server());
    }

    @Override
    public CompletableFuture<Long> increment(
        final byte[] key, final long delta, final long initial, final Expiry expiry,
        final @Nullable MutableVersion version)
    {
        final CompletableFuture<Long> future = new CompletableFuture<>();
        submit(Operation.INCREMENT, key, null, keeping(expiry), delta, initial,
            (result, failure) -> end(future, (Long)computed(result, version), failure));
        return future;
    }

    @Override
    public CompletableFuture<Long> increment(
        final String key, final long delta, final long initial, final Expiry expiry)
    {
        return increment(text(Operation.INCREMENT, key, "key"), delta, initial, expiry);
    }

    @Override
    public CompletableFuture<Integer> append(
        final byte[] key, final byte[] value, final Expiry expiry, final @Nullable MutableVersion version)
    {
        ValueLength.checkAppended(value.length, submission.server());
        final CompletableFuture<Integer> future = new CompletableFuture<>();
        submit(Operation.APPEND, key, value, keeping(expiry),
            (result, failure) -> end(future, (Integer)computed(result, version), failure));
        return future;
    }

    @Override
    public CompletableFuture<Integer> append(final String key, final String value, final Expiry expiry)
    {
        return append(text(Operation.APPEND, key, "key"), text(Operation.APPEND, value, "value"), expiry);
    }

    @Override
    public CompletableFuture<Boolean> touch(final byte[] key, final Expiry expiry)
    {
        WriteTerms.ofTouch(expiry);
        return submit(Operation.TOUCH, key, null, PutOptions.NONE.expiry(expiry), Boolean.class);
    }

    @Override
    public CompletableFuture<Boolean> touch(final String key, final Expiry expiry)
    {
        return touch(text(Operation.TOUCH, key, "key"), expiry);
    }

    @Override
    public CompletableFuture<@Nullable TimeToLive> ttl(final byte[] key)
    {
        return submit(Operation.TTL, key, null, null, TimeToLive.class);
    }

    @Override
    public CompletableFuture<@Nullable TimeToLive> ttl(final String key)
    {
        return ttl(text(Operation.TTL, key, "key"));
    }

    /** What the server computed. Its version goes to the caller, before the future is done. */
    private static Object computed(final Object result, final MutableVersion version)
    {
        if (result == null)
        {
            return null;
        }
        final VersionedValue<?> computed = (VersionedValue<?>)result;
        if (version != null && computed.version() != null)
        {
            version.set(computed.version().tableId(), computed.version().number());
        }
        return computed.value();
    }

    /** The same future with another result; what the function throws ends it, too. */
    private static <T, R> CompletableFuture<R> composed(
        final CompletableFuture<T> future, final Function<T, R> function)
    {
        final CompletableFuture<R> other = new CompletableFuture<>();
        future.whenComplete((result, failure) ->
        {
            try
            {
                // Not by thenApply, which would wrap the failure.
                if (failure != null)
                {
                    other.completeExceptionally(failure);
                }
                else
                {
                    other.complete(function.apply(result));
                }
            }
            catch (final RuntimeException e)
            {
                other.completeExceptionally(e);
            }
        });
        return other;
    }

    /** Options of a write without a condition. */
    private static PutOptions keeping(final Expiry expiry)
    {
        return expiry == Expiry.KEEP ? KEEPING : PutOptions.NONE.expiry(expiry);
    }

    private StoreLimitException noText(final byte[] value)
    {
        return new StoreLimitException("value is not valid UTF-8, get it as bytes: length=" + value.length,
            FailureContext.unsent(Operation.GET, submission.address()));
    }

    private <T> CompletableFuture<T> submit(
        final String name, final byte[] key, final byte[] value, final PutOptions options, final Class<T> type)
    {
        final CompletableFuture<T> future = new CompletableFuture<>();
        submit(name, key, value, options, (result, failure) -> end(future, type.cast(result), failure));
        return future;
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
        submit(name, key, value, options, 0, 0, completion);
    }

    private void submit(
        final String name,
        final byte[] key,
        final byte[] value,
        final PutOptions options,
        final long delta,
        final long initial,
        final AsyncOperation.Completion completion)
    {
        checkKey(name, key);
        submission.submit(name, key, value, options, delta, initial, submission.deadlineNs(), completion);
    }

    private void checkKey(final String name, final byte[] key)
    {
        KeyLength.checked(name, key.length, submission.address());
    }

    private byte[] text(final String name, final String text, final String what)
    {
        return Utf8.encoded(text, what, name, submission.address());
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

package org.onesided.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * The {@link ConditionalOperations} of an {@link AsyncStore}, with the same outcomes. A condition that does not hold is
 * an outcome and no failure.
 */
public interface AsyncConditionalOperations
{
    /**
     * Looks a key up.
     *
     * @param key 1 to 4096 bytes.
     * @return a new array with its value, and the value's version; or null if the key is absent.
     */
    CompletableFuture<@Nullable VersionedValue<byte[]>> getVersioned(byte[] key);

    /**
     * As {@link #getVersioned(byte[])}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @return a new array with its value, and the value's version; or null if the key is absent.
     */
    default CompletableFuture<@Nullable VersionedValue<byte[]>> getVersioned(
        final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return getVersioned(Copies.of(key, keyOffset, keyLength));
    }

    /**
     * Looks a key up and decodes its value.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return its value and the value's version, or null if the key is absent.
     */
    CompletableFuture<@Nullable VersionedValue<String>> getVersioned(String key);

    /**
     * Puts a value, under a condition and with a time when the key expires.
     *
     * @param key     1 to 4096 bytes.
     * @param value   any bytes, to the server's limit.
     * @param options condition and time.
     * @return whether the condition held and the key has the value then, with its version.
     */
    CompletableFuture<WriteOutcome> put(byte[] key, byte[] value, PutOptions options);

    /**
     * As {@link #put(byte[], byte[], PutOptions)}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @param options     condition and time.
     * @return whether the condition held and the key has the value then, with its version.
     */
    default CompletableFuture<WriteOutcome> put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final PutOptions options)
    {
        return put(Copies.of(key, keyOffset, keyLength), Copies.of(value, valueOffset, valueLength), options);
    }

    /**
     * Puts a value, under a condition and with a time when the key expires.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param value   text, stored as UTF-8.
     * @param options condition and time.
     * @return whether the condition held and the key has the value then, with its version.
     */
    CompletableFuture<WriteOutcome> put(String key, String value, PutOptions options);

    /**
     * Gives a key a value if it has none.
     *
     * @param key   1 to 4096 bytes.
     * @param value any bytes, to the server's limit.
     * @return whether the key was absent and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfAbsent(final byte[] key, final byte[] value)
    {
        return put(key, value, PutOptions.ifAbsent());
    }

    /**
     * As {@link #putIfAbsent(byte[], byte[])}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text, stored as UTF-8.
     * @return whether the key was absent and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfAbsent(final String key, final String value)
    {
        return put(key, value, PutOptions.ifAbsent());
    }

    /**
     * Gives a key another value if it has one.
     *
     * @param key   1 to 4096 bytes.
     * @param value any bytes, to the server's limit.
     * @return whether the key was present and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfPresent(final byte[] key, final byte[] value)
    {
        return put(key, value, PutOptions.ifPresent());
    }

    /**
     * As {@link #putIfPresent(byte[], byte[])}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text, stored as UTF-8.
     * @return whether the key was present and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfPresent(final String key, final String value)
    {
        return put(key, value, PutOptions.ifPresent());
    }

    /**
     * Gives a key another value if nobody has changed the one that was looked up.
     *
     * @param key     1 to 4096 bytes.
     * @param value   any bytes, to the server's limit.
     * @param version that the key has to have.
     * @return whether the key had the version and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfVersion(final byte[] key, final byte[] value, final Version version)
    {
        return put(key, value, PutOptions.ifVersion(version));
    }

    /**
     * As {@link #putIfVersion(byte[], byte[], Version)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param value   text, stored as UTF-8.
     * @param version that the key has to have.
     * @return whether the key had the version and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfVersion(final String key, final String value, final Version version)
    {
        return put(key, value, PutOptions.ifVersion(version));
    }

    /**
     * Removes a key if nobody has changed the value that was looked up.
     *
     * @param key     1 to 4096 bytes.
     * @param version that the key has to have.
     * @return whether the key had the version and is absent then.
     */
    CompletableFuture<WriteOutcome> deleteIfVersion(byte[] key, Version version);

    /**
     * As {@link #deleteIfVersion(byte[], Version)}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param version   that the key has to have.
     * @return whether the key had the version and is absent then.
     */
    default CompletableFuture<WriteOutcome> deleteIfVersion(
        final DirectBuffer key, final int keyOffset, final int keyLength, final Version version)
    {
        return deleteIfVersion(Copies.of(key, keyOffset, keyLength), version);
    }

    /**
     * As {@link #deleteIfVersion(byte[], Version)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param version that the key has to have.
     * @return whether the key had the version and is absent then.
     */
    CompletableFuture<WriteOutcome> deleteIfVersion(String key, Version version);

    /**
     * Replaces a key's value by one that is computed from it, as one step: looks the key up, and writes if nobody has
     * changed it meanwhile. If somebody has, it begins again with the new value at once, until the deadline, which
     * holds for all attempts together; then it fails with {@link StoreConflictException}, and nothing has changed. Many
     * updates of one key at a time stand in each other's way. Completing or cancelling the future ends the attempts.
     *
     * @param key      1 to 4096 bytes.
     * @param function gets the value, or null if the key is absent; returns the new value, or null so that the key is
     *                 absent afterwards. Called once for each attempt, where futures are completed, and must not block
     *                 there. What it throws ends the update without a change, and the future with that.
     * @return the new value, or null if the key is absent then.
     */
    CompletableFuture<byte @Nullable []> update(byte[] key, UnaryOperator<byte @Nullable []> function);

    /**
     * As {@link #update(byte[], UnaryOperator)}.
     *
     * @param key      text of 1 to 4096 bytes in UTF-8.
     * @param function gets and returns the value as text, or null.
     * @return the new value, or null if the key is absent then.
     */
    CompletableFuture<@Nullable String> update(String key, UnaryOperator<@Nullable String> function);

    /**
     * Gives a key a value and returns the one that it replaces, as one step; by {@link #update(byte[], UnaryOperator)}.
     *
     * @param key   1 to 4096 bytes.
     * @param value any bytes, to the server's limit.
     * @return the value before, or null if the key was absent.
     */
    CompletableFuture<byte @Nullable []> getAndPut(byte[] key, byte[] value);

    /**
     * As {@link #getAndPut(byte[], byte[])}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text, stored as UTF-8.
     * @return the value before, or null if the key was absent. If it is not valid UTF-8, the key keeps it.
     */
    CompletableFuture<@Nullable String> getAndPut(String key, String value);

    /**
     * Removes a key and returns its value, as one step; by {@link #update(byte[], UnaryOperator)}.
     *
     * @param key 1 to 4096 bytes.
     * @return the value before, or null if the key was absent.
     */
    CompletableFuture<byte @Nullable []> getAndDelete(byte[] key);

    /**
     * As {@link #getAndDelete(byte[])}.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return the value before, or null if the key was absent. If it is not valid UTF-8, the key keeps it.
     */
    CompletableFuture<@Nullable String> getAndDelete(String key);

    /**
     * As {@link #putIfAbsent(byte[], byte[])}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @return whether the key was absent and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfAbsent(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        return put(key, keyOffset, keyLength, value, valueOffset, valueLength, PutOptions.ifAbsent());
    }

    /**
     * As {@link #putIfPresent(byte[], byte[])}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @return whether the key was present and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfPresent(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        return put(key, keyOffset, keyLength, value, valueOffset, valueLength, PutOptions.ifPresent());
    }

    /**
     * As {@link #putIfVersion(byte[], byte[], Version)}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @param version     that the key has to have.
     * @return whether the key had the version and has the value then.
     */
    default CompletableFuture<WriteOutcome> putIfVersion(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Version version)
    {
        return put(key, keyOffset, keyLength, value, valueOffset, valueLength, PutOptions.ifVersion(version));
    }
}

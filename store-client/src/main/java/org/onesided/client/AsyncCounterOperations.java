package org.onesided.client;

import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreValueException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;

/**
 * The {@link CounterOperations} of an {@link AsyncStore}: writes that the server computes from a key's present value,
 * each at most once. A key whose value does not allow it fails the future with {@link StoreValueException}, and nothing
 * has changed.
 */
public interface AsyncCounterOperations
{
    /**
     * Adds to a key's number; that of an absent key is 0.
     *
     * @param key   1 to 4096 bytes.
     * @param delta to add; may be negative.
     * @return the new number.
     */
    default CompletableFuture<Long> increment(final byte[] key, final long delta)
    {
        return increment(key, delta, 0, Expiry.KEEP);
    }

    /**
     * As {@link #increment(byte[], long)}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param delta to add; may be negative.
     * @return the new number.
     */
    default CompletableFuture<Long> increment(final String key, final long delta)
    {
        return increment(key, delta, 0, Expiry.KEEP);
    }

    /**
     * As {@link #increment(byte[], long)}, from an initial number.
     *
     * @param key     1 to 4096 bytes.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @return the new number.
     */
    default CompletableFuture<Long> increment(final byte[] key, final long delta, final long initial)
    {
        return increment(key, delta, initial, Expiry.KEEP);
    }

    /**
     * As {@link #increment(byte[], long, long)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @return the new number.
     */
    default CompletableFuture<Long> increment(final String key, final long delta, final long initial)
    {
        return increment(key, delta, initial, Expiry.KEEP);
    }

    /**
     * As {@link #increment(byte[], long, long)}, with a time when the key expires.
     *
     * @param key     1 to 4096 bytes.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @param expiry  what becomes of the key's time; without it the key keeps its time.
     * @return the new number.
     */
    default CompletableFuture<Long> increment(
        final byte[] key, final long delta, final long initial, final Expiry expiry)
    {
        return increment(key, delta, initial, expiry, null);
    }

    /**
     * As {@link #increment(byte[], long, long, Expiry)}.
     *
     * @param key     1 to 4096 bytes.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @param expiry  what becomes of the key's time.
     * @param version gets the version of the new number before the future is done; null for none.
     * @return the new number.
     */
    CompletableFuture<Long> increment(
        byte[] key, long delta, long initial, Expiry expiry, @Nullable MutableVersion version);

    /**
     * As {@link #increment(byte[], long, long, Expiry, MutableVersion)}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param delta     to add; may be negative.
     * @param initial   number to which it is added if the key is absent.
     * @param expiry    what becomes of the key's time.
     * @param version   gets the version of the new number before the future is done; null for none.
     * @return the new number.
     */
    default CompletableFuture<Long> increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial,
        final Expiry expiry, final @Nullable MutableVersion version)
    {
        return increment(Copies.of(key, keyOffset, keyLength), delta, initial, expiry, version);
    }

    /**
     * As {@link #increment(byte[], long, long, Expiry)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @param expiry  what becomes of the key's time.
     * @return the new number.
     */
    CompletableFuture<Long> increment(String key, long delta, long initial, Expiry expiry);

    /**
     * Adds bytes to the end of a key's value; that of an absent key is empty. The value may be up to 64 KiB long then.
     *
     * @param key   1 to 4096 bytes.
     * @param value up to 4096 bytes to add; with the key, they must fit into a message of the server.
     * @return the value's new length in bytes.
     * @throws StoreLimitException if the bytes to add are more than 4096.
     */
    default CompletableFuture<Integer> append(final byte[] key, final byte[] value)
    {
        return append(key, value, Expiry.KEEP);
    }

    /**
     * As {@link #append(byte[], byte[])}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text to add, as UTF-8.
     * @return the value's new length in bytes.
     */
    default CompletableFuture<Integer> append(final String key, final String value)
    {
        return append(key, value, Expiry.KEEP);
    }

    /**
     * As {@link #append(byte[], byte[])}, with a time when the key expires.
     *
     * @param key    1 to 4096 bytes.
     * @param value  up to 4096 bytes to add.
     * @param expiry what becomes of the key's time; without it the key keeps its time.
     * @return the value's new length in bytes.
     */
    default CompletableFuture<Integer> append(final byte[] key, final byte[] value, final Expiry expiry)
    {
        return append(key, value, expiry, null);
    }

    /**
     * As {@link #append(byte[], byte[], Expiry)}.
     *
     * @param key     1 to 4096 bytes.
     * @param value   up to 4096 bytes to add.
     * @param expiry  what becomes of the key's time.
     * @param version gets the version of the new value before the future is done; null for none.
     * @return the value's new length in bytes.
     */
    CompletableFuture<Integer> append(byte[] key, byte[] value, Expiry expiry, @Nullable MutableVersion version);

    /**
     * As {@link #append(byte[], byte[], Expiry, MutableVersion)}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @param expiry      what becomes of the key's time.
     * @param version     gets the version of the new value before the future is done; null for none.
     * @return the value's new length in bytes.
     */
    default CompletableFuture<Integer> append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Expiry expiry, final @Nullable MutableVersion version)
    {
        return append(
            Copies.of(key, keyOffset, keyLength), Copies.of(value, valueOffset, valueLength), expiry, version);
    }

    /**
     * As {@link #append(byte[], byte[], Expiry)}.
     *
     * @param key    text of 1 to 4096 bytes in UTF-8.
     * @param value  text to add, as UTF-8.
     * @param expiry what becomes of the key's time.
     * @return the value's new length in bytes.
     */
    CompletableFuture<Integer> append(String key, String value, Expiry expiry);

    /**
     * As {@link #increment(byte[], long, long)}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param delta     to add; may be negative.
     * @param initial   number to which it is added if the key is absent.
     * @return the new number.
     */
    default CompletableFuture<Long> increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial)
    {
        return increment(Copies.of(key, keyOffset, keyLength), delta, initial, Expiry.KEEP);
    }

    /**
     * As {@link #increment(byte[], long, long, Expiry)}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param delta     to add; may be negative.
     * @param initial   number to which it is added if the key is absent.
     * @param expiry    what becomes of the key's time.
     * @return the new number.
     */
    default CompletableFuture<Long> increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial,
        final Expiry expiry)
    {
        return increment(Copies.of(key, keyOffset, keyLength), delta, initial, expiry);
    }

    /**
     * As {@link #append(byte[], byte[])}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @return the value's new length in bytes.
     */
    default CompletableFuture<Integer> append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        return append(Copies.of(key, keyOffset, keyLength), Copies.of(value, valueOffset, valueLength), Expiry.KEEP);
    }

    /**
     * As {@link #append(byte[], byte[], Expiry)}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @param expiry      what becomes of the key's time.
     * @return the value's new length in bytes.
     */
    default CompletableFuture<Integer> append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Expiry expiry)
    {
        return append(Copies.of(key, keyOffset, keyLength), Copies.of(value, valueOffset, valueLength), expiry);
    }
}

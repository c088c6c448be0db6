package org.onesided.client;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lookups, puts and deletes of an {@link AsyncStore}, with keys and values in any kind of buffer. Buffers are copied
 * before the call returns, and may be changed then; arrays must stay as they are until the future is done. Values that
 * are found come in new arrays.
 */
public interface AsyncBufferOperations
{
    /**
     * Looks a key up.
     *
     * @param key 1 to 4096 bytes.
     * @return a new array with its value, or null if the key is absent.
     */
    CompletableFuture<byte @Nullable []> get(byte[] key);

    /**
     * Looks whether a key is present. This costs as much as a lookup.
     *
     * @param key 1 to 4096 bytes.
     * @return whether the key is present.
     */
    CompletableFuture<Boolean> contains(byte[] key);

    /**
     * Gives a key a value, in place of the one it may have.
     *
     * @param key   1 to 4096 bytes.
     * @param value any bytes, to the server's limit.
     * @return done when the put is.
     */
    CompletableFuture<Void> put(byte[] key, byte[] value);

    /**
     * Removes a key and its value.
     *
     * @param key 1 to 4096 bytes.
     * @return whether the key was present.
     */
    CompletableFuture<Boolean> delete(byte[] key);

    /**
     * As {@link #get(byte[])}.
     *
     * @param key from its position to its limit, which are not changed; copied.
     * @return a new array with its value, or null if the key is absent.
     */
    default CompletableFuture<byte @Nullable []> get(final ByteBuffer key)
    {
        return get(Copies.of(key));
    }

    /**
     * As {@link #get(byte[])}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @return a new array with its value, or null if the key is absent.
     */
    default CompletableFuture<byte @Nullable []> get(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return get(Copies.of(key, keyOffset, keyLength));
    }

    /**
     * As {@link #get(byte[])}.
     *
     * @param key from its read position to its read limit, which are not changed; copied.
     * @return a new array with its value, or null if the key is absent.
     */
    default CompletableFuture<byte @Nullable []> get(final Bytes<?> key)
    {
        return get(Copies.of(key));
    }

    /**
     * As {@link #contains(byte[])}.
     *
     * @param key from its position to its limit, which are not changed; copied.
     * @return whether the key is present.
     */
    default CompletableFuture<Boolean> contains(final ByteBuffer key)
    {
        return contains(Copies.of(key));
    }

    /**
     * As {@link #contains(byte[])}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @return whether the key is present.
     */
    default CompletableFuture<Boolean> contains(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return contains(Copies.of(key, keyOffset, keyLength));
    }

    /**
     * As {@link #contains(byte[])}.
     *
     * @param key from its read position to its read limit, which are not changed; copied.
     * @return whether the key is present.
     */
    default CompletableFuture<Boolean> contains(final Bytes<?> key)
    {
        return contains(Copies.of(key));
    }

    /**
     * As {@link #delete(byte[])}.
     *
     * @param key from its position to its limit, which are not changed; copied.
     * @return whether the key was present.
     */
    default CompletableFuture<Boolean> delete(final ByteBuffer key)
    {
        return delete(Copies.of(key));
    }

    /**
     * As {@link #delete(byte[])}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @return whether the key was present.
     */
    default CompletableFuture<Boolean> delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return delete(Copies.of(key, keyOffset, keyLength));
    }

    /**
     * As {@link #delete(byte[])}.
     *
     * @param key from its read position to its read limit, which are not changed; copied.
     * @return whether the key was present.
     */
    default CompletableFuture<Boolean> delete(final Bytes<?> key)
    {
        return delete(Copies.of(key));
    }

    /**
     * As {@link #put(byte[], byte[])}.
     *
     * @param key   from its position to its limit, which are not changed; copied.
     * @param value from its position to its limit, which are not changed; copied.
     * @return done when the put is.
     */
    default CompletableFuture<Void> put(final ByteBuffer key, final ByteBuffer value)
    {
        return put(Copies.of(key), Copies.of(value));
    }

    /**
     * As {@link #put(byte[], byte[])}.
     *
     * @param key         buffer that holds the key, which is copied.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value, which is copied.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @return done when the put is.
     */
    default CompletableFuture<Void> put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        return put(
            Copies.of(key, keyOffset, keyLength), Copies.of(value, valueOffset, valueLength));
    }

    /**
     * As {@link #put(byte[], byte[])}.
     *
     * @param key   from its read position to its read limit, which are not changed; copied.
     * @param value from its read position to its read limit, which are not changed; copied.
     * @return done when the put is.
     */
    default CompletableFuture<Void> put(final Bytes<?> key, final Bytes<?> value)
    {
        return put(Copies.of(key), Copies.of(value));
    }
}

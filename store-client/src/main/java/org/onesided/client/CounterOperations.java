package org.onesided.client;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreValueException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.ServerInfo;

/**
 * Writes that the server computes from a key's present value, in one step: no other write comes in between. Each takes
 * effect at most once, however often the client has to send it.
 *
 * <p>A counter is a value that is the decimal text of a number of 64 bits: a minus sign if the number is below zero,
 * then digits, without leading zeros. So a lookup returns it as text, and a put of such a text sets it.
 *
 * <p>Failures, deadlines and threads are those of {@link StoreOperations}. If the
 * {@linkplain org.onesided.client.exceptions.StoreException#writeFate() fate} of one is unknown, do not repeat it: it
 * may take effect twice then.
 */
public interface CounterOperations
{
    /**
     * Adds to a key's number; that of an absent key is 0.
     *
     * @param key   1 to 4096 bytes.
     * @param delta to add; may be negative.
     * @return the new number.
     * @throws StoreValueException if the key's value is no number, or the sum does not fit into 64 bits; nothing
     *                             changed.
     * @throws StoreFullException  if there is no room; nothing changed.
     */
    default long increment(final byte[] key, final long delta)
    {
        return increment(key, delta, 0);
    }

    /**
     * As {@link #increment(byte[], long)}, from an initial number.
     *
     * @param key     1 to 4096 bytes.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @return the new number.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     * @throws StoreFullException  if there is no room; nothing changed.
     */
    default long increment(final byte[] key, final long delta, final long initial)
    {
        return increment(new UnsafeBuffer(key), 0, key.length, delta, initial);
    }

    /**
     * As {@link #increment(byte[], long)}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param delta to add; may be negative.
     * @return the new number.
     * @throws StoreLimitException also if the key is no valid Unicode.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     */
    default long increment(final String key, final long delta)
    {
        return increment(key, delta, 0);
    }

    /**
     * As {@link #increment(byte[], long, long)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @return the new number.
     * @throws StoreLimitException also if the key is no valid Unicode.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     */
    default long increment(final String key, final long delta, final long initial)
    {
        return increment(Texts.bytes(Operation.INCREMENT, key, "key", server()), delta, initial);
    }

    /**
     * As {@link #increment(byte[], long, long)}, without allocating.
     *
     * @param key       buffer that holds the key.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param delta     to add; may be negative.
     * @param initial   number to which it is added if the key is absent.
     * @return the new number.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     * @throws StoreFullException  if there is no room; nothing changed.
     */
    default long increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial)
    {
        return increment(key, keyOffset, keyLength, delta, initial, Expiry.KEEP);
    }

    /**
     * As {@link #increment(byte[], long, long)}, with a time when the key expires.
     *
     * @param key     1 to 4096 bytes.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @param expiry  what becomes of the key's time; without it the key keeps its time.
     * @return the new number.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     * @throws StoreFullException  if there is no room; nothing changed.
     */
    default long increment(final byte[] key, final long delta, final long initial, final Expiry expiry)
    {
        return increment(new UnsafeBuffer(key), 0, key.length, delta, initial, expiry);
    }

    /**
     * As {@link #increment(byte[], long, long, Expiry)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @param expiry  what becomes of the key's time.
     * @return the new number.
     * @throws StoreLimitException also if the key is no valid Unicode.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     */
    default long increment(final String key, final long delta, final long initial, final Expiry expiry)
    {
        return increment(Texts.bytes(Operation.INCREMENT, key, "key", server()), delta, initial, expiry);
    }

    /**
     * As {@link #increment(byte[], long, long, Expiry)}, without allocating if the expiry is a constant.
     *
     * @param key       buffer that holds the key.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param delta     to add; may be negative.
     * @param initial   number to which it is added if the key is absent.
     * @param expiry    what becomes of the key's time.
     * @return the new number.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     * @throws StoreFullException  if there is no room; nothing changed.
     */
    default long increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial,
        final Expiry expiry)
    {
        return increment(key, keyOffset, keyLength, delta, initial, expiry, null);
    }

    /**
     * As {@link #increment(byte[], long, long, Expiry)}, and tells the version that the key got.
     *
     * @param key     1 to 4096 bytes.
     * @param delta   to add; may be negative.
     * @param initial number to which it is added if the key is absent.
     * @param expiry  what becomes of the key's time.
     * @param version gets the version.
     * @return the new number.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     * @throws StoreFullException  if there is no room; nothing changed.
     */
    default long increment(
        final byte[] key, final long delta, final long initial, final Expiry expiry, final MutableVersion version)
    {
        return increment(new UnsafeBuffer(key), 0, key.length, delta, initial, expiry, version);
    }

    /**
     * As {@link #increment(byte[], long, long, Expiry, MutableVersion)}, without allocating if the expiry is a
     * constant.
     *
     * @param key       buffer that holds the key.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param delta     to add; may be negative.
     * @param initial   number to which it is added if the key is absent.
     * @param expiry    what becomes of the key's time.
     * @param version   gets the version that the key got; as it was after a failure; may be null.
     * @return the new number.
     * @throws StoreValueException as for {@link #increment(byte[], long)}.
     * @throws StoreFullException  if there is no room; nothing changed.
     */
    long increment(
        DirectBuffer key, int keyOffset, int keyLength, long delta, long initial, Expiry expiry,
        @Nullable MutableVersion version);

    /**
     * Adds bytes to the end of a key's value; that of an absent key is empty. The value may be up to 64 KiB long then,
     * and is copied by the server each time.
     *
     * @param key   1 to 4096 bytes.
     * @param value up to 4096 bytes to add; with the key, they must fit into a message of the server.
     * @return the value's new length in bytes.
     * @throws StoreLimitException also if the bytes to add are too many.
     * @throws StoreValueException if the value would be longer than 64 KiB; nothing changed.
     * @throws StoreFullException  if there is no room; nothing changed.
     */
    default int append(final byte[] key, final byte[] value)
    {
        return append(new UnsafeBuffer(key), 0, key.length, new UnsafeBuffer(value), 0, value.length);
    }

    /**
     * As {@link #append(byte[], byte[])}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text to add, as UTF-8.
     * @return the value's new length in bytes.
     * @throws StoreLimitException also if one of the texts is no valid Unicode.
     * @throws StoreValueException as for {@link #append(byte[], byte[])}.
     */
    default int append(final String key, final String value)
    {
        return append(
            Texts.bytes(Operation.APPEND, key, "key", server()),
            Texts.bytes(Operation.APPEND, value, "value", server()));
    }

    /**
     * As {@link #append(byte[], byte[])}, without allocating.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the bytes to add.
     * @param valueOffset of these in their buffer.
     * @param valueLength up to 4096 bytes.
     * @return the value's new length in bytes.
     * @throws StoreLimitException also if the bytes to add are too many.
     * @throws StoreValueException as for {@link #append(byte[], byte[])}.
     */
    default int append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        return append(key, keyOffset, keyLength, value, valueOffset, valueLength, Expiry.KEEP);
    }

    /**
     * As {@link #append(byte[], byte[])}, with a time when the key expires.
     *
     * @param key    1 to 4096 bytes.
     * @param value  up to 4096 bytes to add.
     * @param expiry what becomes of the key's time; without it the key keeps its time.
     * @return the value's new length in bytes.
     * @throws StoreLimitException also if the bytes to add are too many.
     * @throws StoreValueException as for {@link #append(byte[], byte[])}.
     */
    default int append(final byte[] key, final byte[] value, final Expiry expiry)
    {
        return append(new UnsafeBuffer(key), 0, key.length, new UnsafeBuffer(value), 0, value.length, expiry);
    }

    /**
     * As {@link #append(byte[], byte[], Expiry)}.
     *
     * @param key    text of 1 to 4096 bytes in UTF-8.
     * @param value  text to add, as UTF-8.
     * @param expiry what becomes of the key's time.
     * @return the value's new length in bytes.
     * @throws StoreLimitException also if one of the texts is no valid Unicode.
     * @throws StoreValueException as for {@link #append(byte[], byte[])}.
     */
    default int append(final String key, final String value, final Expiry expiry)
    {
        return append(
            Texts.bytes(Operation.APPEND, key, "key", server()),
            Texts.bytes(Operation.APPEND, value, "value", server()), expiry);
    }

    /**
     * As {@link #append(byte[], byte[], Expiry)}.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the bytes to add.
     * @param valueOffset of these in their buffer.
     * @param valueLength up to 4096 bytes.
     * @param expiry      what becomes of the key's time.
     * @return the value's new length in bytes.
     * @throws StoreLimitException also if the bytes to add are too many.
     * @throws StoreValueException as for {@link #append(byte[], byte[])}.
     */
    default int append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Expiry expiry)
    {
        return append(key, keyOffset, keyLength, value, valueOffset, valueLength, expiry, null);
    }

    /**
     * As {@link #append(byte[], byte[], Expiry)}, and tells the version that the key got.
     *
     * @param key     1 to 4096 bytes.
     * @param value   up to 4096 bytes to add.
     * @param expiry  what becomes of the key's time.
     * @param version gets the version.
     * @return the value's new length in bytes.
     * @throws StoreLimitException also if the bytes to add are too many.
     * @throws StoreValueException as for {@link #append(byte[], byte[])}.
     */
    default int append(final byte[] key, final byte[] value, final Expiry expiry, final MutableVersion version)
    {
        return append(new UnsafeBuffer(key), 0, key.length, new UnsafeBuffer(value), 0, value.length, expiry, version);
    }

    /**
     * As {@link #append(byte[], byte[], Expiry, MutableVersion)}.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the bytes to add.
     * @param valueOffset of these in their buffer.
     * @param valueLength up to 4096 bytes.
     * @param expiry      what becomes of the key's time.
     * @param version     gets the version that the key got; as it was after a failure; may be null.
     * @return the value's new length in bytes.
     * @throws StoreLimitException also if the bytes to add are too many.
     * @throws StoreValueException as for {@link #append(byte[], byte[])}.
     */
    int append(
        DirectBuffer key, int keyOffset, int keyLength, DirectBuffer value, int valueOffset, int valueLength,
        Expiry expiry, @Nullable MutableVersion version);

    /**
     * @return the server as of the latest connection; may be called by any thread.
     */
    ServerInfo server();
}

package org.onesided.client;

import java.util.Objects;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * Lookups that tell a value's version, and writes that take effect only if a condition on the key holds. The server
 * evaluates a condition and carries the write out in one step, and once, however often the client has to send it. A
 * condition that does not hold is an outcome and no failure.
 *
 * <p>Failures, deadlines and threads are those of {@link StoreOperations}. Each of these writes allocates its outcome.
 */
public interface ConditionalOperations
{
    /**
     * Looks a key up.
     *
     * @param key 1 to 4096 bytes.
     * @return a new array with its value, and the value's version; or null if the key is absent.
     */
    @Nullable VersionedValue<byte[]> getVersioned(byte[] key);

    /**
     * Looks a key up and decodes its value.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return its value and the value's version, or null if the key is absent.
     * @throws StoreLimitException also if the key is no valid Unicode, or the value is not valid UTF-8: get it as
     *                             bytes then.
     */
    default @Nullable VersionedValue<String> getVersioned(final String key)
    {
        final VersionedValue<byte[]> found = getVersioned(Texts.bytes(Operation.GET, key, "key", server()));
        return found == null ? null :
            new VersionedValue<>(Texts.of(Operation.GET, key, found.value(), server()), found.version());
    }

    /**
     * Looks a key up without allocating.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that gets the value; grows if it is expandable.
     * @param valueOffset where the value begins in its buffer.
     * @param version     gets the value's version, or none.
     * @return length of the value in bytes, or -1 if the key is absent and no value was written.
     * @throws StoreLimitException also if the value does not fit; then the version is as it was.
     */
    int getVersioned(
        DirectBuffer key, int keyOffset, int keyLength, MutableDirectBuffer value, int valueOffset,
        MutableVersion version);

    /**
     * Puts a value, under a condition and with a time when the key expires.
     *
     * @param key     1 to 4096 bytes.
     * @param value   any bytes, to the server's limit.
     * @param options condition and time.
     * @return whether the condition held and the key has the value now; with a time that is over, the key is absent.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    default WriteOutcome put(final byte[] key, final byte[] value, final PutOptions options)
    {
        return put(new UnsafeBuffer(key), 0, key.length, new UnsafeBuffer(value), 0, value.length, options);
    }

    /**
     * As {@link #put(byte[], byte[], PutOptions)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param value   text, stored as UTF-8.
     * @param options condition and time.
     * @return whether the condition held and the key has the value now.
     * @throws StoreLimitException also if one of the texts is no valid Unicode.
     */
    default WriteOutcome put(final String key, final String value, final PutOptions options)
    {
        return put(
            Texts.bytes(Operation.PUT, key, "key", server()), Texts.bytes(Operation.PUT, value, "value", server()),
            options);
    }

    /**
     * As {@link #put(byte[], byte[], PutOptions)}.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @param options     condition and time.
     * @return whether the condition held and the key has the value now.
     */
    default WriteOutcome put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final PutOptions options)
    {
        final MutableVersion version = new MutableVersion();
        final boolean isApplied =
            put(key, keyOffset, keyLength, value, valueOffset, valueLength, options, version);
        return new WriteOutcome(isApplied, version.toVersion());
    }

    /**
     * As {@link #put(byte[], byte[], PutOptions)}, without allocating if the options are a constant. With {@link
     * PutOptions#NONE} it is a plain put that tells the version.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @param options     condition and time.
     * @param version     gets the version that the key has then, or none; as it was after a failure.
     * @return whether the condition held and the key has the value now.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    boolean put(
        DirectBuffer key, int keyOffset, int keyLength, DirectBuffer value, int valueOffset, int valueLength,
        PutOptions options, MutableVersion version);

    /**
     * Gives a key a value if it has none.
     *
     * @param key   1 to 4096 bytes.
     * @param value any bytes, to the server's limit.
     * @return whether the key was absent and has the value now.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    default WriteOutcome putIfAbsent(final byte[] key, final byte[] value)
    {
        return put(key, value, PutOptions.ifAbsent());
    }

    /**
     * As {@link #putIfAbsent(byte[], byte[])}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text, stored as UTF-8.
     * @return whether the key was absent and has the value now.
     * @throws StoreLimitException also if one of them is no valid Unicode.
     */
    default WriteOutcome putIfAbsent(final String key, final String value)
    {
        return put(key, value, PutOptions.ifAbsent());
    }

    /**
     * As {@link #putIfAbsent(byte[], byte[])}.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @return whether the key was absent and has the value now.
     */
    default WriteOutcome putIfAbsent(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        return put(key, keyOffset, keyLength, value, valueOffset, valueLength, PutOptions.ifAbsent());
    }

    /**
     * Gives a key another value if it has one.
     *
     * @param key   1 to 4096 bytes.
     * @param value any bytes, to the server's limit.
     * @return whether the key was present and has the value now.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    default WriteOutcome putIfPresent(final byte[] key, final byte[] value)
    {
        return put(key, value, PutOptions.ifPresent());
    }

    /**
     * As {@link #putIfPresent(byte[], byte[])}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text, stored as UTF-8.
     * @return whether the key was present and has the value now.
     * @throws StoreLimitException also if one of them is no valid Unicode.
     */
    default WriteOutcome putIfPresent(final String key, final String value)
    {
        return put(key, value, PutOptions.ifPresent());
    }

    /**
     * As {@link #putIfPresent(byte[], byte[])}.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @return whether the key was present and has the value now.
     */
    default WriteOutcome putIfPresent(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        return put(key, keyOffset, keyLength, value, valueOffset, valueLength, PutOptions.ifPresent());
    }

    /**
     * Gives a key another value if nobody has changed the one that was looked up.
     *
     * @param key     1 to 4096 bytes.
     * @param value   any bytes, to the server's limit.
     * @param version that the key has to have.
     * @return whether the key had the version and has the value now.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    default WriteOutcome putIfVersion(final byte[] key, final byte[] value, final Version version)
    {
        return put(key, value, PutOptions.ifVersion(version));
    }

    /**
     * As {@link #putIfVersion(byte[], byte[], Version)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param value   text, stored as UTF-8.
     * @param version that the key has to have.
     * @return whether the key had the version and has the value now.
     * @throws StoreLimitException also if one of the texts is no valid Unicode.
     */
    default WriteOutcome putIfVersion(final String key, final String value, final Version version)
    {
        return put(key, value, PutOptions.ifVersion(version));
    }

    /**
     * As {@link #putIfVersion(byte[], byte[], Version)}.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @param version     that the key has to have.
     * @return whether the key had the version and has the value now.
     */
    default WriteOutcome putIfVersion(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Version version)
    {
        return put(key, keyOffset, keyLength, value, valueOffset, valueLength, PutOptions.ifVersion(version));
    }

    /**
     * Removes a key if nobody has changed the value that was looked up.
     *
     * @param key     1 to 4096 bytes.
     * @param version that the key has to have.
     * @return whether the key had the version and is absent now.
     */
    default WriteOutcome deleteIfVersion(final byte[] key, final Version version)
    {
        return deleteIfVersion(new UnsafeBuffer(key), 0, key.length, version);
    }

    /**
     * As {@link #deleteIfVersion(byte[], Version)}.
     *
     * @param key     text of 1 to 4096 bytes in UTF-8.
     * @param version that the key has to have.
     * @return whether the key had the version and is absent now.
     * @throws StoreLimitException also if the key is no valid Unicode.
     */
    default WriteOutcome deleteIfVersion(final String key, final Version version)
    {
        return deleteIfVersion(Texts.bytes(Operation.DELETE, key, "key", server()), version);
    }

    /**
     * As {@link #deleteIfVersion(byte[], Version)}.
     *
     * @param key       buffer that holds the key.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param version   that the key has to have.
     * @return whether the key had the version and is absent now.
     */
    WriteOutcome deleteIfVersion(DirectBuffer key, int keyOffset, int keyLength, Version version);

    /**
     * Replaces a key's value by one that is computed from it, as one step: looks the key up, and writes if nobody has
     * changed it meanwhile. If somebody has, it begins again with the new value after a short pause, until the
     * deadline. The deadline holds for all attempts together. A failure while the key is looked up has the fate
     * {@link WriteFate#NONE}: nothing changed.
     *
     * @param key      1 to 4096 bytes.
     * @param function gets the value, or null if the key is absent; returns the new value, or null so that the key is
     *                 absent afterwards. Called once for each attempt, in the calling thread. What it throws ends the
     *                 update without a change. A session stays lent to the thread meanwhile, so a function that uses
     *                 the client needs another one: with too few {@linkplain StoreClientBuilder#maxSessions sessions}
     *                 such functions wait for each other until their deadlines.
     * @return the new value, or null if the key is absent now.
     * @throws StoreConflictException if others changed the key again and again until the deadline; nothing changed.
     * @throws StoreFullException     if there is no room; nothing changed.
     */
    byte @Nullable [] update(byte[] key, UnaryOperator<byte @Nullable []> function);

    /**
     * As {@link #update(byte[], UnaryOperator)}.
     *
     * @param key      text of 1 to 4096 bytes in UTF-8.
     * @param function gets and returns the value as text, or null.
     * @return the new value, or null if the key is absent now.
     * @throws StoreConflictException if others changed the key again and again until the deadline; nothing changed.
     * @throws StoreLimitException    also if a text is no valid Unicode, or the value is not valid UTF-8.
     */
    default @Nullable String update(final String key, final UnaryOperator<@Nullable String> function)
    {
        final byte[] updated = update(Texts.bytes(Operation.UPDATE, key, "key", server()), before ->
        {
            final String after =
                function.apply(before == null ? null : Texts.of(Operation.UPDATE, key, before, server()));
            return after == null ? null : Texts.bytes(Operation.UPDATE, after, "value", server());
        });
        return updated == null ? null : Texts.of(Operation.UPDATE, key, updated, server());
    }

    /**
     * Gives a key a value and returns the one that it replaces, as one step; by {@link #update(byte[], UnaryOperator)}.
     *
     * @param key   1 to 4096 bytes.
     * @param value any bytes, to the server's limit.
     * @return the value before, or null if the key was absent.
     * @throws StoreConflictException if others changed the key again and again until the deadline; nothing changed.
     * @throws StoreFullException     if there is no room; nothing changed.
     */
    default byte @Nullable [] getAndPut(final byte[] key, final byte[] value)
    {
        Objects.requireNonNull(value, "value");
        final byte[] @Nullable [] before = new byte[1][];
        update(key, present ->
        {
            before[0] = present;
            return value.clone();
        });
        return before[0];
    }

    /**
     * As {@link #getAndPut(byte[], byte[])}.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text, stored as UTF-8.
     * @return the value before, or null if the key was absent.
     * @throws StoreConflictException if others changed the key again and again until the deadline; nothing changed.
     * @throws StoreLimitException    also if a text is no valid Unicode. If the value before is not valid UTF-8, the
     *                                key keeps it.
     */
    default @Nullable String getAndPut(final String key, final String value)
    {
        Objects.requireNonNull(value, "value");
        final @Nullable String[] before = new String[1];
        update(key, present ->
        {
            before[0] = present;
            return value;
        });
        return before[0];
    }

    /**
     * Removes a key and returns its value, as one step; by {@link #update(byte[], UnaryOperator)}.
     *
     * @param key 1 to 4096 bytes.
     * @return the value before, or null if the key was absent.
     * @throws StoreConflictException if others changed the key again and again until the deadline; nothing changed.
     */
    default byte @Nullable [] getAndDelete(final byte[] key)
    {
        final byte[] @Nullable [] before = new byte[1][];
        update(key, present ->
        {
            before[0] = present;
            return null;
        });
        return before[0];
    }

    /**
     * As {@link #getAndDelete(byte[])}.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return the value before, or null if the key was absent.
     * @throws StoreConflictException if others changed the key again and again until the deadline; nothing changed.
     * @throws StoreLimitException    also if the key is no valid Unicode. If the value is not valid UTF-8, the key
     *                                keeps it.
     */
    default @Nullable String getAndDelete(final String key)
    {
        final @Nullable String[] before = new String[1];
        update(key, present ->
        {
            before[0] = present;
            return null;
        });
        return before[0];
    }

    /**
     * @return the server as of the latest connection; may be called by any thread.
     */
    ServerInfo server();
}

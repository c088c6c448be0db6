package org.onesided.client;

import java.time.Duration;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.TimeToLive;

/**
 * Times when keys expire. {@link Expiry} says what that means. A put gives its key a time by {@link PutOptions}; these
 * methods change and tell the time of a key that is there, and leave its value and its version as they are.
 *
 * <p>Failures, deadlines and threads are those of {@link StoreOperations}.
 */
public interface ExpiryOperations
{
    /**
     * Gives a key another time to live, from now on.
     *
     * @param key 1 to 4096 bytes.
     * @param ttl as for {@link Expiry#after}.
     * @return whether the key is present.
     * @throws StoreFullException if there is no room for the time; nothing changed.
     */
    default boolean touch(final byte[] key, final Duration ttl)
    {
        return touch(new UnsafeBuffer(key), 0, key.length, Expiry.after(ttl));
    }

    /**
     * As {@link #touch(byte[], Duration)}.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @param ttl as for {@link Expiry#after}.
     * @return whether the key is present.
     * @throws StoreFullException  if there is no room for the time; nothing changed.
     * @throws StoreLimitException also if the key is no valid Unicode.
     */
    default boolean touch(final String key, final Duration ttl)
    {
        return touch(Texts.bytes(Operation.TOUCH, key, "key", server()), ttl);
    }

    /**
     * Changes the time when a key expires.
     *
     * @param key    1 to 4096 bytes.
     * @param expiry {@link Expiry#NEVER}, {@link Expiry#after} or {@link Expiry#at}.
     * @return whether the key was present.
     * @throws IllegalArgumentException for another expiry.
     * @throws StoreFullException       if there is no room for the time; nothing changed.
     */
    default boolean touch(final byte[] key, final Expiry expiry)
    {
        return touch(new UnsafeBuffer(key), 0, key.length, expiry);
    }

    /**
     * As {@link #touch(byte[], Expiry)}.
     *
     * @param key    text of 1 to 4096 bytes in UTF-8.
     * @param expiry {@link Expiry#NEVER}, {@link Expiry#after} or {@link Expiry#at}.
     * @return whether the key was present.
     * @throws IllegalArgumentException for another expiry.
     * @throws StoreFullException       if there is no room for the time; nothing changed.
     * @throws StoreLimitException      also if the key is no valid Unicode.
     */
    default boolean touch(final String key, final Expiry expiry)
    {
        return touch(Texts.bytes(Operation.TOUCH, key, "key", server()), expiry);
    }

    /**
     * Changes the time when a key expires.
     *
     * @param key       buffer that holds the key.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param expiry    {@link Expiry#NEVER}, {@link Expiry#after} or {@link Expiry#at}.
     * @return whether the key was present.
     * @throws IllegalArgumentException for another expiry.
     * @throws StoreFullException       if there is no room for the time; nothing changed.
     */
    boolean touch(DirectBuffer key, int keyOffset, int keyLength, Expiry expiry);

    /**
     * Lets a key stay for ever.
     *
     * @param key 1 to 4096 bytes.
     * @return whether the key is present.
     */
    default boolean persist(final byte[] key)
    {
        return touch(new UnsafeBuffer(key), 0, key.length, Expiry.NEVER);
    }

    /**
     * As {@link #persist(byte[])}.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return whether the key is present.
     * @throws StoreLimitException also if the key is no valid Unicode.
     */
    default boolean persist(final String key)
    {
        return persist(Texts.bytes(Operation.TOUCH, key, "key", server()));
    }

    /**
     * Asks the server until when a key lives. This is a request, not a READ: only the server's clock tells.
     *
     * @param key 1 to 4096 bytes.
     * @return until when it lives, or null if it is absent.
     */
    default @Nullable TimeToLive ttl(final byte[] key)
    {
        return ttl(new UnsafeBuffer(key), 0, key.length);
    }

    /**
     * As {@link #ttl(byte[])}.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return until when it lives, or null if it is absent.
     * @throws StoreLimitException also if the key is no valid Unicode.
     */
    default @Nullable TimeToLive ttl(final String key)
    {
        return ttl(Texts.bytes(Operation.TTL, key, "key", server()));
    }

    /**
     * As {@link #ttl(byte[])}.
     *
     * @param key       buffer that holds the key.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @return until when it lives, or null if it is absent.
     */
    @Nullable TimeToLive ttl(DirectBuffer key, int keyOffset, int keyLength);

    /**
     * @return the server as of the latest connection; may be called by any thread.
     */
    ServerInfo server();
}

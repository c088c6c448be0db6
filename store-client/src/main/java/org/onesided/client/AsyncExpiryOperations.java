package org.onesided.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.TimeToLive;

/**
 * The {@link ExpiryOperations} of an {@link AsyncStore}: they change and tell the time of a key that is there, and
 * leave its value and its version as they are.
 */
public interface AsyncExpiryOperations
{
    /**
     * Gives a key another time to live, from when the server carries that out.
     *
     * @param key 1 to 4096 bytes.
     * @param ttl as for {@link Expiry#after}.
     * @return whether the key is present.
     */
    default CompletableFuture<Boolean> touch(final byte[] key, final Duration ttl)
    {
        return touch(key, Expiry.after(ttl));
    }

    /**
     * As {@link #touch(byte[], Duration)}.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @param ttl as for {@link Expiry#after}.
     * @return whether the key is present.
     */
    default CompletableFuture<Boolean> touch(final String key, final Duration ttl)
    {
        return touch(key, Expiry.after(ttl));
    }

    /**
     * Changes the time when a key expires.
     *
     * @param key    1 to 4096 bytes.
     * @param expiry {@link Expiry#NEVER}, {@link Expiry#after} or {@link Expiry#at}.
     * @return whether the key was present.
     * @throws IllegalArgumentException for another expiry.
     */
    CompletableFuture<Boolean> touch(byte[] key, Expiry expiry);

    /**
     * As {@link #touch(byte[], Expiry)}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @param expiry    {@link Expiry#NEVER}, {@link Expiry#after} or {@link Expiry#at}.
     * @return whether the key was present.
     * @throws IllegalArgumentException for another expiry.
     */
    default CompletableFuture<Boolean> touch(
        final DirectBuffer key, final int keyOffset, final int keyLength, final Expiry expiry)
    {
        return touch(Copies.of(key, keyOffset, keyLength), expiry);
    }

    /**
     * As {@link #touch(byte[], Expiry)}.
     *
     * @param key    text of 1 to 4096 bytes in UTF-8.
     * @param expiry {@link Expiry#NEVER}, {@link Expiry#after} or {@link Expiry#at}.
     * @return whether the key was present.
     * @throws IllegalArgumentException for another expiry.
     */
    CompletableFuture<Boolean> touch(String key, Expiry expiry);

    /**
     * Lets a key stay for ever.
     *
     * @param key 1 to 4096 bytes.
     * @return whether the key is present.
     */
    default CompletableFuture<Boolean> persist(final byte[] key)
    {
        return touch(key, Expiry.NEVER);
    }

    /**
     * As {@link #persist(byte[])}.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return whether the key is present.
     */
    default CompletableFuture<Boolean> persist(final String key)
    {
        return touch(key, Expiry.NEVER);
    }

    /**
     * Asks the server until when a key lives, by a request of its own.
     *
     * @param key 1 to 4096 bytes.
     * @return until when it lives, or null if it is absent.
     */
    CompletableFuture<@Nullable TimeToLive> ttl(byte[] key);

    /**
     * As {@link #ttl(byte[])}.
     *
     * @param key       buffer that holds the key, which is copied.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @return until when it lives, or null if it is absent.
     */
    default CompletableFuture<@Nullable TimeToLive> ttl(
        final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return ttl(Copies.of(key, keyOffset, keyLength));
    }

    /**
     * As {@link #ttl(byte[])}.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return until when it lives, or null if it is absent.
     */
    CompletableFuture<@Nullable TimeToLive> ttl(String key);
}

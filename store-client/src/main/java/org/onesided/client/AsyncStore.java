package org.onesided.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;

/**
 * A store's operations as futures, carried out together by one thread of the client. Made by {@link StoreClient#async};
 * thread-safe.
 *
 * <pre>{@code
 * AsyncStore async = client.async();
 * CompletableFuture<Void> put = async.put("answer", "42");
 * async.get("question").thenAccept(System.out::println);
 * put.join();
 * }</pre>
 *
 * <p>Between operations in flight together <em>no order</em> is promised, not even between those of one key: begin the
 * second when the first is done. Each ends within the client's deadline, or that of a view ({@link #within}), counted
 * from when it was begun. A queue between callers and the client's thread is bounded: while it is full, the methods
 * wait. Arrays must not be changed before the future is done; buffers are copied.
 *
 * <p>A failed operation's future has a {@link StoreException}; only a key or value that is out of range is thrown at
 * once. Futures are completed by the client's thread, or by the executor that its builder was given. What depends on
 * them should not block on the client's thread: use the methods that end in {@code Async} for what may. One that blocks
 * is named in a warning after 50 to 100 ms, and another thread carries the operations on, for up to 4 such callbacks
 * at a time; with more, operations fail at their deadlines. A write that was under way then has the fate
 * {@link WriteFate#UNKNOWN}, and one that was not begun {@link WriteFate#NOT_APPLIED}. After the client's close all
 * futures fail with {@link StoreClosedException}. Cancelling a future does not stop its operation.
 *
 * <p>Tests may mock it. Programs do not implement it, as later versions add methods; the same holds for the interfaces
 * that it extends.
 */
public interface AsyncStore
    extends AsyncBufferOperations, AsyncBatchOperations, AsyncConditionalOperations, AsyncCounterOperations,
    AsyncExpiryOperations
{
    /**
     * Gives a view of this store whose operations have another deadline. It costs no session and no thread, shares all
     * else with this one, and ends with it.
     *
     * @param deadline of each operation, reconnecting included. Positive. One that is too short for connecting never
     *                 gets a lost session back.
     * @return the view.
     * @throws IllegalArgumentException if the deadline is not positive.
     */
    AsyncStore within(Duration deadline);

    /**
     * Looks a key up and decodes its value.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return its value, or null if the key is absent.
     */
    CompletableFuture<@Nullable String> get(String key);

    /**
     * Gives a key a value, in place of the one it may have.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text, stored as UTF-8.
     * @return done when the put is.
     */
    CompletableFuture<Void> put(String key, String value);

    /**
     * Removes a key and its value.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return whether the key was present.
     */
    CompletableFuture<Boolean> delete(String key);

    /**
     * Looks whether a key is present. This costs as much as a lookup.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return whether the key is present.
     */
    CompletableFuture<Boolean> contains(String key);
}

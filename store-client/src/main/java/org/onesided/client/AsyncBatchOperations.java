package org.onesided.client;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;

/**
 * Operations of an {@link AsyncStore} on many keys. One deadline holds for all keys of a call. Writes are no
 * transaction: each takes effect by itself, those with the same key in their order. If one fails, the others are
 * carried out nevertheless, and the future fails with a {@link StoreBatchException} once all have ended. A length that
 * is out of range is thrown at once, and nothing was written.
 */
public interface AsyncBatchOperations
{
    /**
     * Looks many keys up. Each value is one that its key had at some moment; together they are no snapshot.
     *
     * @param keys each 1 to 4096 bytes.
     * @return each key's value, in the order of the keys; null for a key that is absent. It fails with the first
     *         failure.
     */
    CompletableFuture<List<byte @Nullable []>> getAll(List<byte[]> keys);

    /**
     * Looks many keys up and decodes their values.
     *
     * @param keys texts of 1 to 4096 bytes in UTF-8.
     * @return the keys that are present, with their values, in the order of the set. It fails with the first failure,
     *         and if a value is not valid UTF-8.
     */
    CompletableFuture<Map<String, String>> getAll(Set<String> keys);

    /**
     * Puts many pairs.
     *
     * @param keys   each 1 to 4096 bytes.
     * @param values one for each key, any bytes, to the server's limit.
     * @return done when all puts are.
     * @throws StoreLimitException      if a key's or value's length is out of range.
     * @throws IllegalArgumentException if there are not as many values as keys.
     */
    CompletableFuture<Void> putAll(List<byte[]> keys, List<byte[]> values);

    /**
     * Puts many pairs, each with options of its own. A condition that does not hold is an outcome of its pair and
     * hinders no other.
     *
     * @param keys    each 1 to 4096 bytes.
     * @param values  one for each key, any bytes, to the server's limit.
     * @param options one for each key.
     * @return what became of each pair, in their order.
     * @throws StoreLimitException      if a key's or value's length is out of range.
     * @throws IllegalArgumentException if there are not as many values or options as keys.
     */
    CompletableFuture<List<WriteOutcome>> putAll(List<byte[]> keys, List<byte[]> values, List<PutOptions> options);

    /**
     * Puts many pairs; of a failure the exception tells by their places in the map's order.
     *
     * @param pairs keys and values, text that is stored as UTF-8.
     * @return done when all puts are.
     * @throws StoreLimitException if a length is out of range, or a text no valid Unicode.
     */
    CompletableFuture<Void> putAll(Map<String, String> pairs);

    /**
     * Removes many keys and their values.
     *
     * @param keys each 1 to 4096 bytes.
     * @return how many of them were present.
     * @throws StoreLimitException if a key's length is out of range.
     */
    CompletableFuture<Integer> deleteAll(List<byte[]> keys);

    /**
     * Removes many keys and their values; of a failure the exception tells by their places in the set's order.
     *
     * @param keys texts of 1 to 4096 bytes in UTF-8.
     * @return how many of them were present.
     * @throws StoreLimitException if a length is out of range, or a text no valid Unicode.
     */
    CompletableFuture<Integer> deleteAll(Set<String> keys);
}

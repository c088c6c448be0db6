package org.onesided.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.ShardStorage;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.WriteOutcome;

/**
 * What can be done with a store. Keys are 1 byte to 4 KiB long, values 0 bytes to the server's limit; both are bytes,
 * and {@code String}s stand for their UTF-8 form.
 *
 * <p>Each call ends within the deadline that the client was built with, or that of a view ({@link #within}), whatever
 * happens to server and network. Each lookup gives a value that the key had at some moment during the call; a write is
 * done when its call returns. All failures are {@link StoreException}s; besides those named, every method throws
 * {@link StoreLimitException} for a key or value whose length is out of range, {@link StoreDeadlineException} when the
 * deadline passes, {@link StoreDisconnectedException} when the server is lost and does not come back in time, and
 * {@link StoreClosedException} after the close. For a write {@link StoreException#writeFate()} tells whether it may
 * have taken effect.
 *
 * <p>A request whose answer did not come before its deadline stays with its session: the session's next write to that
 * shard waits for that answer before it is sent, until its own deadline, and is then {@link WriteFate#NOT_APPLIED}.
 * Lookups by READ go on meanwhile, however long the server takes.
 */
public interface StoreOperations
    extends ConditionalOperations, CounterOperations, ExpiryOperations, ScanOperations
{
    /**
     * Gives a view of this store whose calls have another deadline. It costs no session and no thread, shares all else
     * with this one, and ends with it. Keep it: its calls allocate nothing beyond what those of this one do, but each
     * call of this method makes another view. The view of a {@link StoreSession} is for the thread of the session.
     *
     * @param deadline of each call, reconnecting included; for a scan, of each step. Positive. One that is too short
     *                 for connecting never gets a lost session back.
     * @return the view.
     * @throws IllegalArgumentException if the deadline is not positive.
     */
    StoreOperations within(Duration deadline);

    /**
     * Looks a key up.
     *
     * @param key 1 to 4096 bytes.
     * @return a new array with its value, or null if the key is absent.
     */
    byte @Nullable [] get(byte[] key);

    /**
     * Looks a key up and decodes its value.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return its value, or null if the key is absent.
     * @throws StoreLimitException also if the key is no valid Unicode, or the value is not valid UTF-8: get it as
     *                             bytes then.
     */
    @Nullable String get(String key);

    /**
     * Looks a key up without allocating.
     *
     * @param key   from its read position to its read limit; not changed.
     * @param value cleared, then filled with the value; empty if the key is absent. Grows if it is elastic.
     * @return whether the key is present.
     * @throws StoreLimitException also if the value does not fit.
     */
    boolean getUsing(Bytes<?> key, Bytes<?> value);

    /**
     * Looks a key up without allocating.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that gets the value; grows if it is expandable.
     * @param valueOffset where the value begins in its buffer.
     * @return length of the value in bytes, or -1 if the key is absent and nothing was written.
     * @throws StoreLimitException also if the value does not fit.
     */
    int get(DirectBuffer key, int keyOffset, int keyLength, MutableDirectBuffer value, int valueOffset);

    /**
     * Looks a key up without allocating.
     *
     * @param key   from its position to its limit; neither is changed.
     * @param value gets the value at its position, which moves behind it.
     * @return length of the value in bytes, or -1 if the key is absent and nothing was written.
     * @throws StoreLimitException also if the value does not fit.
     */
    int get(ByteBuffer key, ByteBuffer value);

    /**
     * Looks many keys up, with the READs of many under way together: the time per key is a fraction of that of a single
     * lookup. Each value is one that its key had at some moment during the call; together they are no snapshot.
     *
     * @param keys     each 1 to 4096 bytes; the deadline holds for all together.
     * @param consumer gets the values, in the order of the keys.
     */
    void getAll(List<byte[]> keys, ValueConsumer consumer);

    /**
     * Looks many keys up, as {@link #getAll(List, ValueConsumer)}.
     *
     * @param keys each 1 to 4096 bytes; the deadline holds for all together.
     * @return a new array with each key's value, in the order of the keys; null for a key that is absent.
     */
    default List<byte @Nullable []> getAll(final List<byte[]> keys)
    {
        final byte[] @Nullable [] values = new byte[keys.size()][];
        getAll(keys, (index, value) ->
        {
            if (value != null)
            {
                values[index] = new byte[value.capacity()];
                value.getBytes(0, values[index]);
            }
        });
        return Arrays.asList(values);
    }

    /**
     * Looks many keys up and decodes their values, as {@link #getAll(List, ValueConsumer)}.
     *
     * @param keys texts of 1 to 4096 bytes in UTF-8; the deadline holds for all together.
     * @return the keys that are present, with their values, in the order of the set; the caller's own.
     * @throws StoreLimitException also if a key is no valid Unicode, or a value is not valid UTF-8.
     */
    default Map<String, String> getAll(final Set<String> keys)
    {
        return Texts.found(keys, getAll(Texts.all(Operation.GET_ALL, keys, server())), server());
    }

    /**
     * Gives a key a value, in place of the one it may have.
     *
     * @param key   1 to 4096 bytes.
     * @param value any bytes, to the server's limit.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    void put(byte[] key, byte[] value);

    /**
     * Gives a key a value, in place of the one it may have.
     *
     * @param key   text of 1 to 4096 bytes in UTF-8.
     * @param value text, stored as UTF-8.
     * @throws StoreFullException  if there is no room; nothing changed.
     * @throws StoreLimitException also if one of them is no valid Unicode.
     */
    void put(String key, String value);

    /**
     * Gives a key a value, in place of the one it may have.
     *
     * @param key   from its position to its limit; neither is changed.
     * @param value from its position to its limit; neither is changed.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    void put(ByteBuffer key, ByteBuffer value);

    /**
     * Gives a key a value, in place of the one it may have.
     *
     * @param key         buffer that holds the key.
     * @param keyOffset   of the key in its buffer.
     * @param keyLength   1 to 4096 bytes.
     * @param value       buffer that holds the value.
     * @param valueOffset of the value in its buffer.
     * @param valueLength in bytes.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    void put(DirectBuffer key, int keyOffset, int keyLength, DirectBuffer value, int valueOffset, int valueLength);

    /**
     * Gives a key a value, in place of the one it may have.
     *
     * @param key   from its read position to its read limit; not changed.
     * @param value from its read position to its read limit; not changed.
     * @throws StoreFullException if there is no room; nothing changed.
     */
    void put(Bytes<?> key, Bytes<?> value);

    /**
     * Puts many pairs, with the requests of many under way together: the time per pair is a fraction of that of a
     * single put. This is no transaction: each pair takes effect by itself, those with the same key in their order.
     *
     * @param keys   each 1 to 4096 bytes; the deadline holds for all together.
     * @param values one for each key, any bytes, to the server's limit.
     * @throws StoreBatchException      if one could not be put, as for want of room, or not in time. The exception
     *                                  tells which pairs were put, which were not, and of which this is not known;
     *                                  nothing of the batch is under way any more.
     * @throws StoreLimitException      if a key's or value's length is out of range; then nothing was put.
     * @throws IllegalArgumentException if there are not as many values as keys; then nothing was put.
     */
    void putAll(List<byte[]> keys, List<byte[]> values);

    /**
     * Puts many pairs as {@link #putAll(List, List)}, each with options of its own. A condition that does not hold is
     * an outcome of its pair and hinders no other.
     *
     * @param keys    each 1 to 4096 bytes; the deadline holds for all together.
     * @param values  one for each key, any bytes, to the server's limit.
     * @param options one for each key.
     * @return what became of each pair, in their order.
     * @throws StoreBatchException      as for {@link #putAll(List, List)}; it tells of a pair whose condition did not
     *                                  hold that it was not put.
     * @throws StoreLimitException      if a key's or value's length is out of range; then nothing was put.
     * @throws IllegalArgumentException if there are not as many values or options as keys; then nothing was put.
     */
    List<WriteOutcome> putAll(List<byte[]> keys, List<byte[]> values, List<PutOptions> options);

    /**
     * Puts many pairs, as {@link #putAll(List, List)}; of a failure the exception tells by their places in the map's
     * order.
     *
     * @param pairs keys and values, text that is stored as UTF-8.
     * @throws StoreBatchException if one could not be put.
     * @throws StoreLimitException if a length is out of range, or a text no valid Unicode; then nothing was put.
     */
    void putAll(Map<String, String> pairs);

    /**
     * Removes a key and its value.
     *
     * @param key 1 to 4096 bytes.
     * @return whether the key was present.
     */
    boolean delete(byte[] key);

    /**
     * Removes a key and its value.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return whether the key was present.
     */
    boolean delete(String key);

    /**
     * Removes a key and its value.
     *
     * @param key from its position to its limit; neither is changed.
     * @return whether the key was present.
     */
    boolean delete(ByteBuffer key);

    /**
     * Removes a key and its value.
     *
     * @param key       buffer that holds the key.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @return whether the key was present.
     */
    boolean delete(DirectBuffer key, int keyOffset, int keyLength);

    /**
     * Removes a key and its value.
     *
     * @param key from its read position to its read limit; not changed.
     * @return whether the key was present.
     */
    boolean delete(Bytes<?> key);

    /**
     * Removes many keys and their values, with the requests of many under way together. This is no transaction.
     *
     * @param keys each 1 to 4096 bytes; the deadline holds for all together.
     * @return how many of them were present.
     * @throws StoreBatchException if one could not be removed, as for want of time. The exception tells which deletes
     *                             took effect, which did not, and of which this is not known; nothing of the batch is
     *                             under way any more.
     * @throws StoreLimitException if a key's length is out of range; then nothing was removed.
     */
    int deleteAll(List<byte[]> keys);

    /**
     * Removes many keys and their values, as {@link #deleteAll(List)}; of a failure the exception tells by their places
     * in the set's order.
     *
     * @param keys texts of 1 to 4096 bytes in UTF-8; the deadline holds for all together.
     * @return how many of them were present.
     * @throws StoreBatchException if one could not be removed.
     * @throws StoreLimitException if a length is out of range, or a text no valid Unicode; then nothing was removed.
     */
    default int deleteAll(final Set<String> keys)
    {
        return deleteAll(Texts.all(Operation.DELETE_ALL, keys, server()));
    }

    /**
     * Looks whether a key is present. This costs as much as a lookup.
     *
     * @param key 1 to 4096 bytes.
     * @return whether the key is present.
     */
    boolean contains(byte[] key);

    /**
     * Looks whether a key is present. This costs as much as a lookup.
     *
     * @param key text of 1 to 4096 bytes in UTF-8.
     * @return whether the key is present.
     */
    boolean contains(String key);

    /**
     * Looks whether a key is present. This costs as much as a lookup.
     *
     * @param key from its position to its limit; neither is changed.
     * @return whether the key is present.
     */
    boolean contains(ByteBuffer key);

    /**
     * Looks whether a key is present. This costs as much as a lookup.
     *
     * @param key       buffer that holds the key.
     * @param keyOffset of the key in its buffer.
     * @param keyLength 1 to 4096 bytes.
     * @return whether the key is present.
     */
    boolean contains(DirectBuffer key, int keyOffset, int keyLength);

    /**
     * Looks whether a key is present. This costs as much as a lookup.
     *
     * @param key from its read position to its read limit; not changed.
     * @return whether the key is present.
     */
    boolean contains(Bytes<?> key);

    /**
     * Asks each shard of the server for its counters.
     *
     * @return one element per shard, in their order.
     */
    List<ShardStatistics> statistics();

    /**
     * Asks each shard of a server with a data directory to write a snapshot as soon as possible. It does not wait for
     * that: a shard's snapshot is there when its {@link ShardStorage#snapshotIndex} is at least what
     * {@link ShardStorage#appliedIndex} was in the answer.
     *
     * @return the counters at that moment, one element per shard, in their order; without
     *         {@link ShardStatistics#storage} if the server keeps its table in memory only, and nothing happens.
     */
    List<ShardStatistics> snapshot();

    /**
     * @return counters of what this client or session did so far; may be called by any thread.
     */
    ClientStatistics clientStatistics();

    /**
     * Asks the server for the sums of what all its clients have reported, those whose sessions ended too, since it
     * started. Clients that work report once a second, and when a session ends in order; a client may report whatever
     * it likes.
     *
     * @return the sums.
     * @throws StoreException if the server cannot be asked in time.
     */
    ClientStatistics reportedStatistics();
}

package org.onesided.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.session.Deadline;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ScannedEntry;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * A store's operations on a cluster: each goes to the client of its key's partition. Those on many keys go to all of
 * them at once, and scans through the partitions one after another. Thread-safe.
 */
sealed class ClusterOperations implements StoreOperations permits ClusterClient
{
    private final Partitions partitions;
    private final long deadlineNs;
    /** The operations of each partition that was used. */
    private final AtomicReferenceArray<StoreOperations> used;

    /**
     * @param deadlineNs nanoseconds that a call may take.
     */
    ClusterOperations(final Partitions partitions, final long deadlineNs)
    {
        this.partitions = partitions;
        this.deadlineNs = deadlineNs;
        used = new AtomicReferenceArray<>(partitions.count());
    }

    private StoreOperations of(final int shard, final String operation)
    {
        final StoreOperations known = used.get(shard);
        return known == null ? connected(shard, operation) : known;
    }

    private StoreOperations connected(final int shard, final String operation)
    {
        final boolean wasOpen = partitions.isOpen(shard);
        final StoreOperations operations = partitions.operations(shard, operation, deadlineNs);
        if (wasOpen)
        {
            used.set(shard, operations);
        }
        return operations;
    }

    private int shardOf(final String key, final String operation)
    {
        return partitions.of(Utf8.encoded(key, "key", operation, partitions.text()));
    }

    private ClusterBatches batches(final String operation)
    {
        partitions.checkOpen(operation);
        return new ClusterBatches(
            partitions, partitions.server(),
            (shard, restNs) -> new LentBatches(partitions.client(shard, operation, restNs)), deadlineNs);
    }

    @Override
    public byte @Nullable [] get(final byte[] key)
    {
        return of(partitions.of(key), Operation.GET).get(key);
    }

    @Override
    public @Nullable String get(final String key)
    {
        return of(shardOf(key, Operation.GET), Operation.GET).get(key);
    }

    @Override
    public boolean getUsing(final Bytes<?> key, final Bytes<?> value)
    {
        return of(partitions.of(key), Operation.GET).getUsing(key, value);
    }

    @Override
    public int get(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.GET)
            .get(key, keyOffset, keyLength, value, valueOffset);
    }

    @Override
    public int get(final ByteBuffer key, final ByteBuffer value)
    {
        return of(partitions.of(key), Operation.GET).get(key, value);
    }

    @Override
    public @Nullable VersionedValue<byte[]> getVersioned(final byte[] key)
    {
        return of(partitions.of(key), Operation.GET).getVersioned(key);
    }

    @Override
    public int getVersioned(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset, final MutableVersion version)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.GET)
            .getVersioned(key, keyOffset, keyLength, value, valueOffset, version);
    }

    @Override
    public void getAll(final List<byte[]> keys, final ValueConsumer consumer)
    {
        batches(Operation.GET_ALL).getAll(keys, consumer);
    }

    @Override
    public void put(final byte[] key, final byte[] value)
    {
        of(partitions.of(key), Operation.PUT).put(key, value);
    }

    @Override
    public void put(final String key, final String value)
    {
        of(shardOf(key, Operation.PUT), Operation.PUT).put(key, value);
    }

    @Override
    public void put(final ByteBuffer key, final ByteBuffer value)
    {
        of(partitions.of(key), Operation.PUT).put(key, value);
    }

    @Override
    public void put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        of(partitions.of(key, keyOffset, keyLength), Operation.PUT)
            .put(key, keyOffset, keyLength, value, valueOffset, valueLength);
    }

    @Override
    public void put(final Bytes<?> key, final Bytes<?> value)
    {
        of(partitions.of(key), Operation.PUT).put(key, value);
    }

    @Override
    public boolean put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final PutOptions options, final MutableVersion version)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.PUT)
            .put(key, keyOffset, keyLength, value, valueOffset, valueLength, options, version);
    }

    @Override
    public WriteOutcome deleteIfVersion(
        final DirectBuffer key, final int keyOffset, final int keyLength, final Version version)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.DELETE)
            .deleteIfVersion(key, keyOffset, keyLength, version);
    }

    @Override
    public byte @Nullable [] update(final byte[] key, final UnaryOperator<byte @Nullable []> function)
    {
        return of(partitions.of(key), Operation.UPDATE).update(key, function);
    }

    @Override
    public long increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial,
        final Expiry expiry, final @Nullable MutableVersion version)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.INCREMENT)
            .increment(key, keyOffset, keyLength, delta, initial, expiry, version);
    }

    @Override
    public int append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Expiry expiry, final @Nullable MutableVersion version)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.APPEND)
            .append(key, keyOffset, keyLength, value, valueOffset, valueLength, expiry, version);
    }

    @Override
    public boolean touch(final DirectBuffer key, final int keyOffset, final int keyLength, final Expiry expiry)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.TOUCH)
            .touch(key, keyOffset, keyLength, expiry);
    }

    @Override
    public @Nullable TimeToLive ttl(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.TTL).ttl(key, keyOffset, keyLength);
    }

    @Override
    public void putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        batches(Operation.PUT_ALL).putAll(keys, values);
    }

    @Override
    public List<WriteOutcome> putAll(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        return batches(Operation.PUT_ALL).putAll(keys, values, options);
    }

    @Override
    public void putAll(final Map<String, String> pairs)
    {
        final List<byte[]> keys = new ArrayList<>(pairs.size());
        final List<byte[]> values = new ArrayList<>(pairs.size());
        pairs.forEach((key, value) ->
        {
            keys.add(Utf8.encoded(key, "key", Operation.PUT_ALL, partitions.text()));
            values.add(Utf8.encoded(value, "value", Operation.PUT_ALL, partitions.text()));
        });
        putAll(keys, values);
    }

    @Override
    public int deleteAll(final List<byte[]> keys)
    {
        return batches(Operation.DELETE_ALL).deleteAll(keys);
    }

    @Override
    public boolean delete(final byte[] key)
    {
        return of(partitions.of(key), Operation.DELETE).delete(key);
    }

    @Override
    public boolean delete(final String key)
    {
        return of(shardOf(key, Operation.DELETE), Operation.DELETE).delete(key);
    }

    @Override
    public boolean delete(final ByteBuffer key)
    {
        return of(partitions.of(key), Operation.DELETE).delete(key);
    }

    @Override
    public boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.DELETE).delete(key, keyOffset, keyLength);
    }

    @Override
    public boolean delete(final Bytes<?> key)
    {
        return of(partitions.of(key), Operation.DELETE).delete(key);
    }

    @Override
    public boolean contains(final byte[] key)
    {
        return of(partitions.of(key), Operation.CONTAINS).contains(key);
    }

    @Override
    public boolean contains(final String key)
    {
        return of(shardOf(key, Operation.CONTAINS), Operation.CONTAINS).contains(key);
    }

    @Override
    public boolean contains(final ByteBuffer key)
    {
        return of(partitions.of(key), Operation.CONTAINS).contains(key);
    }

    @Override
    public boolean contains(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return of(partitions.of(key, keyOffset, keyLength), Operation.CONTAINS).contains(key, keyOffset, keyLength);
    }

    @Override
    public boolean contains(final Bytes<?> key)
    {
        return of(partitions.of(key), Operation.CONTAINS).contains(key);
    }

    @Override
    public StoreOperations within(final Duration deadline)
    {
        return new ClusterOperations(partitions, Deadline.checked(deadline));
    }

    /** Passes the pairs of one partition after another. */
    @Override
    public boolean scanWhile(final byte[] prefix, final Predicate<? super ScannedEntry> visitor)
    {
        Objects.requireNonNull(visitor, "visitor");
        boolean isWhole = true;
        for (int shard = 0; isWhole && shard < partitions.count(); shard++)
        {
            isWhole = of(shard, Operation.SCAN).scanWhile(prefix, visitor);
        }
        return isWhole;
    }

    @Override
    public List<ShardStatistics> statistics()
    {
        final List<ShardStatistics> all = new ArrayList<>();
        for (int shard = 0; shard < partitions.count(); shard++)
        {
            all.addAll(of(shard, Operation.STATISTICS).statistics());
        }
        return List.copyOf(all);
    }

    @Override
    public List<ShardStatistics> snapshot()
    {
        final List<ShardStatistics> all = new ArrayList<>();
        for (int shard = 0; shard < partitions.count(); shard++)
        {
            all.addAll(of(shard, Operation.STATISTICS).snapshot());
        }
        return List.copyOf(all);
    }

    /** The sums of what clients have reported to the members that lead a partition now. */
    @Override
    public ClientStatistics reportedStatistics()
    {
        final Set<String> asked = new HashSet<>();
        ClientStatistics sum = null;
        for (int shard = 0; shard < partitions.count(); shard++)
        {
            final StoreOperations partition = of(shard, Operation.STATISTICS);
            if (asked.add(partition.server().address()))
            {
                sum = sum(sum, partition.reportedStatistics());
            }
        }
        return sum;
    }

    @Override
    public ClientStatistics clientStatistics()
    {
        ClientStatistics sum = new ClientStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        for (final StoreClient client : partitions.open())
        {
            sum = sum(sum, client.clientStatistics());
        }
        return sum;
    }

    private static ClientStatistics sum(final ClientStatistics one, final ClientStatistics other)
    {
        return one == null ? other : new ClientStatistics(
            one.gets() + other.gets(),
            one.hits() + other.hits(),
            one.misses() + other.misses(),
            one.mirrorHits() + other.mirrorHits(),
            one.forwardHits() + other.forwardHits(),
            one.bucketReads() + other.bucketReads(),
            one.recordReads() + other.recordReads(),
            one.bytesRead() + other.bytesRead(),
            one.retries() + other.retries(),
            one.rpcGets() + other.rpcGets(),
            one.puts() + other.puts(),
            one.deletes() + other.deletes(),
            one.bytesPut() + other.bytesPut(),
            one.reconnects() + other.reconnects(),
            one.leaseRequests() + other.leaseRequests(),
            one.leaseWaitNs() + other.leaseWaitNs(),
            one.leaseRestarts() + other.leaseRestarts());
    }

    /** The member that leads the first of the partitions that are connected; the addresses are those of all members. */
    @Override
    public ServerInfo server()
    {
        return partitions.server();
    }

    /** The members that the client was built with. */
    @Override
    public String toString()
    {
        return "StoreClient[server=" + partitions.text() + ']';
    }
}

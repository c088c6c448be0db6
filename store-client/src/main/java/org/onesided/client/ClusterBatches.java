package org.onesided.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.BatchFailure;
import org.onesided.client.request.ValueLength;
import org.onesided.client.session.KeyLength;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.WriteOutcome;

/**
 * Operations on many keys of a cluster: split by partition, begun at all partitions, and carried out together by the
 * calling thread. Results are in the order of the keys, and one deadline holds for all. Thread-safe.
 *
 * <p>A thread takes its sessions in the order of the partitions, so threads do not wait for each other in a circle.
 */
final class ClusterBatches
{
    /** Begins the part of a batch that is one partition's. */
    interface Partition
    {
        /** @param atNs when to end, a time of {@link System#nanoTime()}. */
        Lookups get(List<byte[]> keys, ValueConsumer consumer, long atNs);

        /** @param options of the pairs, or null. */
        Writes put(List<byte[]> keys, List<byte[]> values, List<PutOptions> options, long atNs);

        Writes delete(List<byte[]> keys, long atNs);
    }

    /** Lookups under way at a partition. */
    interface Lookups extends AutoCloseable
    {
        /** Gives the consumer all values. */
        void finish();

        @Override
        void close();
    }

    /** Writes under way at a partition. They go on in steps. */
    interface Writes extends AutoCloseable
    {
        /** Sends what there is room for, and takes answers; returns how many writes were sent or have ended. */
        int step();

        /** Whether there are writes to be sent. */
        boolean isSending();

        boolean isDone();

        /** Waits until a step has something to do. */
        void await();

        /** Sends no further write. */
        void stop();

        WriteFate[] fates();

        /** What became of the pairs that have options. */
        WriteOutcome[] results();

        int deleted();

        /** The first failure, or null. */
        StoreException failure();

        @Override
        void close();
    }

    /** Gives the part of a partition, and connects that if it is not connected. */
    @FunctionalInterface
    interface Connector
    {
        /** @param restNs nanoseconds that it may take, at least 1. */
        Partition connect(int shard, long restNs);
    }

    /** Begins the writes of a part. */
    @FunctionalInterface
    private interface Begin
    {
        Writes run(Partition partition, int[] indexes, long atNs);
    }

    private final Partitions partitions;
    private final ServerInfo server;
    private final Connector clients;
    private final long durationNs;

    /**
     * @param server     a member, with its limits.
     * @param clients    of each partition.
     * @param durationNs nanoseconds that a batch may take.
     */
    ClusterBatches(
        final Partitions partitions, final ServerInfo server, final Connector clients, final long durationNs)
    {
        this.partitions = partitions;
        this.server = server;
        this.clients = clients;
        this.durationNs = durationNs;
    }

    void getAll(final List<byte[]> keys, final ValueConsumer consumer)
    {
        Objects.requireNonNull(consumer, "consumer");
        final byte[][] values = values(checked(Operation.GET_ALL, keys));
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        for (int i = 0; i < values.length; i++)
        {
            if (values[i] != null)
            {
                view.wrap(values[i]);
            }
            consumer.accept(i, values[i] == null ? null : view);
        }
    }

    private byte[][] values(final byte[][] keys)
    {
        final byte[][] values = new byte[keys.length][];
        final int[][] parts = split(keys);
        final List<Lookups> begun = new ArrayList<>();
        final long atNs = System.nanoTime() + durationNs;
        final Partition[] connected = connect(parts, atNs);
        try
        {
            for (int shard = 0; shard < parts.length; shard++)
            {
                final int[] indexes = parts[shard];
                if (indexes.length > 0)
                {
                    begun.add(connected[shard].get(pick(keys, indexes), (i, value) ->
                    {
                        if (value != null)
                        {
                            values[indexes[i]] = new byte[value.capacity()];
                            value.getBytes(0, values[indexes[i]]);
                        }
                    }, atNs));
                }
            }
            begun.forEach(Lookups::finish);
            return values;
        }
        finally
        {
            CloseHelper.closeAll(begun);
        }
    }

    /** Connects all before it borrows a session: no session is kept while another partition connects slowly. */
    private Partition[] connect(final int[][] parts, final long atNs)
    {
        final Partition[] connected = new Partition[parts.length];
        for (int shard = 0; shard < parts.length; shard++)
        {
            if (parts[shard].length > 0)
            {
                connected[shard] = clients.connect(shard, Math.max(1, atNs - System.nanoTime()));
            }
        }
        return connected;
    }

    void putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        final byte[][] allKeys = checked(Operation.PUT_ALL, keys);
        final byte[][] allValues = values(allKeys, values);
        write(allKeys, false, (partition, indexes, atNs) ->
            partition.put(pick(allKeys, indexes), pick(allValues, indexes), null, atNs), null);
    }

    List<WriteOutcome> putAll(final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        final byte[][] allKeys = checked(Operation.PUT_ALL, keys);
        final byte[][] allValues = values(allKeys, values);
        final PutOptions[] allOptions = options.toArray(new PutOptions[0]);
        if (allOptions.length != allKeys.length)
        {
            throw new IllegalArgumentException(
                "options are needed for each key: keys=" + allKeys.length + " options=" + allOptions.length);
        }
        for (final PutOptions of : allOptions)
        {
            Objects.requireNonNull(of, "options");
        }
        final WriteOutcome[] outcomes = new WriteOutcome[allKeys.length];
        write(allKeys, false, (partition, indexes, atNs) -> partition.put(
            pick(allKeys, indexes), pick(allValues, indexes), pick(allOptions, indexes), atNs), outcomes);
        return Arrays.asList(outcomes);
    }

    int deleteAll(final List<byte[]> keys)
    {
        final byte[][] all = checked(Operation.DELETE_ALL, keys);
        return write(all, true,
            (partition, indexes, atNs) -> partition.delete(pick(all, indexes), atNs), null);
    }

    private byte[][] checked(final String operation, final List<byte[]> keys)
    {
        // Copy the list, since it may change after the check.
        final byte[][] all = keys.toArray(new byte[0][]);
        for (int i = 0; i < all.length; i++)
        {
            Objects.requireNonNull(all[i], "key");
            KeyLength.check(operation, all[i].length, i, partitions.text());
        }
        return all;
    }

    private byte[][] values(final byte[][] keys, final List<byte[]> values)
    {
        final byte[][] all = values.toArray(new byte[0][]);
        if (keys.length != all.length)
        {
            throw new IllegalArgumentException(
                "one value is needed for each key: keys=" + keys.length + " values=" + all.length);
        }
        for (int i = 0; i < all.length; i++)
        {
            Objects.requireNonNull(all[i], "value");
            ValueLength.check(Operation.PUT_ALL, all[i].length, i, server);
        }
        return all;
    }

    /** For each partition, the indexes of its keys, in their order. */
    private int[][] split(final byte[][] keys)
    {
        final int[] shards = new int[keys.length];
        final int[] counts = new int[partitions.count()];
        for (int i = 0; i < keys.length; i++)
        {
            shards[i] = partitions.of(keys[i]);
            counts[shards[i]]++;
        }
        final int[][] parts = new int[counts.length][];
        for (int shard = 0; shard < parts.length; shard++)
        {
            parts[shard] = new int[counts[shard]];
        }
        for (int i = keys.length - 1; i >= 0; i--)
        {
            parts[shards[i]][--counts[shards[i]]] = i;
        }
        return parts;
    }

    private static <T> List<T> pick(final T[] all, final int[] indexes)
    {
        final List<T> some = new ArrayList<>(indexes.length);
        for (final int index : indexes)
        {
            some.add(all[index]);
        }
        return some;
    }

    /**
     * Writes to all partitions. If a part cannot be begun, none is sent.
     *
     * @param outcomes of the keys, to be filled in; null without options.
     * @return how many keys a delete has found.
     */
    private int write(
        final byte[][] keys, final boolean isDelete, final Begin begin, final WriteOutcome[] outcomes)
    {
        final WriteFate[] fates = new WriteFate[keys.length];
        Arrays.fill(fates, WriteFate.NOT_APPLIED);
        final int[][] parts = split(keys);
        final List<int[]> indexes = new ArrayList<>();
        final List<Writes> begun = new ArrayList<>();
        final long atNs = System.nanoTime() + durationNs;
        try
        {
            final Partition[] connected = tryConnect(parts, atNs, fates, isDelete);
            for (int shard = 0; shard < parts.length; shard++)
            {
                if (parts[shard].length > 0)
                {
                    begun.add(tryBegin(begin, connected[shard], parts[shard], atNs, fates, isDelete));
                    indexes.add(parts[shard]);
                }
            }
            final StoreException first = carryOut(begun);
            int deleted = 0;
            for (int i = 0; i < begun.size(); i++)
            {
                spread(begun.get(i).fates(), indexes.get(i), fates);
                spread(begun.get(i).results(), indexes.get(i), outcomes);
                deleted += isDelete ? begun.get(i).deleted() : 0;
            }
            if (first != null)
            {
                throw BatchFailure.of(fates, first, isDelete);
            }
            return deleted;
        }
        finally
        {
            CloseHelper.closeAll(begun);
        }
    }

    private Partition[] tryConnect(
        final int[][] parts, final long atNs, final WriteFate[] fates, final boolean isDelete)
    {
        try
        {
            return connect(parts, atNs);
        }
        catch (final StoreException e)
        {
            throw BatchFailure.of(fates, e, isDelete);
        }
    }

    private static Writes tryBegin(
        final Begin begin, final Partition partition, final int[] indexes, final long atNs, final WriteFate[] fates,
        final boolean isDelete)
    {
        try
        {
            return begin.run(partition, indexes, atNs);
        }
        catch (final StoreException e)
        {
            throw BatchFailure.of(fates, e, isDelete);
        }
    }

    private static <T> void spread(final T[] part, final int[] indexes, final T[] all)
    {
        for (int i = 0; all != null && i < indexes.length; i++)
        {
            all[indexes[i]] = part[i];
        }
    }

    /** Carries the parts out together, until all are done or, after a failure, what was sent has ended. */
    private static StoreException carryOut(final List<Writes> begun)
    {
        StoreException first = null;
        final List<Writes> left = new ArrayList<>(begun);
        while (!left.isEmpty())
        {
            int moved = 0;
            for (final Writes part : left)
            {
                moved += part.step();
                if (first == null && part.failure() != null)
                {
                    first = part.failure();
                    begun.forEach(Writes::stop);
                }
            }
            left.removeIf(Writes::isDone);
            if (moved == 0 && !left.isEmpty())
            {
                // While one waits for answers to its last writes, others may have room for further ones.
                left.stream().filter(Writes::isSending).findFirst().orElse(left.get(0)).await();
            }
        }
        return first;
    }
}

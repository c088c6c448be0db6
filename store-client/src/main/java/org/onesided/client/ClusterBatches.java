package org.onesided.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.BatchFailure;
import org.onesided.client.session.KeyLength;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.WriteOutcome;

/**
 * Operations on many keys of a cluster: split by partition, and carried out partition by partition, in their order.
 * Results are in the order of the keys. Thread-safe.
 */
final class ClusterBatches
{
    /** The keys of one partition. */
    interface Part
    {
        List<byte[]> getAll(List<byte[]> keys);

        void putAll(List<byte[]> keys, List<byte[]> values);

        List<WriteOutcome> putAll(List<byte[]> keys, List<byte[]> values, List<PutOptions> options);

        int deleteAll(List<byte[]> keys);

        /** Those that a client carries out. */
        static Part of(final StoreOperations client)
        {
            return new Part()
            {
                @Override
                public List<byte[]> getAll(final List<byte[]> keys)
                {
                    return client.getAll(keys);
                }

                @Override
                public void putAll(final List<byte[]> keys, final List<byte[]> values)
                {
                    client.putAll(keys, values);
                }

                @Override
                public List<WriteOutcome> putAll(
                    final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
                {
                    return client.putAll(keys, values, options);
                }

                @Override
                public int deleteAll(final List<byte[]> keys)
                {
                    return client.deleteAll(keys);
                }
            };
        }
    }

    /** Writes a part of a batch. */
    @FunctionalInterface
    private interface Write
    {
        /**
         * @param indexes of the part's keys in the batch.
         * @return how many keys it counts.
         */
        int run(Part partition, int[] indexes);
    }

    private final Partitions partitions;
    private final IntFunction<Part> clients;

    ClusterBatches(final Partitions partitions, final IntFunction<Part> clients)
    {
        this.partitions = partitions;
        this.clients = clients;
    }

    void getAll(final List<byte[]> keys, final ValueConsumer consumer)
    {
        Objects.requireNonNull(consumer, "consumer");
        final byte[][] all = checked(Operation.GET_ALL, keys);
        final byte[][] values = new byte[all.length][];
        final int[][] parts = split(all);
        for (int shard = 0; shard < parts.length; shard++)
        {
            final int[] indexes = parts[shard];
            if (indexes.length > 0)
            {
                final List<byte[]> found = clients.apply(shard).getAll(pick(all, indexes));
                for (int i = 0; i < indexes.length; i++)
                {
                    values[indexes[i]] = found.get(i);
                }
            }
        }
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

    void putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        final byte[][] allKeys = checked(Operation.PUT_ALL, keys);
        final byte[][] allValues = values(allKeys, values);
        write(allKeys, false, (partition, indexes) ->
        {
            partition.putAll(pick(allKeys, indexes), pick(allValues, indexes));
            return 0;
        }, null);
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
        write(allKeys, false, (partition, indexes) ->
        {
            final List<WriteOutcome> of = partition.putAll(
                pick(allKeys, indexes), pick(allValues, indexes), pick(allOptions, indexes));
            for (int i = 0; i < indexes.length; i++)
            {
                outcomes[indexes[i]] = of.get(i);
            }
            return 0;
        }, outcomes);
        return Arrays.asList(outcomes);
    }

    int deleteAll(final List<byte[]> keys)
    {
        final byte[][] all = checked(Operation.DELETE_ALL, keys);
        return write(all, true, (partition, indexes) -> partition.deleteAll(pick(all, indexes)), null);
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

    private static byte[][] values(final byte[][] keys, final List<byte[]> values)
    {
        final byte[][] all = values.toArray(new byte[0][]);
        if (keys.length != all.length)
        {
            throw new IllegalArgumentException(
                "one value is needed for each key: keys=" + keys.length + " values=" + all.length);
        }
        for (final byte[] value : all)
        {
            Objects.requireNonNull(value, "value");
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
     * Writes partition by partition, until one fails.
     *
     * @param outcomes of the keys, which the parts fill in; null if a part that does not fail was applied.
     */
    private int write(
        final byte[][] keys, final boolean isDelete, final Write write, final WriteOutcome[] outcomes)
    {
        final WriteFate[] fates = new WriteFate[keys.length];
        Arrays.fill(fates, WriteFate.NOT_APPLIED);
        int count = 0;
        final int[][] parts = split(keys);
        for (int shard = 0; shard < parts.length; shard++)
        {
            final int[] indexes = parts[shard];
            if (indexes.length > 0)
            {
                try
                {
                    count += write.run(clients.apply(shard), indexes);
                }
                catch (final StoreException e)
                {
                    throw failure(e, indexes, fates, isDelete);
                }
                for (final int index : indexes)
                {
                    fates[index] = outcomes == null || outcomes[index].applied() ?
                        WriteFate.APPLIED : WriteFate.NOT_APPLIED;
                }
            }
        }
        return count;
    }

    /** A part has failed; those before it are done, and those behind it were not begun. */
    private static StoreBatchException failure(
        final StoreException e, final int[] indexes, final WriteFate[] fates, final boolean isDelete)
    {
        StoreException first = e;
        if (e instanceof StoreBatchException part)
        {
            for (int i = 0; i < indexes.length; i++)
            {
                fates[indexes[i]] = part.fate(i);
            }
            first = e.getCause() instanceof StoreException cause ? cause : e;
        }
        return BatchFailure.of(fates, first, isDelete);
    }
}

package org.onesided.client;

import java.util.List;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.SessionBatchWrites;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.WriteOutcome;

/**
 * Parts of batches that are one partition's, each over a session that its client lends. Thread-safe, the parts are not.
 */
final class LentBatches implements ClusterBatches.Partition
{
    private final ServerClient client;

    /** @param client of the partition. */
    LentBatches(final ServerClient client)
    {
        this.client = client;
    }

    @Override
    public ClusterBatches.Lookups get(final List<byte[]> keys, final ValueConsumer consumer, final long atNs)
    {
        final LentSession lent = borrow(Operation.GET_ALL, atNs);
        try
        {
            lent.session().batches().beginGets(keys, consumer);
            return new LentLookups(client, lent);
        }
        catch (final RuntimeException | Error e)
        {
            client.giveBack(lent);
            throw e;
        }
    }

    @Override
    public ClusterBatches.Writes put(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options, final long atNs)
    {
        final LentSession lent = borrow(Operation.PUT_ALL, atNs);
        try
        {
            lent.session().batches().writes().beginPut(keys, values, options);
            return new LentWrites(client, lent);
        }
        catch (final RuntimeException | Error e)
        {
            client.giveBack(lent);
            throw e;
        }
    }

    @Override
    public ClusterBatches.Writes delete(final List<byte[]> keys, final long atNs)
    {
        final LentSession lent = borrow(Operation.DELETE_ALL, atNs);
        try
        {
            lent.session().batches().writes().beginDelete(keys);
            return new LentWrites(client, lent);
        }
        catch (final RuntimeException | Error e)
        {
            client.giveBack(lent);
            throw e;
        }
    }

    private LentSession borrow(final String operation, final long atNs)
    {
        return client.borrow(operation, Math.max(1, atNs - System.nanoTime()));
    }

    /** Lookups of a lent session. */
    private record LentLookups(ServerClient client, LentSession lent) implements ClusterBatches.Lookups
    {
        @Override
        public void finish()
        {
            lent.session().batches().finishGets();
        }

        @Override
        public void close()
        {
            try
            {
                lent.session().batches().endGets();
            }
            finally
            {
                client.giveBack(lent);
            }
        }
    }

    /** Writes of a lent session. */
    private record LentWrites(ServerClient client, LentSession lent) implements ClusterBatches.Writes
    {
        private SessionBatchWrites writes()
        {
            return lent.session().batches().writes();
        }

        @Override
        public int step()
        {
            return writes().step();
        }

        @Override
        public boolean isSending()
        {
            return writes().isSending();
        }

        @Override
        public boolean isDone()
        {
            return writes().isDone();
        }

        @Override
        public void await()
        {
            writes().await();
        }

        @Override
        public void stop()
        {
            writes().stop();
        }

        @Override
        public WriteFate[] fates()
        {
            return writes().fates();
        }

        @Override
        public WriteOutcome[] results()
        {
            return writes().results();
        }

        @Override
        public int deleted()
        {
            return writes().deleted();
        }

        @Override
        public StoreException failure()
        {
            return writes().failure();
        }

        @Override
        public void close()
        {
            try
            {
                writes().end();
            }
            finally
            {
                client.giveBack(lent);
            }
        }
    }
}

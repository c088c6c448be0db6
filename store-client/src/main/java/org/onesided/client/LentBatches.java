package org.onesided.client;

import java.util.List;
import java.util.function.Consumer;
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
        return new LentLookups(
            client, lend(Operation.GET_ALL, atNs, (batches) -> batches.beginGets(keys, consumer)));
    }

    @Override
    public ClusterBatches.Writes put(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options, final long atNs)
    {
        return new LentWrites(
            client, lend(Operation.PUT_ALL, atNs, (batches) -> batches.writes().beginPut(keys, values, options)));
    }

    @Override
    public ClusterBatches.Writes delete(final List<byte[]> keys, final long atNs)
    {
        return new LentWrites(
            client, lend(Operation.DELETE_ALL, atNs, (batches) -> batches.writes().beginDelete(keys)));
    }

    /** Borrows a session, and begins a part over it. The session goes back if that fails. */
    private LentSession lend(final String operation, final long atNs, final Consumer<SessionBatches> begin)
    {
        final LentSession lent = client.borrow(operation, Math.max(1, atNs - System.nanoTime()));
        try
        {
            begin.accept(lent.session().batches());
            return lent;
        }
        catch (final RuntimeException | Error e)
        {
            client.giveBack(lent);
            throw e;
        }
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

package org.onesided.client.request;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.agrona.BufferUtil;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.KeyLength;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;

/**
 * Puts many pairs, or deletes many keys, with the requests of all shards in flight together. A value longer than a
 * message is put singly, after the outcomes of those before it. After the first failure, no further write is sent. Not
 * thread-safe.
 */
public final class SessionBatchWrites
{
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final SessionWrites writes;
    private final RequestEngine engine;
    private final Outcomes outcomes;
    private final Runnable end;
    private WriteFate[] fates;
    /** Terms of each pair; null if all are plain. */
    private WriteTerms[] terms;
    /** For each pair with terms, the table that it was staged for. */
    private long[] tableIds;
    private WriteOutcome[] results;
    /** Keys that a delete has found. */
    private int deleted;
    private StoreException failure;

    /**
     * @param core   of the session.
     * @param engine of the session.
     * @param writes carry out values that are longer than a message.
     */
    public SessionBatchWrites(final SessionCore core, final RequestEngine engine, final SessionWrites writes)
    {
        this(core.operation(), core.reconnector(), engine, writes, core::endOperation);
    }

    /** As the other constructor; {@code end} ends the operation. */
    SessionBatchWrites(
        final RunningOperation operation,
        final Reconnector reconnector,
        final RequestEngine engine,
        final SessionWrites writes,
        final Runnable end)
    {
        this.operation = operation;
        this.reconnector = reconnector;
        this.engine = engine;
        this.writes = writes;
        this.end = end;
        outcomes = engine.outcomes();
    }

    /**
     * Puts all pairs, in an operation of its own.
     *
     * @param keys   of the pairs.
     * @param values in the same order.
     */
    public void put(final List<byte[]> keys, final List<byte[]> values)
    {
        put(keys, values, (PutOptions[])null);
    }

    /**
     * Puts the pairs whose conditions hold, in an operation of its own.
     *
     * @param keys    of the pairs.
     * @param values  in the same order.
     * @param options in the same order.
     * @return what became of each.
     */
    public List<WriteOutcome> put(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        return Arrays.asList(put(keys, values, options.toArray(new PutOptions[0])));
    }

    private WriteOutcome[] put(final List<byte[]> keys, final List<byte[]> values, final PutOptions[] options)
    {
        // Copy the lists, since they may change after the check.
        final byte[][] allKeys = keys.toArray(new byte[0][]);
        final byte[][] allValues = values.toArray(new byte[0][]);
        if (allKeys.length != allValues.length)
        {
            throw new IllegalArgumentException(
                "one value is needed for each key: keys=" + allKeys.length + " values=" + allValues.length);
        }
        if (options != null && options.length != allKeys.length)
        {
            throw new IllegalArgumentException(
                "options are needed for each key: keys=" + allKeys.length + " options=" + options.length);
        }
        final WriteTerms[] allTerms = options == null ? null :
            Arrays.stream(options).map(of -> WriteTerms.of(Objects.requireNonNull(of, "options")))
                .toArray(WriteTerms[]::new);
        for (int i = 0; i < allKeys.length; i++)
        {
            Objects.requireNonNull(allKeys[i], "key");
            Objects.requireNonNull(allValues[i], "value");
            KeyLength.check(Operation.PUT_ALL, allKeys[i].length, i, operation.server());
            ValueLength.check(Operation.PUT_ALL, allValues[i].length, i, reconnector.server());
        }
        operation.begin(Operation.PUT_ALL);
        try
        {
            return run(allKeys, allValues, allTerms);
        }
        finally
        {
            end.run();
        }
    }

    /**
     * Deletes all keys, in an operation of its own.
     *
     * @param keys to delete.
     * @return how many of them were there.
     */
    public int delete(final List<byte[]> keys)
    {
        // Copy the list, since it may change after the check.
        final byte[][] allKeys = keys.toArray(new byte[0][]);
        for (int i = 0; i < allKeys.length; i++)
        {
            Objects.requireNonNull(allKeys[i], "key");
            KeyLength.check(Operation.DELETE_ALL, allKeys[i].length, i, operation.server());
        }
        operation.begin(Operation.DELETE_ALL);
        try
        {
            run(allKeys, null, null);
            return deleted;
        }
        finally
        {
            end.run();
        }
    }

    /** Puts the values, or deletes the keys if there are none. */
    private WriteOutcome[] run(final byte[][] keys, final byte[][] values, final WriteTerms[] allTerms)
    {
        fates = new WriteFate[keys.length];
        Arrays.fill(fates, WriteFate.NOT_APPLIED);
        terms = allTerms;
        tableIds = terms == null ? null : new long[keys.length];
        results = terms == null ? null : new WriteOutcome[keys.length];
        deleted = 0;
        failure = null;
        final long deadlineNs = operation.deadline().atNs();
        try
        {
            for (int i = 0; i < keys.length && failure == null; i++)
            {
                operation.key(keys[i], BufferUtil.ARRAY_BASE_OFFSET, keys[i].length);
                operation.nextKey(keys[i].length);
                write(i, values == null ? null : values[i], deadlineNs);
            }
            settle();
            if (failure != null)
            {
                throw BatchFailure.of(fates, failure, values == null);
            }
            return results;
        }
        finally
        {
            fates = null;
            terms = null;
            tableIds = null;
            results = null;
            failure = null;
            // Writes are left only if something other than the store failed.
            engine.clear();
        }
    }

    private void write(final int index, final byte[] value, final long deadlineNs)
    {
        final WriteTerms with = terms == null ? WriteTerms.PLAIN : terms[index];
        if (value != null && !engine.fits(with, operation.keyLength(), value.length))
        {
            settle();
            if (failure == null)
            {
                putAlone(index, with, value, deadlineNs);
            }
            return;
        }
        while (failure == null && !tryStage(index, with, value, deadlineNs))
        {
            engine.progress();
            if (outcomes.count() == 0)
            {
                engine.awaitRoom();
            }
            take();
            // Abandoned writes may hold all slots.
            if (failure == null && deadlineNs - System.nanoTime() <= 0)
            {
                failure = new StoreDeadlineException(
                    "deadline passed before it could be sent", operation.failure(WriteFate.NOT_APPLIED));
            }
        }
        if (terms != null)
        {
            tableIds[index] = engine.stagedTableId();
        }
        if (outcomes.count() > 0)
        {
            // A staged pair may have failed at once. Then no further pair is tried.
            take();
        }
    }

    private boolean tryStage(final int index, final WriteTerms with, final byte[] value, final long deadlineNs)
    {
        return value == null ? engine.tryStageDelete(WriteTerms.PLAIN, index, deadlineNs) :
            engine.tryStagePut(with, value, BufferUtil.ARRAY_BASE_OFFSET, value.length, index, deadlineNs);
    }

    private void putAlone(final int index, final WriteTerms with, final byte[] value, final long deadlineNs)
    {
        operation.deadline().at(deadlineNs);
        try
        {
            add(index, writes.put(with, value, BufferUtil.ARRAY_BASE_OFFSET, value.length));
        }
        catch (final StoreException e)
        {
            fates[index] = e.writeFate();
            failure = e;
        }
    }

    /** Waits until all writes have their outcomes. */
    private void settle()
    {
        engine.settle();
        take();
    }

    /** Takes the present outcomes. */
    private void take()
    {
        while (outcomes.takeNext())
        {
            final int index = (int)outcomes.correlation();
            final StoreException reason = outcomes.failure();
            if (reason != null)
            {
                fates[index] = reason.writeFate();
                failure = failure == null ? reason : failure;
            }
            else if (terms == null)
            {
                fates[index] = WriteFate.APPLIED;
                deleted += outcomes.kind() == Outcomes.DELETED ? 1 : 0;
            }
            else
            {
                final long version = outcomes.version();
                add(index, new WriteOutcome(
                    outcomes.kind() == Outcomes.PUT, version == 0 ? null : new Version(tableIds[index], version)));
            }
        }
    }

    /** The write of a pair has ended without a failure. */
    private void add(final int index, final WriteOutcome outcome)
    {
        fates[index] = outcome.applied() ? WriteFate.APPLIED : WriteFate.NOT_APPLIED;
        if (results != null)
        {
            results[index] = outcome;
        }
    }
}

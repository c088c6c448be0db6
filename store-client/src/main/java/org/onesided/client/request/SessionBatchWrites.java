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
 * message is put singly, after the outcomes of those before it. After the first failure, no further write is sent.
 *
 * <p>A batch is run at once, or in steps between those of other sessions: it is begun, steps until it
 * {@link #isDone}, and ends. Not thread-safe.
 */
public final class SessionBatchWrites
{
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final SessionWrites writes;
    private final RequestEngine engine;
    private final StagedWrites staged;
    private final Outcomes outcomes;
    private final Runnable end;
    private byte[][] keys;
    /** Null to delete the keys. */
    private byte[][] values;
    private WriteFate[] fates;
    /** Terms of each pair; null if all are plain. */
    private WriteTerms[] terms;
    /** For each pair with terms, the table that it was staged for. */
    private long[] tableIds;
    private WriteOutcome[] results;
    /** Keys that a delete has found. */
    private int deleted;
    private StoreException failure;
    private long deadlineNs;
    /** The first write that was not sent. */
    private int next;
    private boolean isStopped;

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
        staged = new StagedWrites(operation, reconnector, engine);
        outcomes = engine.outcomes();
    }

    /**
     * Puts all pairs, in an operation of its own.
     *
     * @param allKeys   of the pairs.
     * @param allValues in the same order.
     */
    public void put(final List<byte[]> allKeys, final List<byte[]> allValues)
    {
        beginPut(allKeys, allValues, null);
        run();
    }

    /**
     * Puts the pairs whose conditions hold, in an operation of its own.
     *
     * @param allKeys   of the pairs.
     * @param allValues in the same order.
     * @param options   in the same order.
     * @return what became of each.
     */
    public List<WriteOutcome> put(
        final List<byte[]> allKeys, final List<byte[]> allValues, final List<PutOptions> options)
    {
        beginPut(allKeys, allValues, options);
        final WriteOutcome[] all = results;
        run();
        return Arrays.asList(all);
    }

    /**
     * Deletes all keys, in an operation of its own.
     *
     * @param allKeys to delete.
     * @return how many of them were there.
     */
    public int delete(final List<byte[]> allKeys)
    {
        beginDelete(allKeys);
        run();
        return deleted;
    }

    /**
     * Begins to put pairs, in an operation of its own, without sending any; {@link #end} follows in any case.
     *
     * @param allKeys   of the pairs.
     * @param allValues in the same order.
     * @param options   in the same order, or null.
     */
    public void beginPut(
        final List<byte[]> allKeys, final List<byte[]> allValues, final List<PutOptions> options)
    {
        // Copy the lists, since they may change after the check.
        final byte[][] putKeys = allKeys.toArray(new byte[0][]);
        final byte[][] putValues = allValues.toArray(new byte[0][]);
        if (putKeys.length != putValues.length)
        {
            throw new IllegalArgumentException(
                "one value is needed for each key: keys=" + putKeys.length + " values=" + putValues.length);
        }
        final WriteTerms[] allTerms = options == null ? null : options.stream()
            .map(of -> WriteTerms.of(Objects.requireNonNull(of, "options"))).toArray(WriteTerms[]::new);
        if (allTerms != null && allTerms.length != putKeys.length)
        {
            throw new IllegalArgumentException(
                "options are needed for each key: keys=" + putKeys.length + " options=" + allTerms.length);
        }
        for (int i = 0; i < putKeys.length; i++)
        {
            Objects.requireNonNull(putKeys[i], "key");
            Objects.requireNonNull(putValues[i], "value");
            KeyLength.check(Operation.PUT_ALL, putKeys[i].length, i, operation.server());
            ValueLength.check(Operation.PUT_ALL, putValues[i].length, i, reconnector.server());
        }
        begin(Operation.PUT_ALL, putKeys, putValues, allTerms);
    }

    /**
     * Begins to delete keys, as {@link #beginPut}.
     *
     * @param allKeys to delete.
     */
    public void beginDelete(final List<byte[]> allKeys)
    {
        // Copy the list, since it may change after the check.
        final byte[][] deletedKeys = allKeys.toArray(new byte[0][]);
        for (int i = 0; i < deletedKeys.length; i++)
        {
            Objects.requireNonNull(deletedKeys[i], "key");
            KeyLength.check(Operation.DELETE_ALL, deletedKeys[i].length, i, operation.server());
        }
        begin(Operation.DELETE_ALL, deletedKeys, null, null);
    }

    private void begin(
        final String name, final byte[][] allKeys, final byte[][] allValues, final WriteTerms[] allTerms)
    {
        operation.begin(name);
        keys = allKeys;
        values = allValues;
        terms = allTerms;
        fates = new WriteFate[keys.length];
        Arrays.fill(fates, WriteFate.NOT_APPLIED);
        tableIds = terms == null ? null : new long[keys.length];
        results = terms == null ? null : new WriteOutcome[keys.length];
        deleted = 0;
        failure = null;
        next = 0;
        isStopped = false;
        deadlineNs = operation.deadline().atNs();
    }

    private void run()
    {
        try
        {
            while (!isDone())
            {
                if (step() == 0)
                {
                    await();
                }
            }
            if (failure != null)
            {
                throw BatchFailure.of(fates, failure, values == null);
            }
        }
        finally
        {
            end();
        }
    }

    /**
     * Sends what there is room for, and takes what has ended. It waits for a lost server, and for a value that is
     * longer than a message, but not for other answers.
     *
     * @return how many writes were staged, or ended.
     */
    public int step()
    {
        final int before = next;
        while (isSending() && tryWrite(next))
        {
            next++;
            if (outcomes.count() > 0)
            {
                // A staged pair may have failed at once. Then no further pair is tried.
                take();
            }
        }
        engine.progress();
        final int ended = take();
        // Abandoned writes may hold all slots.
        if (isSending() && next == before && deadlineNs - System.nanoTime() <= 0)
        {
            failure = new StoreDeadlineException(
                "deadline passed before it could be sent", operation.failure(WriteFate.NOT_APPLIED));
        }
        return next - before + ended;
    }

    /** Waits until a step has something to do: there is room for the next write, or if all are sent, all have ended. */
    public void await()
    {
        if (isSending())
        {
            staged.awaitRoom();
        }
        else
        {
            engine.settle();
        }
    }

    /** Sends no further write; those that were sent go on. */
    public void stop()
    {
        isStopped = true;
    }

    /**
     * @return whether there are writes to be sent.
     */
    public boolean isSending()
    {
        return next < keys.length && failure == null && !isStopped;
    }

    /**
     * @return whether there are no further steps.
     */
    public boolean isDone()
    {
        return !isSending() && engine.inFlight() == 0 && outcomes.count() == 0;
    }

    /** Ends the batch; what was not done has failed. */
    public void end()
    {
        keys = null;
        values = null;
        fates = null;
        terms = null;
        tableIds = null;
        results = null;
        failure = null;
        try
        {
            // Writes are left only if something other than the store failed.
            engine.clear();
        }
        finally
        {
            end.run();
        }
    }

    /**
     * @return the fate of each write so far; not copied.
     */
    public WriteFate[] fates()
    {
        return fates;
    }

    /**
     * @return for a batch with options, what became of each pair so far; else null. Not copied.
     */
    public WriteOutcome[] results()
    {
        return results;
    }

    /**
     * @return keys that the latest delete has found.
     */
    public int deleted()
    {
        return deleted;
    }

    /**
     * @return the first failure, or null.
     */
    public StoreException failure()
    {
        return failure;
    }

    /** Stages a write, or carries it out; false if there is no room for it now. */
    private boolean tryWrite(final int index)
    {
        final byte[] key = keys[index];
        final byte[] value = values == null ? null : values[index];
        final WriteTerms with = terms == null ? WriteTerms.PLAIN : terms[index];
        operation.key(key, BufferUtil.ARRAY_BASE_OFFSET, key.length);
        operation.nextKey(key.length);
        if (value != null && !engine.requests().fits(with, operation.keyLength(), value.length))
        {
            settle();
            if (failure == null)
            {
                putAlone(index, with, value);
            }
            return true;
        }
        if (!tryStage(index, with, value))
        {
            return false;
        }
        if (terms != null)
        {
            tableIds[index] = staged.tableId();
        }
        return true;
    }

    private boolean tryStage(final int index, final WriteTerms with, final byte[] value)
    {
        return value == null ? staged.tryStageDelete(WriteTerms.PLAIN, index, deadlineNs) :
            terms == null ?
            staged.tryStageJointPut(value, BufferUtil.ARRAY_BASE_OFFSET, value.length, index, deadlineNs) :
            staged.tryStagePut(with, value, BufferUtil.ARRAY_BASE_OFFSET, value.length, index, deadlineNs);
    }

    private void putAlone(final int index, final WriteTerms with, final byte[] value)
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

    /** Takes the present outcomes; returns their number. */
    private int take()
    {
        int count = 0;
        while (outcomes.takeNext())
        {
            count++;
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
        return count;
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

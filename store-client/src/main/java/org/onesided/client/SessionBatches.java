package org.onesided.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.read.BatchGets;
import org.onesided.client.read.SessionGets;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.SessionBatchWrites;
import org.onesided.client.request.SessionWrites;
import org.onesided.client.session.KeyLength;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.WriteOutcome;

/**
 * A session's operations on many keys: lookups or writes that are under way together. What they need is made when it is
 * first needed. Not thread-safe.
 */
final class SessionBatches
{
    private final SessionCore core;
    private final OperationStart start;
    private final RequestEngine engine;
    private final SessionGets gets;
    private final SessionWrites writes;
    private BatchGets batchGets;
    private SessionBatchWrites batchWrites;

    SessionBatches(
        final SessionCore core, final OperationStart start, final RequestEngine engine, final SessionGets gets,
        final SessionWrites writes)
    {
        this.core = core;
        this.start = start;
        this.engine = engine;
        this.gets = gets;
        this.writes = writes;
    }

    void getAll(final List<byte[]> keys, final ValueConsumer consumer)
    {
        beginGets(keys, consumer);
        try
        {
            finishGets();
        }
        finally
        {
            endGets();
        }
    }

    /** Begins an operation of lookups; unless that fails, {@link #finishGets} may follow, and {@link #endGets} must. */
    void beginGets(final List<byte[]> keys, final ValueConsumer consumer)
    {
        final List<byte[]> all = keys instanceof RandomAccess ? keys : new ArrayList<>(keys);
        for (int i = 0; i < all.size(); i++)
        {
            KeyLength.check(Operation.GET_ALL, all.get(i).length, i, core.operation().server());
        }
        if (batchGets == null)
        {
            batchGets = new BatchGets(core, gets);
        }
        core.operation().begin(Operation.GET_ALL);
        try
        {
            batchGets.begin(all, consumer);
        }
        catch (final RuntimeException | Error e)
        {
            endGets();
            throw e;
        }
    }

    /** Gives each key's value to the consumer. */
    void finishGets()
    {
        batchGets.finish();
    }

    void endGets()
    {
        try
        {
            batchGets.end();
        }
        finally
        {
            core.endOperation();
        }
    }

    void putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        writes().put(keys, values);
    }

    List<WriteOutcome> putAll(final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        return writes().put(keys, values, options);
    }

    int deleteAll(final List<byte[]> keys)
    {
        return writes().delete(keys);
    }

    /** Writes that are carried out in steps. */
    SessionBatchWrites writes()
    {
        if (batchWrites == null)
        {
            batchWrites = new SessionBatchWrites(core, engine, writes);
        }
        return batchWrites;
    }

    void putAll(final Map<String, String> pairs)
    {
        final List<byte[]> keys = new ArrayList<>(pairs.size());
        final List<byte[]> values = new ArrayList<>(pairs.size());
        pairs.forEach((key, value) ->
        {
            keys.add(start.text(Operation.PUT_ALL, key, "key"));
            values.add(start.text(Operation.PUT_ALL, value, "value"));
        });
        putAll(keys, values);
    }
}

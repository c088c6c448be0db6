package org.onesided.client;

import org.agrona.BufferUtil;
import org.onesided.client.exceptions.Operation;

/**
 * A session without the API around it. For one thread at a time.
 */
final class BareSession implements AutoCloseable
{
    private final SessionCore core;
    private final RequestEngine engine;
    private final SessionWrites writes;

    BareSession(final ClientContext context, final long deadlineNs)
    {
        core = new SessionCore(context, Operation.CONNECT);
        engine = new RequestEngine(core.operation(), core.reconnector(), core.counters());
        writes = new SessionWrites(core.operation(), core.reconnector(), core.buffers(), engine);
        core.open(deadlineNs, false, engine.requests(), Reads.DEMAND);
    }

    SessionCore core()
    {
        return core;
    }

    RequestEngine engine()
    {
        return engine;
    }

    Requests requests()
    {
        return engine.requests();
    }

    /** Puts a value under a short key, in an operation of its own. */
    void put(final String key, final byte[] value)
    {
        core.operation().begin(Operation.PUT, key.length());
        try
        {
            core.operation().keySpace().putStringWithoutLengthAscii(0, key);
            writes.put(value, BufferUtil.ARRAY_BASE_OFFSET, value.length);
        }
        finally
        {
            core.endOperation();
        }
    }

    @Override
    public void close()
    {
        core.close();
    }
}

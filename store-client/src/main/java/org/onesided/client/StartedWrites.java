package org.onesided.client;

import org.jspecify.annotations.Nullable;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.SessionTtl;
import org.onesided.client.request.SessionWrites;
import org.onesided.client.request.WriteTerms;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.WriteOutcome;

/**
 * Requests about the key of an operation that was started, without a value: each ends the operation. Not thread-safe.
 */
final class StartedWrites
{
    private final SessionCore core;
    private final RequestEngine engine;
    private final SessionWrites writes;

    StartedWrites(final SessionCore core, final RequestEngine engine, final SessionWrites writes)
    {
        this.core = core;
        this.engine = engine;
        this.writes = writes;
    }

    /** Whether the key was present. */
    boolean delete()
    {
        try
        {
            return writes.delete();
        }
        finally
        {
            core.endOperation();
        }
    }

    WriteOutcome deleteIf(final WriteTerms terms)
    {
        try
        {
            return writes.deleteIf(terms);
        }
        finally
        {
            core.endOperation();
        }
    }

    /** @param version gets that of the new number; may be null. */
    long increment(final long delta, final long initial, final WriteTerms terms, final @Nullable MutableVersion version)
    {
        try
        {
            return writes.increment(delta, initial, terms, version);
        }
        finally
        {
            core.endOperation();
        }
    }

    /** Whether the key is present. */
    boolean touch(final WriteTerms terms)
    {
        try
        {
            return writes.touch(terms);
        }
        finally
        {
            core.endOperation();
        }
    }

    /** Until when the key lives; null if it is absent. */
    TimeToLive ttl()
    {
        try
        {
            return new SessionTtl(core, engine).ask();
        }
        finally
        {
            core.endOperation();
        }
    }
}

package org.onesided.server.shard.requests;

import org.onesided.server.shard.execution.Request;

/**
 * Keeps decoded requests of a queue pair beyond the poll that received them: at most one for each receive. Belongs to
 * the shard's thread.
 */
final class KeptRequests
{
    /** Requests by receive; null where none has waited yet. */
    private final Request[] kept;

    /**
     * @param receives of the queue pair.
     */
    KeptRequests(final int receives)
    {
        kept = new Request[receives];
    }

    /** Keeps a request until the next one comes with its receive; returns what keeps it, which may be itself. */
    Request keep(final Request request)
    {
        final int receive = request.receive();
        if (kept[receive] == null)
        {
            kept[receive] = new Request();
        }
        if (kept[receive] != request)
        {
            kept[receive].copy(request);
        }
        return kept[receive];
    }

    /** The request that was kept last with that receive. */
    Request at(final int receive)
    {
        return kept[receive];
    }
}

package org.onesided.server.shard.requests;

import java.util.ArrayList;
import java.util.List;
import org.onesided.server.shard.execution.Request;

/**
 * Requests of one queue pair that keep their receives for the same reason: usually none or a few.
 */
final class HeldRequests
{
    private final List<Request> requests = new ArrayList<>();

    boolean isEmpty()
    {
        return requests.isEmpty();
    }

    void add(final Request request)
    {
        requests.add(request);
    }

    void remove(final Request request)
    {
        requests.remove(request);
    }

    /** Removes and returns a request, or returns null. */
    Request takeAny()
    {
        return requests.isEmpty() ? null : requests.remove(requests.size() - 1);
    }

    /** Removes and returns the first request with that id, or returns null. */
    Request take(final long requestId)
    {
        for (int i = 0; i < requests.size(); i++)
        {
            if (requests.get(i).requestId() == requestId)
            {
                return requests.remove(i);
            }
        }
        return null;
    }

    /** Whether a request has that request id. */
    boolean include(final long requestId)
    {
        for (int i = 0; i < requests.size(); i++)
        {
            if (requests.get(i).requestId() == requestId)
            {
                return true;
            }
        }
        return false;
    }

    /** Whether a request may have a key of that hash; a batch may have any. */
    boolean concern(final long keyHash)
    {
        for (int i = 0; i < requests.size(); i++)
        {
            if (requests.get(i).isBatch() || requests.get(i).keyHash() == keyHash)
            {
                return true;
            }
        }
        return false;
    }
}

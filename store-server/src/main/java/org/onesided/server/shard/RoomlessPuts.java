package org.onesided.server.shard;

import java.util.ArrayList;
import java.util.List;

/**
 * The puts of one queue pair that wait for room: usually none, at most a few.
 */
final class RoomlessPuts
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

    boolean contains(final Request request)
    {
        return requests.contains(request);
    }

    /** Removes and returns a put, or returns null. */
    Request takeAny()
    {
        return requests.isEmpty() ? null : requests.remove(requests.size() - 1);
    }

    /** Whether a put has that request id. */
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

    /** Whether a put has a key of that hash. */
    boolean concern(final long keyHash)
    {
        for (int i = 0; i < requests.size(); i++)
        {
            if (requests.get(i).keyHash() == keyHash)
            {
                return true;
            }
        }
        return false;
    }
}

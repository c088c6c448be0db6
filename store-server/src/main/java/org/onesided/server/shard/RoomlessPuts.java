package org.onesided.server.shard;

import java.util.ArrayList;
import java.util.List;

/**
 * The puts of one queue pair that wait for room: few at a time, and mostly none.
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

    /** Takes one out, or returns null if there is none. */
    Request takeAny()
    {
        return requests.isEmpty() ? null : requests.remove(requests.size() - 1);
    }

    /** Whether one is the request with that id. */
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

    /** Whether one is a put to the key of that hash. */
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

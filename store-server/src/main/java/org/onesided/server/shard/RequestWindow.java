package org.onesided.server.shard;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What a session's latest requests came to, so that each is executed at most once however often it is sent.
 *
 * <p>An id that is not higher than the highest seen, was not seen itself, and lies in the window was never executed:
 * its place is taken over only by an id beyond the window. So a client may leave out ids of requests it gave up.
 */
final class RequestWindow
{
    /** State of a request id. */
    enum State
    {
        /** Never executed, or so that it may be executed again. */
        NEW,
        /** Being executed: its answer will come. */
        IN_PROGRESS,
        /** Executed, and its answer is remembered. */
        DONE,
        /** Its place is still held by a request in progress. */
        BLOCKED,
        /** Too long ago, or too far ahead, to know. */
        OUTSIDE
    }

    private final int mask;
    private final long[] ids;
    private final boolean[] inProgress;
    /** Grown where they must be, so that answers of changing lengths make no garbage. */
    private final byte[][] answers;
    private final int[] lengths;
    private long highest;

    RequestWindow(final int capacity)
    {
        mask = capacity - 1;
        ids = new long[capacity];
        inProgress = new boolean[capacity];
        answers = new byte[capacity][];
        lengths = new int[capacity];
    }

    State state(final long id)
    {
        final int capacity = mask + 1;
        if (id <= 0 || id <= highest - capacity || id > highest + capacity)
        {
            return State.OUTSIDE;
        }
        final int place = (int)id & mask;
        if (inProgress[place])
        {
            return ids[place] == id ? State.IN_PROGRESS : State.BLOCKED;
        }
        return ids[place] == id ? State.DONE : State.NEW;
    }

    /** Notes that a request was seen which may be executed again. */
    void passed(final long id)
    {
        highest = Math.max(highest, id);
    }

    void begin(final long id)
    {
        passed(id);
        ids[(int)id & mask] = id;
        inProgress[(int)id & mask] = true;
    }

    /** Takes a {@link #begin} back: the request had no effect and may be executed again. */
    void forget(final long id)
    {
        ids[(int)id & mask] = 0;
        inProgress[(int)id & mask] = false;
    }

    void done(final long id, final DirectBuffer answer, final int length)
    {
        passed(id);
        final int place = (int)id & mask;
        ids[place] = id;
        inProgress[place] = false;
        if (answers[place] == null || answers[place].length < length)
        {
            answers[place] = new byte[length];
        }
        lengths[place] = length;
        answer.getBytes(0, answers[place], 0, length);
    }

    int answer(final long id, final MutableDirectBuffer to)
    {
        final int place = (int)id & mask;
        to.putBytes(0, answers[place], 0, lengths[place]);
        return lengths[place];
    }
}

package org.onesided.server.shard.session;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The outcomes of a session's latest requests, so that each is executed at most once however often it is sent.
 *
 * <p>An id in the window that is at most the highest seen id, and was not seen itself, was never executed, because only
 * an id beyond the window takes its place. So a client may skip ids of requests that it gave up.
 */
public final class RequestWindow
{
    /** State of a request id. */
    public enum State
    {
        /** Never executed, or safe to execute again. */
        NEW,
        /** In execution; its answer will follow. */
        IN_PROGRESS,
        /** Executed; its answer is remembered. */
        DONE,
        /** A request in progress still holds the id's place. */
        BLOCKED,
        /** Too old or too far ahead for the window. */
        OUTSIDE
    }

    private final int mask;
    private final long[] ids;
    private final boolean[] inProgress;
    /** Whether a request in progress is in the log. */
    private final boolean[] inLog;
    /** Whether the answer is of the log, so that all members of a group know it. */
    private final boolean[] isLogged;
    /** Buffers that only grow, so that answers of changing lengths make no garbage. */
    private final byte[][] answers;
    private final int[] lengths;
    /** For each place, the id of a batch, done or not, if that is a byte with the status of each put so far; else 0. */
    private final long[] batches;
    private long highest;
    private boolean isRecovered;

    /**
     * @param capacity how many requests are remembered, a power of 2.
     */
    public RequestWindow(final int capacity)
    {
        mask = capacity - 1;
        ids = new long[capacity];
        inProgress = new boolean[capacity];
        inLog = new boolean[capacity];
        isLogged = new boolean[capacity];
        answers = new byte[capacity][];
        lengths = new int[capacity];
        batches = new long[capacity];
    }

    /**
     * @param id of a request.
     * @return what became of it.
     */
    public State state(final long id)
    {
        final int capacity = mask + 1;
        if (id <= 0 || id <= highest - capacity || id > highest + capacity && !isRecovered)
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

    /**
     * Records a request that is safe to execute again.
     *
     * @param id of the request.
     */
    public void passed(final long id)
    {
        isRecovered = false;
        highest = Math.max(highest, id);
    }

    /**
     * Records that a request is in progress.
     *
     * @param id of the request, which is NEW.
     */
    public void begin(final long id)
    {
        passed(id);
        ids[(int)id & mask] = id;
        inProgress[(int)id & mask] = true;
        isLogged[(int)id & mask] = false;
    }

    /**
     * As {@link #begin}; the request is in progress until the log tells more, whatever becomes of the queue pair.
     *
     * @param id of the request, which is NEW.
     */
    public void beginLogged(final long id)
    {
        begin(id);
        inLog[(int)id & mask] = true;
    }

    /**
     * Takes a {@link #begin} back: the request had no effect and may be executed again.
     *
     * @param id of the request.
     */
    public void forget(final long id)
    {
        ids[(int)id & mask] = 0;
        inProgress[(int)id & mask] = false;
        inLog[(int)id & mask] = false;
        isLogged[(int)id & mask] = false;
    }

    /** Forgets all that the log does not know: answers of this member alone, and requests that are in progress. */
    void forgetLocal()
    {
        for (int place = 0; place <= mask; place++)
        {
            if (ids[place] != 0 && !isLogged[place])
            {
                forget(ids[place]);
            }
        }
    }

    /** Forgets all requests that are in progress in the log: they are not there, and never will be. */
    void forgetLogged()
    {
        for (int place = 0; place <= mask; place++)
        {
            if (inProgress[place] && inLog[place])
            {
                forget(ids[place]);
            }
        }
    }

    /**
     * The window was built from a log. That has no requests which change nothing, so the next id may be farther ahead
     * than the window reaches.
     */
    public void recovered()
    {
        isRecovered = true;
    }

    /**
     * As {@link #done}, for an answer that follows from the log alone.
     *
     * @param id     of the request.
     * @param answer holds the answer at its beginning.
     * @param length of the answer in bytes.
     */
    public void logged(final long id, final DirectBuffer answer, final int length)
    {
        done(id, answer, length);
        isLogged[(int)id & mask] = true;
    }

    /**
     * Records that a request was executed, and remembers its answer.
     *
     * @param id     of the request.
     * @param answer holds the answer at its beginning.
     * @param length of the answer in bytes.
     */
    public void done(final long id, final DirectBuffer answer, final int length)
    {
        final int place = end(id);
        batches[place] = 0;
        answer.getBytes(0, makeRoom(place, length), 0, length);
    }

    /**
     * As {@link #done}, for a batch of puts. Only what became of them is remembered, and not where their keys are: that
     * would take twenty times as much.
     *
     * @param id       of the batch.
     * @param statuses of the puts, in their order.
     * @param count    how many puts there are.
     */
    public void doneBatch(final long id, final byte[] statuses, final int count)
    {
        end(id);
        progress(id, statuses, count);
    }

    private int end(final long id)
    {
        passed(id);
        final int place = (int)id & mask;
        isLogged[place] = false;
        ids[place] = id;
        inProgress[place] = false;
        inLog[place] = false;
        return place;
    }

    private byte[] makeRoom(final int place, final int length)
    {
        if (answers[place] == null || answers[place].length < length)
        {
            answers[place] = new byte[length];
        }
        lengths[place] = length;
        return answers[place];
    }

    /**
     * Remembers what became of the first requests of a batch, which then {@linkplain #begin begins} or waits: these are
     * not executed again, even if the batch is forgotten and comes anew.
     *
     * @param id       of the batch.
     * @param statuses of the puts so far, in their order.
     * @param count    how many these are.
     */
    public void progress(final long id, final byte[] statuses, final int count)
    {
        passed(id);
        final int place = (int)id & mask;
        if (ids[place] != id)
        {
            // The answer that was there is gone.
            ids[place] = 0;
        }
        batches[place] = id;
        System.arraycopy(statuses, 0, makeRoom(place, count), 0, count);
    }

    /**
     * @param id of a request that is done.
     * @return whether it was a batch, so that there are {@linkplain #progress statuses} and no answer.
     */
    public boolean isBatch(final long id)
    {
        return batches[(int)id & mask] == id;
    }

    /**
     * Copies what became of the first requests of a batch, or of all if it is done.
     *
     * @param id       of the batch.
     * @param statuses takes them.
     * @return how many there are.
     */
    public int progress(final long id, final byte[] statuses)
    {
        final int place = (int)id & mask;
        if (batches[place] != id)
        {
            return 0;
        }
        System.arraycopy(answers[place], 0, statuses, 0, lengths[place]);
        return lengths[place];
    }

    /**
     * Copies the answer to a request that is done.
     *
     * @param id of the request.
     * @param to takes the answer at its beginning.
     * @return length of the answer in bytes.
     */
    public int answer(final long id, final MutableDirectBuffer to)
    {
        final int place = (int)id & mask;
        to.putBytes(0, answers[place], 0, lengths[place]);
        return lengths[place];
    }

    /**
     * @param id of a request.
     * @return whether it was executed, and its answer is remembered, however far the session has come since.
     */
    public boolean isDone(final long id)
    {
        final int place = (int)id & mask;
        return ids[place] == id && !inProgress[place];
    }

    /**
     * @param id of a request.
     * @return as {@link #isDone}, by the log alone.
     */
    public boolean isLogged(final long id)
    {
        return isDone(id) && isLogged[(int)id & mask];
    }

    /**
     * @param id of a request that is done.
     * @return length of its answer in bytes.
     */
    public int answerLength(final long id)
    {
        return lengths[(int)id & mask];
    }

    /**
     * @return how many requests are remembered, a power of 2.
     */
    public int capacity()
    {
        return mask + 1;
    }

    /**
     * @param place from 0.
     * @return whether there is an answer.
     */
    public boolean hasAnswer(final int place)
    {
        return ids[place] != 0 && !inProgress[place];
    }

    /**
     * @param place from 0.
     * @return id of the request whose answer is there; 0 if there has been none.
     */
    public long idAt(final int place)
    {
        return ids[place];
    }
}

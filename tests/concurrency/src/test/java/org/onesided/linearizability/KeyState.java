package org.onesided.linearizability;

/**
 * A state of a key, in a word: the put that made its value, and the write that set its time. From that time on it is
 * overdue until it is removed: absent for requests, while READs may find it.
 *
 * <pre>
 *  0:1 | overdue:1 | number of the write with the time + 1:31 | number of the put + 1:31
 * </pre>
 */
final class KeyState
{
    /** No value. */
    static final long ABSENT = 0;
    /** In place of the put's number: of a put that nobody read. */
    static final int UNREAD = Integer.MAX_VALUE - 1;
    /** In place of a write's number. */
    static final int NONE = -1;

    private static final int BITS = 31;
    private static final long MASK = (1L << BITS) - 1;
    private static final long OVERDUE = 1L << 2 * BITS;

    private KeyState()
    {
    }

    static long of(final int put, final int time)
    {
        return (time + 1L) << BITS | put + 1L;
    }

    /** The same with its time come. */
    static long overdue(final long state)
    {
        return state | OVERDUE;
    }

    /** Whether there is a value for requests. */
    static boolean isLive(final long state)
    {
        return state != ABSENT && (state & OVERDUE) == 0;
    }

    /** Number of the put, or {@link #UNREAD}, or {@link #NONE} if there is no value. */
    static int put(final long state)
    {
        return (int)(state & MASK) - 1;
    }

    /** Number of the write that set the time, or {@link #NONE}. */
    static int time(final long state)
    {
        return (int)(state >>> BITS & MASK) - 1;
    }
}

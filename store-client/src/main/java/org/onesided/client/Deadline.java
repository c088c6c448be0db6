package org.onesided.client;

/**
 * When the running operation of a session must end. Not thread-safe.
 */
final class Deadline
{
    private long atNs;

    /** Begins an operation. */
    void begin(final long durationNs)
    {
        atNs = System.nanoTime() + durationNs;
    }

    /** Sets when it must end, as a time of {@link System#nanoTime()}. */
    void at(final long timeNs)
    {
        atNs = timeNs;
    }

    /** A time of {@link System#nanoTime()}. */
    long atNs()
    {
        return atNs;
    }

    /** Nanoseconds left; 0 or less once it passed. */
    long remainingNs()
    {
        return atNs - System.nanoTime();
    }
}

package org.onesided.verbs.shm;

/**
 * Names of the files in a context's directory, but for those of queue pairs, which {@link PairFile} knows.
 */
final class FileNames
{
    /** File that describes the context to peers, see {@link ControlDescriptor}. */
    static final String CONTROL = "control";
    /** A FIFO that the context holds open for writing as long as it lives. */
    static final String LIFE = "life";
    /** A FIFO that rings for asynchronous events. */
    static final String EVENTS = "events";

    private FileNames()
    {
    }

    /** Name of a memory file. */
    static String memory(final int number)
    {
        return "memory-" + Integer.toUnsignedString(number);
    }

    /** Name of the FIFO that wakes a completion channel. */
    static String channel(final int number)
    {
        return "channel-" + Integer.toUnsignedString(number);
    }

    /** Name of the file of a shared receive queue. */
    static String sharedQueue(final int number)
    {
        return "srq-" + Integer.toUnsignedString(number);
    }
}

package org.onesided.verbs;

/**
 * A place for threads to sleep until an armed completion queue gets a completion (ibv_create_comp_channel(3)).
 */
public interface CompletionChannel extends AutoCloseable
{
    /**
     * Waits, without spinning, for the event of a completion queue that was armed with
     * {@link CompletionQueue#requestNotify} (ibv_get_cq_event(3)). The event must be acknowledged.
     *
     * @param timeoutNs how long to wait at most, in nanoseconds; 0 only looks.
     * @return the completion queue, or null if no event came in time or {@link #wakeUp()} was called.
     */
    CompletionQueue awaitEvent(long timeoutNs);

    /**
     * Makes a thread in {@link #awaitEvent} return, or the next one that calls it.
     */
    void wakeUp();

    /**
     * Lets one thread sleep for several devices: from now on an event of this channel also wakes, by {@link #wakeUp()},
     * the thread that sleeps in the other channel. The event itself stays in this one. The last call counts; it holds
     * until either channel is closed.
     *
     * @param other channel of another device, in which a thread sleeps.
     * @return whether the channels are now linked; false if the two devices do not support it.
     */
    default boolean wake(final CompletionChannel other)
    {
        return false;
    }

    /**
     * From here on a thread in {@link #awaitEvent} also wakes, as by {@link #wakeUp()}, while there is something to
     * read from a file descriptor of another device. One that fails is left alone from then on.
     *
     * @param descriptor open until the last thread has left.
     * @return whether it is so; false if this device sleeps in another way.
     */
    default boolean alsoAwait(final int descriptor)
    {
        return false;
    }

    /**
     * Destroys the channel (ibv_destroy_comp_channel(3)).
     *
     * @throws VerbsException with {@code EBUSY} while a completion queue reports to it.
     */
    @Override
    void close();
}

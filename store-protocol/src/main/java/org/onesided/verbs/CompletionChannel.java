package org.onesided.verbs;

/**
 * Where threads sleep until an armed completion queue gets a completion (ibv_create_comp_channel(3)).
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
     * Destroys the channel (ibv_destroy_comp_channel(3)).
     *
     * @throws VerbsException with {@code EBUSY} while a completion queue reports to it.
     */
    @Override
    void close();
}

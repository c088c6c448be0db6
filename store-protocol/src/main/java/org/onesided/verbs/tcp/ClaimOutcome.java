package org.onesided.verbs.tcp;

/**
 * Reaction of a queue pair to a peer's request for it.
 */
enum ClaimOutcome
{
    /** The queue pair has the connection. */
    ACCEPTED(null),
    /** The queue pair is not ready yet. */
    WAITING(null),
    /** The queue pair does not exist any more. */
    GONE(StartFault.QUEUE_PAIR),
    /** The peer does not know the secret. */
    WRONG_SECRET(StartFault.SECRET),
    /** The queue pair does not accept a connection now. */
    UNWANTED(StartFault.UNWANTED),
    /** The reply to the peer failed. */
    LOST(StartFault.BROKEN_OFF);

    private final StartFault fault;

    ClaimOutcome(final StartFault fault)
    {
        this.fault = fault;
    }

    /**
     * @return why the peer is refused; null if it is not.
     */
    StartFault fault()
    {
        return fault;
    }
}

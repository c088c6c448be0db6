package org.onesided.verbs.tcp;

/**
 * Reaction of a queue pair to a peer's request for it.
 */
enum ClaimOutcome
{
    /** It has the connection now. */
    ACCEPTED(null),
    /** It is not ready yet. */
    WAITING(null),
    /** It is gone. */
    GONE(StartFault.QUEUE_PAIR),
    /** The peer does not know the secret. */
    WRONG_SECRET(StartFault.SECRET),
    /** It does not want it. */
    UNWANTED(StartFault.UNWANTED),
    /** The peer could not be told. */
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

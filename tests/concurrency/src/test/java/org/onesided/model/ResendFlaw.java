package org.onesided.model;

/**
 * Errors of a client or a server, each of which lets a write take effect twice, or not at all although it was answered,
 * or although it was reported as not done.
 */
enum ResendFlaw
{
    /** What a session's requests did is known to the leader that logged them only. */
    WINDOW_NOT_REPLICATED(ResendBounds.TWO_WRITES),
    /** A snapshot has the table, and not the windows. */
    WINDOW_NOT_IN_SNAPSHOT(ResendBounds.TWO_WRITES),
    /** The window of another client's session is used. */
    WINDOW_OF_ANOTHER_SESSION(ResendBounds.TWO_CLIENTS),
    /** A request whose number has left the window is taken for a new one. */
    NUMBER_BEHIND_WINDOW_EXECUTED(ResendBounds.TWO_WRITES),
    /** A write is answered when it is logged. */
    ANSWERED_BEFORE_COMMIT(ResendBounds.TWO_WRITES),
    /** A client gives a write up, and the next one gets its number. */
    NUMBER_REUSED(ResendBounds.TWO_WRITES),
    /** What was sent before a session was resumed is executed later. */
    QUEUE_NOT_DRAINED(ResendBounds.RESUMED),
    /** Only the server that resumes the session drains its queue of what was sent before. */
    QUEUE_DRAINED_ON_ONE_SERVER(ResendBounds.RESUMED);

    private final ResendBounds bounds;

    ResendFlaw(final ResendBounds bounds)
    {
        this.bounds = bounds;
    }

    /** A small search that finds the flaw. */
    ResendBounds bounds()
    {
        return bounds;
    }
}

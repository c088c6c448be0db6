package org.onesided.server.shard.proposal;

/**
 * Room that is gathered for one request, over several rounds: others do not take what there is of it. The promise
 * lapses when its request has not asked for some rounds. Belongs to the shard's thread.
 */
final class RoomPromise
{
    private static final int KEPT_ROUNDS = 2;

    private long session;
    private long requestId;
    private long gathered;
    private boolean isWhole;
    private long wholeBehind;
    private int roundsLeft;

    /** A round of the shard begins. */
    void nextRound()
    {
        roundsLeft = Math.max(0, roundsLeft - 1);
    }

    /** Whether a request has the promise. */
    boolean isHeldBy(final long bySession, final long byRequestId)
    {
        return roundsLeft > 0 && session == bySession && requestId == byRequestId;
    }

    /** Whether no other request has the promise. */
    boolean isFreeFor(final long forSession, final long forRequestId)
    {
        return roundsLeft == 0 || isHeldBy(forSession, forRequestId);
    }

    /**
     * Makes or renews the promise, which no other request has.
     *
     * @param needed   bytes that the request needs.
     * @param missing  how many of them are not gathered yet.
     * @param proposed how much was proposed to the log so far.
     */
    void take(
        final long forSession, final long forRequestId, final long needed, final long missing, final long proposed)
    {
        final boolean wasWhole = isWhole && isHeldBy(forSession, forRequestId);
        session = forSession;
        requestId = forRequestId;
        gathered = Math.max(0, needed - Math.max(0, missing));
        isWhole = missing <= 0;
        wholeBehind = wasWhole && isWhole ? wholeBehind : proposed;
        roundsLeft = 1 + KEPT_ROUNDS;
    }

    /** Ends the promise if the request has it. */
    void release(final long ofSession, final long ofRequestId)
    {
        roundsLeft = isHeldBy(ofSession, ofRequestId) ? 0 : roundsLeft;
    }

    /** Ends the promise. */
    void clear()
    {
        roundsLeft = 0;
    }

    /** Bytes that were gathered for another request. */
    long bytesOfOthers(final long thanSession, final long thanRequestId)
    {
        return isFreeFor(thanSession, thanRequestId) ? 0 : gathered;
    }

    /** How much had been proposed to the log when all room was gathered: what follows does not count on that room. */
    long wholeBehind()
    {
        return wholeBehind;
    }
}

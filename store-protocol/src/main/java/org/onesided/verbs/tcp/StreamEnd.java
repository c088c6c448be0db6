package org.onesided.verbs.tcp;

/**
 * How the connection of a stream ends. The queue pair's lock guards it.
 */
interface StreamEnd
{
    /**
     * @return whether the connection's queue pair has not failed yet.
     */
    boolean isAlive();

    /**
     * Ends the connection because of what the peer did.
     *
     * @param fault   what is wrong.
     * @param segment address of the segment it was found in, or 0.
     * @param length  of the segment.
     */
    void terminate(Fault fault, long segment, int length);

    /**
     * A response cannot be placed any more: this side took the memory away.
     *
     * @param segment address of the segment that carries it.
     * @param length  of the segment.
     */
    void failPlacing(long segment, int length);

    /**
     * The peer ended the connection by a TERMINATE.
     *
     * @param aboutRequest whether it is about a request that is not done.
     * @param control      layer, type and code of the TERMINATE, see {@link Fault#control}.
     */
    void terminated(boolean aboutRequest, int control);

    /**
     * The peer ended the connection by a TERMINATE that is too short to say why.
     */
    void terminatedMutely();

    /**
     * The connection is lost.
     *
     * @param why the reason, to which the peer's address is appended.
     */
    void lostPeer(String why);
}

package org.onesided.server.memory;

/**
 * Says in which pieces memory is made usable, and what comes between two of them: the thread that does it may stop, or
 * leave its core to others for a moment.
 */
interface CommitPace
{
    /** Long pieces, one after the other. */
    CommitPace AT_ONCE = new CommitPace()
    {
        @Override
        public long pieceLength()
        {
            return 256L << 20;
        }

        @Override
        public boolean next(final long pieceNs)
        {
            return true;
        }
    };

    /**
     * @return bytes of a piece at most.
     */
    long pieceLength();

    /**
     * Called before each piece.
     *
     * @param pieceNs how long the piece before took, in nanoseconds; 0 before the first.
     * @return whether to go on.
     */
    boolean next(long pieceNs);

    /**
     * Called between two pieces.
     *
     * @param length bytes that are usable already.
     * @return whether the segment ends here, as somebody waits for it.
     */
    default boolean isEnough(final long length)
    {
        return false;
    }
}

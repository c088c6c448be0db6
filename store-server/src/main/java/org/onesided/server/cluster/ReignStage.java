package org.onesided.server.cluster;

/**
 * What a member is to a partition.
 */
public enum ReignStage
{
    /** Another member leads, or none. */
    FOLLOWS(0),
    /** It leads, and has not yet applied all that was logged before. */
    CATCHES_UP(1),
    /** It leads, and waits until no lease of an earlier leader can be held any more. */
    WAITS(2),
    /** It leads, and clients use it. */
    SERVES(3),
    /** It leads, and grants no more leases, so that another member can take over. */
    HANDS_OVER(4);

    private final int code;

    ReignStage(final int code)
    {
        this.code = code;
    }

    /**
     * @return number of the stage in messages.
     */
    public int code()
    {
        return code;
    }
}

package org.onesided.server.table;

/**
 * Memory of one part of a shard: it is used from its start and grows at its end. One shard's thread uses it.
 */
public interface PartMemory
{
    /** {@link #surplus}: all may stay. */
    long NONE = -1;

    /**
     * @return bytes from the part's start that may be used now, those that were retired included; fewer than before
     *         only after {@link #giveUp}.
     */
    long usable();

    /**
     * Asks for memory, which is prepared in the background; ahead of need is better than in time.
     *
     * @param length from the part's start that is wanted at least, in bytes.
     * @return whether so much is usable now.
     */
    boolean ensure(long length);

    /** Says that a put waits for what {@link #ensure} asked for, so that it is urgent. */
    default void await()
    {
    }

    /**
     * Tells how much the part may still get, as far as that is known now: parts share one pool.
     *
     * @return bytes beyond {@link #usable}; 0 if the pool is used up or the system refuses more for now.
     */
    default long growable()
    {
        return 0;
    }

    /**
     * @return bytes that the part should have free, so that more come before they are used up.
     */
    default long ahead()
    {
        return 0;
    }

    /**
     * Says that the first bytes are not used any more. Their memory may be given back, though they count as usable.
     *
     * @param length of them, no less than before.
     */
    default void retire(final long length)
    {
    }

    /**
     * @return bytes that are not used any more; safe to ask from any thread.
     */
    default long retired()
    {
        return 0;
    }

    /**
     * @return bytes of those whose memory was given back; safe to ask from any thread.
     */
    default long released()
    {
        return 0;
    }

    /**
     * Tells which memory at the part's end is to be given back if it can be done without.
     *
     * @return where that memory begins, in bytes from the part's start, or {@link #NONE}.
     */
    default long surplus()
    {
        return NONE;
    }

    /**
     * @return whether the {@link #surplus} is for a part that cannot go on without, so that less may be left free.
     */
    default boolean isSurplusUrgent()
    {
        return false;
    }

    /**
     * Gives the {@link #surplus} up: nothing of it is used any more.
     *
     * @param start where it begins.
     * @return whether it is not usable any more; false if it is not the surplus now, as when the part has grown.
     */
    default boolean giveUp(final long start)
    {
        return false;
    }

    /** Says that the {@link #surplus} stays in use for now. */
    default void keepSurplus()
    {
    }

    /**
     * @return bytes that were given up and are still there; safe to ask from any thread.
     */
    default long givenUp()
    {
        return 0;
    }

    /**
     * @return bytes that were given up and given back since the start; safe to ask from any thread.
     */
    default long givenBack()
    {
        return 0;
    }

    /**
     * @return how many segments the part has; safe to ask from any thread.
     */
    default int segments()
    {
        return 1;
    }

    /**
     * @return whether the system refused to give more for now, though the pool has some.
     */
    default boolean isRefused()
    {
        return false;
    }

    /**
     * Memory that is all there and never grows.
     *
     * @param length in bytes.
     * @return the memory.
     */
    static PartMemory whole(final long length)
    {
        return new PartMemory()
        {
            @Override
            public long usable()
            {
                return length;
            }

            @Override
            public boolean ensure(final long wanted)
            {
                return wanted <= length;
            }
        };
    }
}

package org.onesided.powercut;

/**
 * One write of a {@link Sequence}. Belongs to its writer until that is idle.
 */
final class Step
{
    /** What came of a write. */
    enum Fate
    {
        /** It was acknowledged. */
        DONE,
        /** It took no effect. */
        NOT_DONE,
        /** It has not ended, or nobody knows. */
        UNKNOWN
    }

    private final int key;
    private final long number;
    private final long invokeNs = System.nanoTime();
    private long returnNs = Long.MAX_VALUE;
    private Fate fate = Fate.UNKNOWN;

    /**
     * @param key    of the sequence's, from 0.
     * @param number of the value that is put, or {@link NumberedValue#ABSENT} for a delete.
     */
    Step(final int key, final long number)
    {
        this.key = key;
        this.number = number;
    }

    void end(final Fate how)
    {
        returnNs = System.nanoTime();
        fate = how;
    }

    int key()
    {
        return key;
    }

    long number()
    {
        return number;
    }

    long invokeNs()
    {
        return invokeNs;
    }

    long returnNs()
    {
        return returnNs;
    }

    Fate fate()
    {
        return fate;
    }

    /** Whether it was acknowledged by then. */
    boolean isDoneBy(final long timeNs)
    {
        return fate == Fate.DONE && returnNs - timeNs < 0;
    }
}

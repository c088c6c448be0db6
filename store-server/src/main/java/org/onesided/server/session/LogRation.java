package org.onesided.server.session;

/**
 * Limits the log lines of one kind per period and counts the withheld ones, so that strangers cannot fill the disk. For
 * one thread.
 */
public final class LogRation
{
    private final int lines;
    private final long periodNs;
    private long beginNs;
    private int told;
    private long withheld;

    /**
     * @param lines    to be let through in a period.
     * @param periodNs of so many nanoseconds.
     */
    public LogRation(final int lines, final long periodNs)
    {
        this.lines = lines;
        this.periodNs = periodNs;
    }

    /**
     * Takes a line of the ration, or counts it as withheld.
     *
     * @param nowNs a time of the same clock each time.
     * @return whether to write the line.
     */
    public boolean tryTake(final long nowNs)
    {
        if (told == 0 || nowNs - beginNs >= periodNs)
        {
            beginNs = nowNs;
            told = 0;
        }
        if (told == lines)
        {
            withheld++;
            return false;
        }
        told++;
        return true;
    }

    /**
     * @return how many lines were not let through since the last call.
     */
    public long takeWithheld()
    {
        final long count = withheld;
        withheld = 0;
        return count;
    }
}

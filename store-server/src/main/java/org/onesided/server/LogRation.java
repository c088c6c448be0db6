package org.onesided.server;

/**
 * Lets so many lines of one kind through in a time and counts the others, so that what strangers do fills no disk. For
 * one thread.
 */
final class LogRation
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
    LogRation(final int lines, final long periodNs)
    {
        this.lines = lines;
        this.periodNs = periodNs;
        told = lines;
        beginNs = System.nanoTime() - periodNs;
    }

    /**
     * @param nowNs as {@link System#nanoTime} tells.
     * @return whether to write the line.
     */
    boolean admits(final long nowNs)
    {
        if (nowNs - beginNs >= periodNs)
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
    long takeWithheld()
    {
        final long count = withheld;
        withheld = 0;
        return count;
    }
}

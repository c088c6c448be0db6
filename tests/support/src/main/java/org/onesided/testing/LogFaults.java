package org.onesided.testing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What in the log of a process makes a test fail: an error, or more lost wake-ups than may be none. Not for runs that
 * stop or kill processes: one that is stopped just before it wakes another causes a lost wake-up. For one thread.
 */
public final class LogFaults
{
    private static final Pattern LOST_WAKE_UPS = Pattern.compile("a wake-up was lost.* count=([0-9]{1,9})");

    private long lostWakeUps;
    private String first;

    /**
     * @param line of the log, in their order.
     * @return whether there is a fault by now.
     */
    public boolean add(final String line)
    {
        final Matcher lost = LOST_WAKE_UPS.matcher(line);
        lostWakeUps += lost.find() ? Long.parseLong(lost.group(1)) : 0;
        if (first == null && (LoggedErrors.isError(line) || lostWakeUps > NoLostWakeUps.MAX_DOUBTFUL))
        {
            first = line;
        }
        return first != null;
    }

    /**
     * @return the line that tells of the first fault; null if there is none.
     */
    public String first()
    {
        return first;
    }
}

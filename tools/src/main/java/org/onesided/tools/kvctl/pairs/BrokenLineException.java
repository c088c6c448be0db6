package org.onesided.tools.kvctl.pairs;

/**
 * A line without a pair. The reader is at the next line, so reading can continue.
 */
public final class BrokenLineException extends Exception
{
    private static final long serialVersionUID = 1L;

    /** Number of the line, from 1. */
    private final long line;

    BrokenLineException(final long line, final String reason)
    {
        super(reason);
        this.line = line;
    }

    /**
     * @return number of the line, from 1.
     */
    public long line()
    {
        return line;
    }
}

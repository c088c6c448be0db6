package org.onesided.protocol.table;

/**
 * A record's version: the server's term and a counter, compared as one unsigned number.
 *
 * <pre>
 *   63              48 47                                               0
 *  +------------------+--------------------------------------------------+
 *  | server term      | counter                                          |
 *  +------------------+--------------------------------------------------+
 * </pre>
 */
public final class VersionWord
{
    private static final int TERM_SHIFT = 48;

    private VersionWord()
    {
    }

    /**
     * @param term of the server, 16 bits.
     * @return the version before the first of that term.
     */
    public static long startOf(final int term)
    {
        return (long)term << TERM_SHIFT;
    }

    /**
     * @param version a version.
     * @return the server's term.
     */
    public static int term(final long version)
    {
        return (int)(version >>> TERM_SHIFT);
    }
}

package org.onesided.linearizability;

/**
 * How many lookups by request and scans a run must have seen, so that it shows something about them.
 */
final class Minima
{
    /** Sessions of this number scan as soon as they have done so many operations, whatever the dice say. */
    static final int SCANNER = 1;
    static final long FIRST_SCAN = 100;
    /** Operations from a scan that failed to the next one. */
    static final long NEXT_SCAN = 50;

    /** Of so many operations one must have been a lookup by request, and of so many one a scan. */
    private static final long PER_REQUEST = 200;
    private static final long PER_SCAN = 50_000;
    /** Fewer operations may have half of these, as chance has it, and so few none. */
    private static final long MANY = 100_000;
    private static final long FEW = 1_000;

    private Minima()
    {
    }

    /** What there was too little of, or null. */
    static String lack(final long operations, final long requests, final long scans)
    {
        final long leastRequests =
            operations >= MANY ? operations / PER_REQUEST : Math.max(1, (operations - FEW) / (2 * PER_REQUEST));
        if (operations < FEW || requests >= leastRequests && scans >= Math.max(1, operations / PER_SCAN))
        {
            return null;
        }
        return "too few lookups by request or scans, so this run shows too little: operations=" + operations +
            " requests=" + requests + " scans=" + scans;
    }
}

package org.onesided.tools.load.run;

/**
 * The item numbers of a client process. All processes share the initial records, but each inserts its own, so that no
 * two insert the same key.
 *
 * @param records   initial number.
 * @param client    number of this process, from 0.
 * @param clients   number of processes.
 * @param knownFrom first record known to have been put.
 * @param knownTo   end of the records known to have been put.
 */
record ItemNumbers(long records, int client, int clients, long knownFrom, long knownTo)
{
    long of(final long item)
    {
        return item < records ? item : records + client + (item - records) * clients;
    }

    /** Whether the item is known to have been put, unless its insert failed. */
    boolean isWritten(final long item)
    {
        return item >= records || item >= knownFrom && item < knownTo;
    }
}

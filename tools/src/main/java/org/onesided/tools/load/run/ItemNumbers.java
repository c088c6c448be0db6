package org.onesided.tools.load.run;

/**
 * Which numbers a client process names its items by: the records at first are everybody's, while those it inserts are
 * its own, so that no two processes insert the same key.
 *
 * @param records   at first.
 * @param client    which of the processes this is, from 0.
 * @param clients   processes.
 * @param knownFrom first record that is known to have been put.
 * @param knownTo   record behind the last of them.
 */
record ItemNumbers(long records, int client, int clients, long knownFrom, long knownTo)
{
    long of(final long item)
    {
        return item < records ? item : records + client + (item - records) * clients;
    }

    /** Whether it is known that an item was put, unless its insert failed. */
    boolean isWritten(final long item)
    {
        return item >= records || item >= knownFrom && item < knownTo;
    }
}

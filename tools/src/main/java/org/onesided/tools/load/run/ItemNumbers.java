package org.onesided.tools.load.run;

/**
 * Which numbers a client process names its items by: the records at first are everybody's, while those it inserts are
 * its own, so that no two processes insert the same key.
 *
 * @param records    at first.
 * @param client     which of the processes this is, from 0.
 * @param clients    processes.
 * @param areWritten whether it is known that each was put.
 */
record ItemNumbers(long records, int client, int clients, boolean areWritten)
{
    long of(final long item)
    {
        return item < records ? item : records + client + (item - records) * clients;
    }
}

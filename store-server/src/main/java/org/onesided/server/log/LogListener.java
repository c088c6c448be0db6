package org.onesided.server.log;

import org.agrona.DirectBuffer;

/**
 * Hears from a {@link ShardLog#poll} what has happened to the log.
 */
public interface LogListener
{
    /**
     * An entry is committed.
     *
     * @param index  of the entry in the log; greater than that of the one before, but not always by 1.
     * @param term   in which the log's leader wrote it.
     * @param entry  holds it, until this call returns.
     * @param offset where it begins.
     * @param length in bytes.
     */
    void onEntry(long index, long term, DirectBuffer entry, int offset, int length);

    /**
     * The log takes proposals from now on: after a start, when all entries that it had were handed over; or when it was
     * opened anew after a failure. Whatever was proposed before, and was not handed over, is not in the log and never
     * will be.
     */
    void onReady();

    /**
     * The log takes no proposals until the next {@link #onReady}. Of what was proposed and not handed over, nobody
     * knows yet whether it is in the log.
     *
     * @param reason what has failed, with the file or directory, in one line.
     */
    void onFailed(String reason);
}

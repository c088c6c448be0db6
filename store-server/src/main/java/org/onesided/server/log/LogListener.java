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

    /**
     * This member leads, and {@link #onReady} follows. Not told of a log with one member.
     *
     * @param term  in which it leads.
     * @param index of the log's own entry that begins the term, and is not handed over.
     */
    default void onLeading(final long term, final long index)
    {
    }

    /**
     * This member does not lead: the log takes no proposals until the next {@link #onReady}. Of what was proposed and
     * not handed over, nobody knows yet whether it will be committed; entries of it may still be handed over. Told
     * first when the log is opened, and again when another leader is known. Not told of a log with one member.
     *
     * @param term   in which the leader was heard of, 0 if none was yet.
     * @param leader number of the member that leads as far as this one knows, 0 if it does not know.
     */
    default void onFollowing(final long term, final long leader)
    {
    }

    /**
     * A snapshot of the leader has taken the place of entries that are not there any more, and is the newest one of
     * {@link SnapshotFiles}. What was built from the log so far is of no use: whoever polls begins anew with that
     * snapshot, and polls on. Not told of a log with one member.
     *
     * @param index of the last entry in the snapshot.
     */
    default void onInstalled(final long index)
    {
    }
}

package org.onesided.server.log;

import java.io.IOException;
import org.agrona.DirectBuffer;

/**
 * The log of one shard. Entries are proposed, and are handed over when they are committed: as durable as the log's mode
 * promises, never to be taken back. After a start, all entries behind the newest snapshot are handed over again, before
 * the first new one.
 *
 * <p>{@link #tryPropose}, {@link #poll} and {@link #purge} belong to the shard's thread. Another thread calls
 * {@link #close}, once the shard's has ended.
 */
public interface ShardLog extends AutoCloseable
{
    /** Most bytes of an entry: with what a log adds, it stays below 1 MiB. */
    int MAX_ENTRY_LENGTH = 960 << 10;

    /**
     * Proposes an entry. To be called only between {@link LogListener#onReady} and {@link LogListener#onFailed}.
     * Entries are committed in the order of their proposals.
     *
     * @param entry  holds it; it is copied.
     * @param offset where it begins.
     * @param length in bytes, from 1 to {@link #MAX_ENTRY_LENGTH}.
     * @return whether the log has taken it; if not, it may take it later, and wakes the shard then.
     */
    boolean tryPropose(DirectBuffer entry, int offset, int length);

    /**
     * Whether the log takes no entries for want of room only, and has some left for small ones that prove something to
     * clients: see {@link #tryProve}. For the shard's thread.
     *
     * @return whether it takes them.
     */
    default boolean takesProofs()
    {
        return false;
    }

    /**
     * As {@link #tryPropose}, between {@link LogListener#onFailed} and the next {@link LogListener#onReady}, while
     * {@link #takesProofs}. Nobody gives the room back soon, so such entries are to be short and few.
     *
     * @param entry  holds it; it is copied.
     * @param offset where it begins.
     * @param length in bytes.
     * @return whether the log has taken it.
     */
    default boolean tryProve(final DirectBuffer entry, final int offset, final int length)
    {
        return false;
    }

    /**
     * Hands over what has happened, in order. Never waits.
     *
     * @param listener hears of it.
     * @param limit    most calls of the listener.
     * @return number of calls.
     */
    int poll(LogListener listener, int limit);

    /**
     * Gives back the disk space of entries that a snapshot has made unnecessary, in the background.
     *
     * @param index of the last entry that may go.
     */
    void purge(long index);

    /**
     * Waits until all that was handed over is on the disk. Safe to call from any thread but the shard's.
     *
     * @throws IOException if the file system fails, or has failed.
     */
    void force() throws IOException;

    /**
     * @return bytes of the log's files. Safe to ask from any thread.
     */
    long diskBytes();

    /**
     * Closes the log. What was proposed and not handed over may be in the log or not.
     */
    @Override
    void close();
}

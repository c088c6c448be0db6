package org.onesided.client.session;

import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.table.Superblock;

/**
 * Where a client's sessions attach: to one server that is alone, or to whichever member of a cluster leads a shard.
 * Thread-safe.
 */
public interface Destination
{
    /**
     * @param isAnew     whether the last attempt or attachment has failed, so that another server may have to be found.
     * @param deadlineNs when to have it, a time of {@link System#nanoTime()}.
     * @return where to connect.
     * @throws AttachFailedException if no server is known that could be asked.
     */
    HostAndPort address(boolean isAnew, long deadlineNs) throws AttachFailedException;

    /**
     * @return where the last session was connected, or else the next will be, for messages.
     */
    HostAndPort latest();

    /**
     * @return what failures name as the server.
     */
    String text();

    /**
     * @return the shard that sessions are for, or {@link Bootstrap#ALL_SHARDS}.
     */
    int shard();

    /**
     * @return for how long a session may believe what it READs, in nanoseconds from when it asked; 0 if it needs not
     *         ask.
     */
    long leaseNs();

    /**
     * @return nanoseconds for which an attempt to connect waits for the server's first word; {@link Long#MAX_VALUE} if
     *         there is no other server to try.
     */
    long patienceNs();

    /**
     * @return whether another server may take the place of one that is lost, soon.
     */
    boolean isMoving();

    /**
     * Checks that a server has the table that is wanted.
     *
     * @param superblock of its table.
     * @throws AttachFailedException if it has another.
     */
    void check(Superblock superblock) throws AttachFailedException;
}

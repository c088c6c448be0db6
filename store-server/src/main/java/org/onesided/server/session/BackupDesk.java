package org.onesided.server.session;

import org.onesided.protocol.bootstrap.MessageChannel;

/**
 * Serves clients that want a backup instead of a session.
 */
public interface BackupDesk
{
    /**
     * @return why no backup can be made now, in one line; null if one can.
     */
    String refusal();

    /**
     * Takes a client over, whose connection it closes. Does not wait for anything.
     *
     * @param channel  of the client, which the caller does not use any more.
     * @param peer     its address and port, for the log.
     * @param identity of the client; empty if it has none.
     */
    void serve(MessageChannel channel, String peer, String identity);
}

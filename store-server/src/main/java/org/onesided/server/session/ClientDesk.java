package org.onesided.server.session;

import org.onesided.protocol.bootstrap.MessageChannel;

/**
 * Serves clients that want something else than a session, such as a backup.
 */
public interface ClientDesk
{
    /**
     * @return why no client can be served now, in one line; null if one can.
     */
    String refusal();

    /**
     * @return serves clients that may look up only, as far as there is something for them; null if there is nothing.
     */
    default ClientDesk forReaders()
    {
        return null;
    }

    /**
     * Takes a client over, whose connection it closes. Does not wait for anything.
     *
     * @param channel  of the client, which the caller does not use any more.
     * @param peer     its address and port, for the log.
     * @param identity of the client; empty if it has none.
     */
    void serve(MessageChannel channel, String peer, String identity);
}

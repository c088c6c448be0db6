package org.onesided.verbs.tcp;

import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * Passes accepted connections to the queue pairs that they name.
 */
interface Reception
{
    /**
     * A peer asks for a queue pair.
     *
     * @param start  its request.
     * @param socket it came on.
     * @param key    of the socket with the progress thread's selector.
     * @return what becomes of it.
     */
    ClaimOutcome claim(MpaStart start, SocketChannel socket, SelectionKey key);

    /**
     * Counts a connection that came to nothing, and raises an event.
     *
     * @param fault  reason.
     * @param socket of the connection; null if it could not be accepted.
     */
    void refused(StartFault fault, SocketChannel socket);
}

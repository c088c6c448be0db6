package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The stream below a {@link MessageChannel}, over a non-blocking socket: plain or within TLS. Never waits. Not
 * thread-safe.
 */
interface ByteStream extends AutoCloseable
{
    /**
     * @return the socket, to register with a selector.
     */
    SocketChannel socket();

    /**
     * Takes what has come.
     *
     * @param to room for it.
     * @return how many bytes; 0 if there are none now; -1 if the peer has ended the connection.
     * @throws TlsMismatchException if one side speaks TLS and the other does not.
     * @throws IOException          if the connection broke, or the peer is not let in.
     */
    int read(ByteBuffer to) throws IOException;

    /**
     * Accepts as many bytes as it has room for, and sends as many as the socket accepts.
     *
     * @param from bytes to send.
     * @throws TlsMismatchException if one side speaks TLS and the other does not.
     * @throws IOException          if the connection broke, or the peer is not let in.
     */
    void write(ByteBuffer from) throws IOException;

    /**
     * @return whether bytes that were taken wait for the socket.
     */
    boolean hasUnsent();

    /**
     * @return whether bytes are sent as soon as they are written; false during a handshake of the stream.
     */
    boolean isEstablished();

    /**
     * @return whether another thread works for this stream; nothing can be read or written meanwhile.
     */
    boolean isBusy();

    /**
     * @return the subject of the peer's certificate, or null if it has shown none.
     */
    String peerSubject();

    /**
     * Drops what has come.
     *
     * @return whether the peer has ended the connection.
     * @throws IOException if the connection broke.
     */
    boolean discard() throws IOException;

    /**
     * Tells the peer that nothing more will come.
     *
     * @throws IOException if the connection broke.
     */
    void shutdownOutput() throws IOException;

    /**
     * Closes the socket.
     *
     * @throws IOException if it could not be closed.
     */
    @Override
    void close() throws IOException;
}

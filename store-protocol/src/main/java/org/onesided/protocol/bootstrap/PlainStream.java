package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A stream of unencrypted bytes. Not thread-safe.
 */
final class PlainStream implements ByteStream
{
    private final SocketChannel socket;

    PlainStream(final SocketChannel socket)
    {
        this.socket = socket;
    }

    @Override
    public SocketChannel socket()
    {
        return socket;
    }

    @Override
    public int read(final ByteBuffer to) throws IOException
    {
        return socket.read(to);
    }

    @Override
    public void write(final ByteBuffer from) throws IOException
    {
        socket.write(from);
    }

    @Override
    public boolean hasUnsent()
    {
        return false;
    }

    @Override
    public boolean isEstablished()
    {
        return true;
    }

    @Override
    public boolean isBusy()
    {
        return false;
    }

    @Override
    public String peerSubject()
    {
        return null;
    }

    @Override
    public boolean discard() throws IOException
    {
        return socket.read(ByteBuffer.allocate(Bootstrap.MAX_HELLO_LENGTH)) < 0;
    }

    @Override
    public void shutdownOutput() throws IOException
    {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}

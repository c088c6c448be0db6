package org.onesided.verbs.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Connects to a peer and asks for its queue pair. Used by the progress thread but for {@link #cancel}.
 */
final class Initiator extends Timed
{
    /** A peer may take its time to become ready; the requests that wait have patience of their own. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final TcpContext context;
    private final TcpQueuePair queuePair;
    private final Peer peer;
    private final ByteBuffer request;
    private final byte[] secret;
    private final ByteBuffer reply = ByteBuffer.allocate(MpaStart.LENGTH);
    private SocketChannel socket;
    private SelectionKey key;
    private boolean over;
    private volatile boolean cancelled;

    /**
     * @param peer    to connect to.
     * @param request to send.
     * @param secret  of the queue pair that asks.
     */
    Initiator(
        final TcpContext context,
        final TcpQueuePair queuePair,
        final Peer peer,
        final ByteBuffer request,
        final byte[] secret)
    {
        super(TIMEOUT_NS);
        this.context = context;
        this.queuePair = queuePair;
        this.peer = peer;
        this.request = request;
        this.secret = secret;
    }

    void begin()
    {
        if (cancelled)
        {
            return;
        }
        context.progress().add(this);
        try
        {
            socket = SocketChannel.open();
            Sockets.setUp(socket);
            key = context.progress().register(socket, SelectionKey.OP_CONNECT, this);
            if (socket.connect(new InetSocketAddress(TcpAddress.address(peer.gid()), peer.port())))
            {
                ready();
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            fail();
        }
    }

    /**
     * The queue pair does not want the connection any more; from any thread.
     */
    void cancel()
    {
        cancelled = true;
        context.progress().execute(this::expire);
    }

    @Override
    public void ready()
    {
        if (over)
        {
            return;
        }
        try
        {
            if (!socket.isConnected())
            {
                if (!socket.finishConnect())
                {
                    return;
                }
            }
            if (request.hasRemaining())
            {
                // A socket just connected takes so little at once.
                socket.write(request);
                if (request.hasRemaining())
                {
                    fail();
                    return;
                }
                key.interestOps(SelectionKey.OP_READ);
            }
            read();
        }
        catch (final IOException ex)
        {
            fail();
        }
    }

    @Override
    void expire()
    {
        if (!over)
        {
            fail();
        }
    }

    private void read() throws IOException
    {
        if (socket.read(reply) < 0)
        {
            fail();
        }
        else if (reply.position() >= MpaStart.HEADER_LENGTH && !MpaStart.isAcceptance(reply))
        {
            fail();
        }
        else if (!reply.hasRemaining())
        {
            final MpaStart start = MpaStart.wrap(reply.array());
            if (!start.isUnderstood() || start.responder() != peer.number() ||
                start.initiator() != queuePair.number() || !start.hasSecret(secret))
            {
                fail();
                return;
            }
            end();
            key.interestOps(0);
            if (!queuePair.connected(this, socket, key, start.ird()))
            {
                Sockets.close(socket);
            }
        }
    }

    private void fail()
    {
        end();
        if (socket != null)
        {
            Sockets.close(socket);
        }
        if (!cancelled)
        {
            queuePair.connected(this, null, null, 0);
        }
    }

    private void end()
    {
        over = true;
        context.progress().remove(this);
    }
}

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
    /** By then a SYN that was lost has been sent again: whoever has not answered is not merely slow. */
    private static final long LATE_NS = TimeUnit.SECONDS.toNanos(1);
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
    private volatile boolean reached;
    /** What went wrong, or null. */
    private volatile String cause;

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
            fail(text(ex));
        }
    }

    /**
     * Says why there is no connection, or not yet; from any thread.
     *
     * @return one line that ends in its data.
     */
    String describe()
    {
        final String address =
            ": address=" + TcpAddress.argument(TcpAddress.address(peer.gid()).getHostAddress(), peer.port());
        // First: whoever caused it was reached before, or never.
        final String known = cause;
        if (known == null && System.nanoTime() - (deadlineNs() - TIMEOUT_NS) < LATE_NS)
        {
            return "peer's device tcp has not answered yet" + address;
        }
        final String what = reached ? "peer's device tcp was reached and did not take the connection" :
            "peer's device tcp cannot be reached, open its port there and on the way";
        return what + address + " cause=\"" + (known == null ? "no answer" : known) + '"';
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
            reached = true;
            if (request.hasRemaining())
            {
                // A socket just connected takes so little at once.
                socket.write(request);
                if (request.hasRemaining())
                {
                    fail("it takes nothing");
                    return;
                }
                key.interestOps(SelectionKey.OP_READ);
            }
            read();
        }
        catch (final IOException ex)
        {
            fail(text(ex));
        }
    }

    @Override
    void expire()
    {
        if (!over)
        {
            fail(null);
        }
    }

    @Override
    public void failed()
    {
        if (!over)
        {
            fail("this side could not go on");
        }
    }

    @Override
    void closed()
    {
        if (!over)
        {
            fail("this side's device ended");
        }
    }

    private void read() throws IOException
    {
        if (socket.read(reply) < 0)
        {
            fail("it closed the connection");
        }
        else if (!MpaStart.mayBeReply(reply) ||
            reply.position() >= MpaStart.HEADER_LENGTH && !MpaStart.isAcceptance(reply))
        {
            fail(MpaStart.isRefusal(reply) ? "it refused" : "what listens there is no device tcp");
        }
        else if (!reply.hasRemaining())
        {
            final MpaStart start = MpaStart.wrap(reply.array());
            if (!start.isUnderstood() || start.responder() != peer.number() ||
                start.initiator() != queuePair.number() || !start.hasSecret(secret))
            {
                fail("it is not the one that was asked for");
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

    /**
     * @param why in words, or null if there was no answer.
     */
    private void fail(final String why)
    {
        end();
        cause = why;
        if (socket != null)
        {
            Sockets.close(socket);
        }
        if (!cancelled)
        {
            queuePair.connected(this, null, null, 0);
        }
    }

    static String text(final Exception ex)
    {
        return ex.getMessage() == null ? ex.getClass().getSimpleName() : ex.getMessage();
    }

    private void end()
    {
        over = true;
        context.progress().remove(this);
    }
}

package org.onesided.verbs.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Connects to a peer and asks for its queue pair. Used by the progress thread, except {@link #cancel}.
 */
final class Initiator extends Timed
{
    /**
     * Waits for the connection.
     */
    interface Owner
    {
        /**
         * The connection is there, or not; called by the progress thread.
         *
         * @param asked     for the connection.
         * @param socket    of the connection.
         * @param key       of the socket with the progress thread's selector, or null if the connection failed.
         * @param peerDepth READs that the peer answers at a time.
         * @return whether the connection is taken.
         */
        boolean connected(Initiator asked, SocketChannel socket, SelectionKey key, int peerDepth);
    }

    /** A lost SYN has been repeated after this time, so a peer that has not answered is not merely slow. */
    private static final long LATE_NS = TimeUnit.SECONDS.toNanos(1);
    /** Time for the peer to become ready; waiting requests have their own retry timers. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final Progress progress;
    private final int number;
    private final Owner owner;
    private final Peer peer;
    private final ByteBuffer request;
    private final byte[] secret;
    private final ByteBuffer reply = ByteBuffer.allocate(MpaStart.LENGTH);
    private SocketChannel socket;
    private SelectionKey key;
    private boolean over;
    private volatile boolean cancelled;
    private volatile boolean reached;
    /** Why the connection failed, or null. */
    private volatile String cause;

    /**
     * @param number  of the queue pair that asks.
     * @param peer    to connect to.
     * @param request to send.
     * @param secret  of the queue pair that asks.
     * @param owner   gets the connection.
     */
    Initiator(
        final Progress progress,
        final int number,
        final Peer peer,
        final ByteBuffer request,
        final byte[] secret,
        final Owner owner)
    {
        super(TIMEOUT_NS);
        this.progress = progress;
        this.number = number;
        this.owner = owner;
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
        progress.add(this);
        try
        {
            socket = SocketChannel.open();
            Sockets.setUp(socket);
            key = progress.register(socket, SelectionKey.OP_CONNECT, this);
            if (socket.connect(new InetSocketAddress(TcpAddress.address(peer.gid()), peer.port())))
            {
                ready();
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            fail(Sockets.text(ex));
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
        // Read the cause before reached, which does not change any more once there is a cause.
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
        progress.execute(this::expire);
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
                // A new socket accepts so few bytes at once.
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
            fail(Sockets.text(ex));
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
            fail(MpaStart.isRefusal(reply) ? "it refused" : "the program that listens there is not the device tcp");
        }
        else if (!reply.hasRemaining())
        {
            final MpaStart start = MpaStart.wrap(reply.array());
            if (!start.isUnderstood() || start.responder() != peer.number() ||
                start.initiator() != number || !start.hasSecret(secret))
            {
                fail("it is not the one that was asked for");
                return;
            }
            end();
            key.interestOps(0);
            if (!owner.connected(this, socket, key, start.ird()))
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
            owner.connected(this, null, null, 0);
        }
    }

    private void end()
    {
        over = true;
        progress.remove(this);
    }
}

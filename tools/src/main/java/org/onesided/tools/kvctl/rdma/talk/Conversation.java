package org.onesided.tools.kvctl.rdma.talk;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The TCP connection to the peer. Every wait for the peer has a deadline and ends on an interrupt. Not thread-safe.
 */
final class Conversation implements AutoCloseable
{
    /** No bytes came in time. */
    static final int NOTHING = 0;
    /** The peer closed its end. */
    static final int ENDED = -1;

    private final SocketChannel socket;
    private final Selector selector;
    private final SelectionKey key;
    private final long timeoutNs;
    private final InetSocketAddress peer;
    /** A byte that was read ahead; null for none. */
    private ByteBuffer heard;

    private Conversation(final SocketChannel socket, final long timeoutNs) throws IOException
    {
        this.socket = socket;
        this.timeoutNs = timeoutNs;
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        peer = (InetSocketAddress)socket.getRemoteAddress();
        selector = Selector.open();
        key = socket.register(selector, 0);
    }

    /**
     * Meets the peer.
     *
     * @param meeting   address, and whether to listen.
     * @param out     gets the address once a peer can connect, and connections that close without a byte.
     */
    static Conversation open(final Meeting meeting, final Consumer<String> out)
    {
        return meeting.isClient() ? connect(meeting) : accept(meeting, out);
    }

    private static Conversation accept(final Meeting meeting, final Consumer<String> out)
    {
        final InetSocketAddress address = meeting.listen() == null ?
            new InetSocketAddress(meeting.port()) : new InetSocketAddress(meeting.listen(), meeting.port());
        if (address.isUnresolved())
        {
            throw new TalkException(TalkException.Kind.USAGE, "no such address to listen on: " + meeting.listen());
        }
        try (ServerSocketChannel server = ServerSocketChannel.open())
        {
            bind(server, address);
            final InetSocketAddress where = (InetSocketAddress)server.getLocalAddress();
            out.accept("  listening on:   " + text(where) + ", for any peer" +
                (where.getAddress().isAnyLocalAddress() ? " to any address (--listen names one)" : "") +
                ": nothing proves who it is");
            final long deadlineNs = System.nanoTime() + meeting.timeoutNs();
            while (true)
            {
                await(server, SelectionKey.OP_ACCEPT, deadlineNs,
                    "no peer connected in time, start the peer or raise --timeout: port=" +
                        where.getPort());
                final Conversation conversation = accept(server, meeting, out);
                if (conversation != null)
                {
                    return conversation;
                }
            }
        }
        catch (final IOException e)
        {
            throw failed(TalkException.Kind.NOT_CONNECTED, "cannot listen", address, e);
        }
    }

    /** The next peer that sends something; null if the next one left first. All real peers send first. */
    private static Conversation accept(
        final ServerSocketChannel server, final Meeting meeting, final Consumer<String> out) throws IOException
    {
        final SocketChannel socket = server.accept();
        if (socket == null)
        {
            return null;
        }
        final Conversation conversation;
        try
        {
            conversation = of(socket, meeting.timeoutNs());
        }
        catch (final IOException e)
        {
            // The peer has already left.
            return null;
        }
        boolean success = false;
        try
        {
            success = conversation.hears();
            if (!success)
            {
                out.accept("  gone again:     " + conversation.peer() + ", without sending anything; still listening");
            }
            return success ? conversation : null;
        }
        finally
        {
            if (!success)
            {
                conversation.close();
            }
        }
    }

    /** Waits for the first byte of the peer; false if it left first. The reader handles a peer that stays silent. */
    private boolean hears()
    {
        final byte[] bytes = new byte[1];
        final int count;
        try
        {
            count = readSome(bytes, 0, timeoutNs, "its first byte");
        }
        catch (final TalkException e)
        {
            if (e.kind() == TalkException.Kind.NOT_CONNECTED)
            {
                return false;
            }
            throw e;
        }
        if (count == NOTHING)
        {
            throw new TalkException(TalkException.Kind.DEADLINE, "the peer connected, but did not send anything in " +
                "time, see whether it is the same program, or give more time with --timeout: peer=" + peer());
        }
        heard = count == ENDED ? null : ByteBuffer.wrap(bytes);
        return count != ENDED;
    }

    private static void bind(final ServerSocketChannel server, final InetSocketAddress address) throws IOException
    {
        try
        {
            server.bind(address, 1);
        }
        catch (final BindException e)
        {
            throw new TalkException(TalkException.Kind.FAILED, "cannot listen, choose another port with -p or " +
                "another address with --listen: address=" + text(address) + " cause=" + e.getMessage(), e);
        }
    }

    private static Conversation connect(final Meeting meeting)
    {
        final InetAddress[] addresses;
        try
        {
            addresses = InetAddress.getAllByName(meeting.host());
        }
        catch (final UnknownHostException e)
        {
            throw new TalkException(
                TalkException.Kind.NOT_CONNECTED, "no such host: host=" + meeting.host(), e);
        }
        TalkException failure = null;
        for (final InetAddress address : addresses)
        {
            try
            {
                return connect(
                    new InetSocketAddress(address, meeting.port()), meeting.timeoutNs(), addresses.length);
            }
            catch (final TalkException e)
            {
                if (e.kind() == TalkException.Kind.INTERRUPTED)
                {
                    throw e;
                }
                failure = failure == null ? e : failure;
            }
        }
        throw failure;
    }

    private static Conversation connect(final InetSocketAddress address, final long timeoutNs, final int share)
    {
        SocketChannel socket = null;
        try
        {
            socket = SocketChannel.open();
            socket.configureBlocking(false);
            if (!socket.connect(address))
            {
                await(socket, SelectionKey.OP_CONNECT, System.nanoTime() + timeoutNs / share, "no answer from " +
                    text(address) + ", see whether a firewall is between, or give more time with --timeout");
                socket.finishConnect();
            }
            return of(socket, timeoutNs);
        }
        catch (final ConnectException e)
        {
            close(socket);
            throw new TalkException(TalkException.Kind.NOT_CONNECTED,
                "nothing listens there, start the peer's server first: address=" + text(address) + " cause=" +
                    e.getMessage(), e);
        }
        catch (final IOException e)
        {
            close(socket);
            throw failed(TalkException.Kind.NOT_CONNECTED, "cannot connect", address, e);
        }
        catch (final RuntimeException e)
        {
            close(socket);
            throw e;
        }
    }

    private static Conversation of(final SocketChannel socket, final long timeoutNs) throws IOException
    {
        boolean success = false;
        try
        {
            final Conversation conversation = new Conversation(socket, timeoutNs);
            success = true;
            return conversation;
        }
        finally
        {
            if (!success)
            {
                close(socket);
            }
        }
    }

    private static void await(
        final SelectableChannel channel, final int operation, final long deadlineNs, final String late)
        throws IOException
    {
        try (Selector selector = Selector.open())
        {
            channel.configureBlocking(false);
            channel.register(selector, operation);
            if (!select(selector, deadlineNs))
            {
                throw new TalkException(TalkException.Kind.NOT_CONNECTED, late);
            }
        }
    }

    /** Waits until the channel is ready; false after the deadline. */
    private static boolean select(final Selector selector, final long deadlineNs) throws IOException
    {
        while (true)
        {
            checkInterrupt();
            final long remainingNs = deadlineNs - System.nanoTime();
            final int ready = remainingNs <= 0 ?
                selector.selectNow() : selector.select(TimeUnit.NANOSECONDS.toMillis(remainingNs) + 1);
            if (ready > 0)
            {
                selector.selectedKeys().clear();
                return true;
            }
            if (remainingNs <= 0)
            {
                return false;
            }
        }
    }

    /** Ends the command if the process was told to stop. */
    static void checkInterrupt()
    {
        if (Thread.currentThread().isInterrupted())
        {
            throw new TalkException(TalkException.Kind.INTERRUPTED, "told to stop");
        }
    }

    /**
     * @return address of the peer.
     */
    InetAddress peerAddress()
    {
        return peer.getAddress();
    }

    /**
     * @return name of the peer for messages.
     */
    String peer()
    {
        return text(peer);
    }

    /** Writes all bytes, in one piece if the system accepts it. */
    void write(final byte[] bytes, final String what)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final long deadlineNs = System.nanoTime() + timeoutNs;
        try
        {
            while (true)
            {
                socket.write(buffer);
                if (!buffer.hasRemaining())
                {
                    return;
                }
                key.interestOps(SelectionKey.OP_WRITE);
                if (!select(selector, deadlineNs))
                {
                    throw new TalkException(
                        TalkException.Kind.DEADLINE, "the peer does not accept " + what + ": peer=" + peer());
                }
            }
        }
        catch (final IOException e)
        {
            throw new TalkException(
                TalkException.Kind.NOT_CONNECTED, lost(what) + " cause=" + e.getMessage(), e);
        }
    }

    /** Reads as many bytes as fit. */
    byte[] read(final int length, final String what)
    {
        final byte[] bytes = new byte[length];
        final int count = read(bytes, what, timeoutNs);
        if (count < length)
        {
            throw new TalkException(TalkException.Kind.NOT_CONNECTED, lost(what) + " got=" + count +
                " bytes of=" + length + "; it may be another program");
        }
        return bytes;
    }

    /**
     * Reads until the array is full, the peer closes the connection, or the peer pauses after its first byte.
     *
     * @param quietNs longest pause between the first byte and the last, in nanoseconds.
     * @return number of bytes.
     */
    int read(final byte[] bytes, final String what, final long quietNs)
    {
        int count = 0;
        while (count < bytes.length)
        {
            final int more = readMore(bytes, count, count == 0 ? timeoutNs : Math.min(timeoutNs, quietNs), what);
            if (more == NOTHING && count == 0)
            {
                throw new TalkException(TalkException.Kind.DEADLINE, "the peer did not send " + what +
                    " in time, see whether it is the same program, or give more time with --timeout: peer=" + peer());
            }
            if (more <= 0)
            {
                break;
            }
            count += more;
        }
        return count;
    }

    private int readMore(final byte[] bytes, final int count, final long waitNs, final String what)
    {
        try
        {
            return readSome(bytes, count, waitNs, what);
        }
        catch (final TalkException e)
        {
            if (count > 0 && e.kind() == TalkException.Kind.NOT_CONNECTED)
            {
                // The bytes before the break say more than the exception.
                return ENDED;
            }
            throw e;
        }
    }

    /**
     * Reads available bytes.
     *
     * @param waitNs how long to wait for the first byte, in nanoseconds; 0 to return at once.
     * @return number of bytes, {@link #NOTHING} or {@link #ENDED}.
     */
    int readSome(final byte[] bytes, final int offset, final long waitNs, final String what)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
        if (heard != null && buffer.hasRemaining())
        {
            buffer.put(heard);
            heard = null;
            return 1;
        }
        try
        {
            final int count = socket.read(buffer);
            if (count != 0 || waitNs <= 0)
            {
                return count;
            }
            key.interestOps(SelectionKey.OP_READ);
            return select(selector, System.nanoTime() + waitNs) ? socket.read(buffer) : NOTHING;
        }
        catch (final IOException e)
        {
            throw new TalkException(
                TalkException.Kind.NOT_CONNECTED, lost(what) + " cause=" + e.getMessage(), e);
        }
    }

    /** Closes the connection. */
    @Override
    public void close()
    {
        close(selector);
        close(socket);
    }

    private String lost(final String what)
    {
        return "the peer went away before " + what + " arrived, see its messages: peer=" + peer();
    }

    private static TalkException failed(
        final TalkException.Kind kind, final String what, final InetSocketAddress address, final IOException e)
    {
        return new TalkException(kind, what + ": address=" + text(address) + " cause=" +
            (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()), e);
    }

    /** An address as on a command line. */
    static String text(final InetSocketAddress address)
    {
        final InetAddress ip = address.getAddress();
        final String host = ip == null ? address.getHostString() : ip.isAnyLocalAddress() ? "*" : ip.getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    private static void close(final AutoCloseable closeable)
    {
        try
        {
            if (closeable != null)
            {
                closeable.close();
            }
        }
        catch (final Exception e)
        {
            // A connection that is given up has nothing left to lose.
            return;
        }
    }
}

package org.onesided.verbs.tcp;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Accepts connections. Limits connections without a queue pair, in total and per address; the oldest gives way. Used by
 * the progress thread, except its constructor.
 */
final class Listener implements Handler, Claim.Keeper
{
    /** Maximum number of connections without a queue pair. */
    private static final int MAX_CLAIMS = 1024;
    /** The same per IPv4 address or IPv6 network of 64 bits. */
    private static final int MAX_CLAIMS_OF_ADDRESS = 256;
    private static final int BACKLOG = 1024;
    /** Maximum number of connections to accept at a time, so that existing ones have their turn. */
    private static final int ACCEPTS = 16;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerSocketChannel socket;
    private final InetSocketAddress address;
    private final Set<Claim> claims = new LinkedHashSet<>();
    private final Map<Object, Integer> counts = new HashMap<>();
    private final List<Claim> waiting = new ArrayList<>();
    private Progress progress;
    private Reception reception;
    private SelectionKey key;

    private Listener(final ServerSocketChannel socket, final InetSocketAddress address)
    {
        this.socket = socket;
        this.address = address;
    }

    static Listener open(final TcpAddress at)
    {
        final InetSocketAddress wanted = at.resolve();
        ServerSocketChannel socket = null;
        try
        {
            // Otherwise the IPv4 wildcard address would accept IPv6, too.
            socket = wanted.getAddress() instanceof Inet4Address ?
                ServerSocketChannel.open(StandardProtocolFamily.INET) : ServerSocketChannel.open();
            socket.configureBlocking(false);
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(wanted, BACKLOG);
            return new Listener(socket, (InetSocketAddress)socket.getLocalAddress());
        }
        catch (final IOException | RuntimeException ex)
        {
            if (socket != null)
            {
                Sockets.close(socket);
            }
            throw new VerbsException("open_device", errno(ex, wanted),
                "cannot listen there, take an address of this host and a free port (0 is any): device=" + at + ": " +
                    ex.getMessage(), ex);
        }
    }

    /**
     * Derives an errno by trying another port: all failures have the same exception, its message in the system's
     * language.
     */
    private static int errno(final Exception cause, final InetSocketAddress wanted)
    {
        if (wanted.getPort() == 0)
        {
            return Errno.EADDRNOTAVAIL;
        }
        try (ServerSocketChannel anyPort = ServerSocketChannel.open())
        {
            anyPort.bind(new InetSocketAddress(wanted.getAddress(), 0));
            return String.valueOf(cause.getMessage()).contains("Permission denied") ? Errno.EACCES : Errno.EADDRINUSE;
        }
        catch (final IOException | RuntimeException ex)
        {
            cause.addSuppressed(ex);
            return Errno.EADDRNOTAVAIL;
        }
    }

    InetSocketAddress address()
    {
        return address;
    }

    /**
     * @param byProgress   serves the socket.
     * @param forReception takes what is accepted.
     */
    void begin(final Progress byProgress, final Reception forReception) throws IOException
    {
        progress = byProgress;
        reception = forReception;
        key = progress.register(socket, SelectionKey.OP_ACCEPT, this);
    }

    void close()
    {
        Sockets.close(socket);
    }

    @Override
    public void ready()
    {
        for (int i = 0; i < ACCEPTS; i++)
        {
            SocketChannel accepted = null;
            try
            {
                accepted = socket.accept();
                if (accepted == null)
                {
                    return;
                }
                begin(accepted);
            }
            catch (final IOException ex)
            {
                reception.refused(StartFault.RESOURCES, accepted);
                if (accepted == null)
                {
                    // Probably out of file descriptors. The socket would be ready again at once, and fail again.
                    key.interestOps(0);
                    progress.add(new Pause());
                    return;
                }
                Sockets.close(accepted);
            }
        }
    }

    @Override
    public void failed()
    {
        reception.refused(StartFault.RESOURCES, null);
    }

    /**
     * A queue pair may take the connection of a peer that waits for it; from any thread.
     */
    void claimsMayGoOn()
    {
        progress.execute(() ->
        {
            final List<Claim> all = List.copyOf(waiting);
            waiting.clear();
            all.forEach(Claim::decide);
        });
    }

    @Override
    public void waits(final Claim claim)
    {
        waiting.add(claim);
    }

    @Override
    public void ended(final Claim claim)
    {
        waiting.remove(claim);
        claims.remove(claim);
        counts.merge(claim.origin(), -1, (x, y) -> x + y == 0 ? null : x + y);
    }

    /**
     * @return key for all addresses that one peer may have.
     */
    static Object origin(final InetAddress address)
    {
        return address instanceof Inet6Address ? ByteBuffer.wrap(address.getAddress()).getLong() : address;
    }

    private void begin(final SocketChannel accepted) throws IOException
    {
        final Object peer = origin(((InetSocketAddress)accepted.getRemoteAddress()).getAddress());
        final boolean hasRoom = counts.getOrDefault(peer, 0) < MAX_CLAIMS_OF_ADDRESS ?
            claims.size() < MAX_CLAIMS || endOldest((claim) -> true) :
            endOldest((claim) -> claim.origin().equals(peer));
        if (!hasRoom)
        {
            reception.refused(StartFault.CROWDED, accepted);
            Sockets.close(accepted);
            return;
        }
        final Claim claim = new Claim(progress, reception, this, accepted, peer);
        claim.begin();
        claims.add(claim);
        counts.merge(peer, 1, Integer::sum);
    }

    /** Closes the oldest connection without a request, so that silent peers do not keep others out. */
    private boolean endOldest(final Predicate<Claim> such)
    {
        for (final Claim claim : claims)
        {
            if (!claim.hasAsked() && such.test(claim))
            {
                claim.end(StartFault.CROWDED);
                return true;
            }
        }
        return false;
    }

    /**
     * The time until connections are accepted again.
     */
    private final class Pause extends Timed
    {
        Pause()
        {
            super(PAUSE_NS);
        }

        @Override
        public void ready()
        {
            // There is no socket to close.
        }

        @Override
        void expire()
        {
            progress.remove(this);
            if (key.isValid())
            {
                key.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
    }
}

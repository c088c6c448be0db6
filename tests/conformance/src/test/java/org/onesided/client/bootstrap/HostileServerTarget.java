package org.onesided.client.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.onesided.client.request.RequestEngine;
import org.onesided.fuzz.BootstrapSeeds;
import org.onesided.fuzz.FuzzTarget;
import org.onesided.fuzz.Refusal;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

/**
 * All that a server sends during the bootstrap, and then the end of its connection. The first byte chooses whether the
 * client asks for an offer, begins a session, or resumes one.
 */
public final class HostileServerTarget implements FuzzTarget
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final byte[] TOKEN = {1, 2, 3};
    private static final SessionIdentity FORMER = new SessionIdentity(3, 5, 6, 7);
    private static final List<Endpoint> ENDPOINTS =
        List.of(new Endpoint(7, 8, new Gid(9, 10), 11, 4096, 16, 16, new byte[0]));
    private static final byte[] ASK = {0};
    private static final byte[] BEGIN = {1};
    private static final byte[] RESUME = {2};
    private static final int KINDS = 3;

    private ServerSocketChannel listener;
    private HostAndPort address;

    /**
     * For {@code ServiceLoader}.
     */
    public HostileServerTarget()
    {
    }

    @Override
    public String name()
    {
        return "hostile-server";
    }

    @Override
    public int maxLength()
    {
        return 40 << 10;
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        return (1L << 20) + 128L * inputLength;
    }

    @Override
    public List<byte[]> seeds()
    {
        final byte[] resumed = BootstrapSeeds.welcome();
        return List.of(
            BootstrapSeeds.join(ASK, BootstrapSeeds.offer()),
            BootstrapSeeds.join(BEGIN, BootstrapSeeds.welcome(), BootstrapSeeds.connected(), BootstrapSeeds.ready()),
            BootstrapSeeds.join(BEGIN, BootstrapSeeds.heartbeat(), BootstrapSeeds.welcome(), BootstrapSeeds.refused()),
            BootstrapSeeds.join(RESUME, resumed, BootstrapSeeds.connected(), BootstrapSeeds.goodbye()),
            BootstrapSeeds.join(BEGIN, BootstrapSeeds.refused()),
            BootstrapSeeds.join(RESUME, BootstrapSeeds.goodbye()));
    }

    @Override
    public void feed(final byte[] input) throws IOException
    {
        if (listener == null)
        {
            listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            address = new HostAndPort("127.0.0.1", ((InetSocketAddress)listener.getLocalAddress()).getPort());
        }
        try (BootstrapConnection client = new BootstrapConnection(address, null, System.nanoTime() + DEADLINE_NS);
            SocketChannel server = listener.accept())
        {
            // Thousands of connections a second: none may stay behind in the kernel.
            client.channel().socket().setOption(StandardSocketOptions.SO_LINGER, 0);
            final int kind = input.length == 0 ? 0 : (input[0] & 0xFF) % KINDS;
            final ByteBuffer bytes = ByteBuffer.wrap(input, Math.min(1, input.length), Math.max(0, input.length - 1));
            while (bytes.hasRemaining())
            {
                server.write(bytes);
            }
            server.shutdownOutput();
            if (kind == ASK[0])
            {
                client.askOffer(TOKEN).devices().forEach((name) -> Refusal.check('<' + name + '>', null));
            }
            else
            {
                session(client, kind == RESUME[0] ? FORMER : SessionIdentity.NONE);
            }
        }
        catch (final AttachFailedException e)
        {
            Refusal.check(e);
        }
    }

    private static void session(final BootstrapConnection client, final SessionIdentity former)
        throws AttachFailedException
    {
        final BootstrapConnection.Welcome welcome = client.hello("shm", TOKEN, former, Bootstrap.ALL_SHARDS);
        final long space = new RequestEngine(null, null, null).requests().spaceLength(welcome);
        if (space > Bootstrap.MAX_REQUESTS_LENGTH + (1L << 20))
        {
            throw new AssertionError("a server makes a client allocate too much: bytes=" + space);
        }
        if (welcome.isResumed() && !welcome.identity().equals(former))
        {
            throw new AssertionError("another session is resumed: identity=" + welcome.identity());
        }
        final BootstrapConnection.Connected connected = client.connect(ENDPOINTS);
        if (connected.endpoints().size() != 1)
        {
            throw new AssertionError("endpoints for other shards: count=" + connected.endpoints().size());
        }
        connected.segments().contains(0, Long.MAX_VALUE);
        client.ready();
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(listener);
    }
}

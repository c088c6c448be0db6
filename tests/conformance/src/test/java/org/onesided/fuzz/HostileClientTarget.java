package org.onesided.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.management.ThreadMXBean;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.onesided.client.StoreClient;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.server.eviction.Eviction;

/**
 * All that a client sends a running server during the bootstrap, with and without the token. The server must answer
 * with its own messages, log no error, and go on serving another client.
 */
public final class HostileClientTarget implements FuzzTarget
{
    private static final String SECRET = "secret";
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int ROUNDS_PER_LOOK = 64;
    private static final String KEY = "bystander";
    private static final String VALUE = "unharmed";

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private ServerLog log;
    private StoreServer server;
    private StoreClient bystander;
    private long[] serverThreads;
    private int rounds;

    /**
     * For {@code ServiceLoader}.
     */
    public HostileClientTarget()
    {
    }

    @Override
    public String name()
    {
        return "hostile-client";
    }

    @Override
    public int maxLength()
    {
        return 20 << 10;
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        return (2L << 20) + 128L * inputLength;
    }

    @Override
    public long allocated()
    {
        return serverThreads == null ? 0 : Arrays.stream(threads.getThreadAllocatedBytes(serverThreads)).sum();
    }

    @Override
    public List<byte[]> seeds()
    {
        final byte[] hello = BootstrapSeeds.hello("shm", SECRET);
        return List.of(
            BootstrapSeeds.join(hello, BootstrapSeeds.connect(), BootstrapSeeds.ready(), BootstrapSeeds.heartbeat()),
            BootstrapSeeds.join(hello, BootstrapSeeds.heartbeat(), BootstrapSeeds.goodbye()),
            BootstrapSeeds.join(hello, BootstrapSeeds.connect(), BootstrapSeeds.ready(), BootstrapSeeds.confirm()),
            BootstrapSeeds.join(hello, BootstrapSeeds.connect(), BootstrapSeeds.ready(), BootstrapSeeds.accesses()),
            BootstrapSeeds.join(hello, BootstrapSeeds.accesses()),
            BootstrapSeeds.join(hello, BootstrapSeeds.connect(), BootstrapSeeds.connect()),
            BootstrapSeeds.join(BootstrapSeeds.hello("", SECRET)),
            BootstrapSeeds.join(BootstrapSeeds.hello("tcp", SECRET), BootstrapSeeds.connect()),
            BootstrapSeeds.hello("shm", "another"),
            BootstrapSeeds.join(BootstrapSeeds.connect(), BootstrapSeeds.ready()),
            BootstrapSeeds.join(BootstrapSeeds.welcome(), BootstrapSeeds.connected()));
    }

    @Override
    public void feed(final byte[] input) throws IOException
    {
        if (server == null)
        {
            begin();
        }
        try (SocketChannel socket = SocketChannel.open(server.address());
            MessageChannel channel = new MessageChannel(socket, Bootstrap.MAX_MESSAGE_LENGTH))
        {
            // Thousands of connections a second: none may stay behind in the kernel.
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
            send(socket, input);
            readAll(channel);
        }
        if (log.error() != null)
        {
            throw new AssertionError("server logged: " + log.error());
        }
        if (++rounds % ROUNDS_PER_LOOK == 0 && !VALUE.equals(bystander.get(KEY)))
        {
            throw new AssertionError("another client is not served: value=" + bystander.get(KEY));
        }
    }

    private static void send(final SocketChannel socket, final byte[] input)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(input);
        final long endNs = System.nanoTime() + DEADLINE_NS;
        try
        {
            while (bytes.hasRemaining())
            {
                if (System.nanoTime() - endNs > 0)
                {
                    throw new AssertionError("server does not read: unread=" + bytes.remaining());
                }
                socket.write(bytes);
            }
            socket.shutdownOutput();
        }
        catch (final IOException e)
        {
            // It has heard enough, and closed the connection.
        }
    }

    private static void readAll(final MessageChannel channel) throws IOException
    {
        final long endNs = System.nanoTime() + DEADLINE_NS;
        try
        {
            while (true)
            {
                final int templateId = channel.receive(endNs);
                final MessageHeaderDecoder header = new MessageHeaderDecoder();
                if (templateId == RefusedDecoder.TEMPLATE_ID)
                {
                    check(new RefusedDecoder().wrapAndApplyHeader(channel.message(), 0, header).reason());
                }
                else if (templateId == GoodbyeDecoder.TEMPLATE_ID)
                {
                    check(new GoodbyeDecoder().wrapAndApplyHeader(channel.message(), 0, header).reason());
                }
            }
        }
        catch (final EOFException e)
        {
            if (!"peer closed the connection".equals(e.getMessage()))
            {
                throw e;
            }
        }
        catch (final SocketTimeoutException | ProtocolException e)
        {
            throw new AssertionError("server neither answers nor closes, or says what is no message", e);
        }
        catch (final IOException e)
        {
            // Reset: it closed before it had read all.
        }
    }

    private static void check(final String reason)
    {
        Refusal.check(reason, null);
        if (reason.contains("server failed"))
        {
            throw new AssertionError(reason);
        }
    }

    private void begin()
    {
        log = new ServerLog();
        server = StoreServer.start(new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(16 << 20)
            .device("shm,tcp").token(Token.of(SECRET)).evict(Eviction.DENSITY));
        bystander = StoreClient.builder().server("127.0.0.1:" + server.address().getPort()).device("shm")
            .token(SECRET.getBytes(US_ASCII)).build();
        bystander.put(KEY, VALUE);
        serverThreads = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
            .filter((info) -> info != null && info.getThreadName().startsWith("store-"))
            .mapToLong(ThreadInfo::getThreadId).toArray();
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(bystander, server, log);
        server = null;
    }
}

package org.onesided.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * Clients at ports where something else listens: they say what, and do not wait until their deadline, which is longer
 * than the test may take.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForeignPortTest
{
    private static final byte[] ALERT = {21, 3, 3, 0, 2, 2, 70};
    private static final int WHOLE_TLS_HEADER = 5;

    /** What a server does with each connection, which stays open until the client closes it. */
    private interface Script
    {
        void run(Socket connection) throws IOException;
    }

    private static StoreClientBuilder builder(final int port)
    {
        return StoreClient.builder().server("127.0.0.1:" + port).device("shm").deadline(Duration.ofHours(1));
    }

    private static String failure(final int port)
    {
        return assertThrows(StoreConnectException.class, () -> builder(port).build()).getMessage();
    }

    private static void assertNamed(final String protocol, final Script script) throws Exception
    {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress()))
        {
            final Thread thread = new Thread(() -> serve(listener, script), "foreign");
            thread.setDaemon(true);
            thread.start();
            final String message = failure(listener.getLocalPort());
            assertTrue(
                message.startsWith("127.0.0.1:" + listener.getLocalPort() + " answers like " + protocol), message);
        }
    }

    private static void serve(final ServerSocket listener, final Script script)
    {
        while (!listener.isClosed())
        {
            try (Socket connection = listener.accept())
            {
                script.run(connection);
                connection.getInputStream().readAllBytes();
            }
            catch (final IOException e)
            {
                // Either the test is over, or the client has heard enough.
                continue;
            }
        }
    }

    private static void readLine(final Socket connection) throws IOException
    {
        final InputStream input = connection.getInputStream();
        int read = input.read();
        while (read != '\n' && read >= 0)
        {
            read = input.read();
        }
    }

    private static void say(final Socket connection, final String what) throws IOException
    {
        connection.getOutputStream().write(what.getBytes(US_ASCII));
    }

    /** As some do, it waits for a whole line before it answers. */
    @Test
    void shouldNameHttp() throws Exception
    {
        final HttpServer server =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        try
        {
            final int port = server.getAddress().getPort();
            assertTrue(failure(port).startsWith("127.0.0.1:" + port + " answers like HTTP, not onesided; name "));
        }
        finally
        {
            server.stop(0);
        }
        assertNamed("HTTP, not onesided", connection ->
        {
            readLine(connection);
            say(connection, "HTTP/1.0 400 Bad Request\r\n\r\n");
        });
    }

    @Test
    void shouldNameRedis() throws Exception
    {
        assertNamed("Redis, not onesided", connection ->
        {
            readLine(connection);
            say(connection, "-ERR unknown command, with args beginning with:\r\n");
        });
    }

    @Test
    void shouldNameSsh() throws Exception
    {
        assertNamed("SSH, not onesided", connection -> say(connection, "SSH-2.0-OpenSSH_9.6\r\n"));
    }

    @Test
    void shouldNameTls() throws Exception
    {
        assertNamed("TLS; where that is a onesided server, connect within TLS", connection ->
        {
            connection.getInputStream().readNBytes(WHOLE_TLS_HEADER);
            connection.getOutputStream().write(ALERT);
        });
    }

    @Test
    void shouldNameItWithinTlsToo() throws Exception
    {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress()))
        {
            final Thread thread = new Thread(
                () -> serve(listener, connection -> say(connection, "SSH-2.0-OpenSSH_9.6\r\n")), "foreign");
            thread.setDaemon(true);
            thread.start();
            final String message = assertThrows(StoreConnectException.class,
                () -> builder(listener.getLocalPort()).tls(TlsOptions.DEFAULT).build()).getMessage();
            assertTrue(message.contains("answers like SSH, not onesided"), message);
        }
    }

    /** A server with too many handshakes under way can only close, too. */
    @Test
    void shouldTryAgainWhereConnectionsAreClosedAmidTheTlsHandshake() throws Exception
    {
        final AtomicInteger closed = new AtomicInteger();
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress()))
        {
            final Thread thread = new Thread(
                () -> serve(listener, connection ->
                {
                    if (closed.get() < 12)
                    {
                        closed.incrementAndGet();
                        connection.close();
                    }
                    else
                    {
                        say(connection, "SSH-2.0-OpenSSH_9.6\r\n");
                    }
                }), "foreign");
            thread.setDaemon(true);
            thread.start();
            final String message = assertThrows(StoreConnectException.class,
                () -> builder(listener.getLocalPort()).tls(TlsOptions.DEFAULT).build()).getMessage();
            assertTrue(message.contains("answers like SSH, not onesided"), message);
            assertEquals(12, closed.get());
        }
    }

    @Test
    void shouldSpeakFirst() throws IOException
    {
        try (StoreServer server = StoreServer.start(
            new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(16 << 20).device("shm"));
            Socket socket = new Socket("127.0.0.1", server.address().getPort()))
        {
            final byte[] greeting = socket.getInputStream().readNBytes(8);
            assertEquals("1SKV", new String(greeting, 4, 4, US_ASCII));
        }
    }
}

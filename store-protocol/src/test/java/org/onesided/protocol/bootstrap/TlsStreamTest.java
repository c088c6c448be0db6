package org.onesided.protocol.bootstrap;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.codec.GoodbyeEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsStreamTest
{
    private static final String HOST = "127.0.0.1";
    /** More than a record of TLS has, but Java would wait for it. */
    private static final int TOO_LONG = 30_000;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();
    private final CountingKeys keys = new CountingKeys();
    private ServerSocketChannel listener;
    private SSLContext context;

    @BeforeEach
    void open() throws IOException, GeneralSecurityException
    {
        listener = opened(ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0)));
        context = SSLContext.getInstance("TLSv1.3");
        context.init(new KeyManager[]{keys}, null, null);
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
    }

    @Test
    void shouldRefuseARecordThatIsLongerThanAnyOfTls() throws IOException
    {
        final SocketChannel raw = opened(SocketChannel.open(listener.getLocalAddress()));
        final MessageChannel channel = accept(Runnable::run);
        final byte[] record = new byte[TOO_LONG];
        record[0] = 22;
        record[1] = 3;
        record[2] = 1;
        record[3] = (byte)(TOO_LONG >> 8);
        raw.write(ByteBuffer.wrap(record));
        final String message = assertThrows(TlsException.class, () -> receive(channel)).getMessage();
        assertTrue(message.contains("too long"), message);
    }

    @Test
    void shouldTellWhyAServerOfAnOlderVersionRefuses() throws IOException
    {
        final MessageChannel near = connect(credentials(TlsOptions.DEFAULT));
        final SocketChannel raw = opened(listener.accept());
        assertTrue(near.flush());
        // An alert: protocol_version.
        raw.write(ByteBuffer.wrap(new byte[]{21, 3, 3, 0, 2, 2, 70}));
        raw.shutdownOutput();
        final String message = assertThrows(TlsException.class, () -> receive(near)).getMessage();
        assertTrue(message.contains("protocol_version"), message);
    }

    @Test
    void shouldNotWaitToSendAfterTlsHasFailed() throws IOException, GeneralSecurityException
    {
        final TestAuthority authority = new TestAuthority("tests");
        final TlsOptions trusting = TlsOptions.DEFAULT.authorities(authority.write(folder.resolve("ca.crt")));
        final TlsCredentials server = credentials(authority.forLoopback().write(folder, "server"));
        final MessageChannel near = connect(credentials(trusting));
        final MessageChannel far =
            opened(server.accepted(listener.accept(), Bootstrap.MAX_HELLO_LENGTH, Runnable::run, () -> { }));
        while (!near.isEstablished() || !far.isEstablished())
        {
            near.flush();
            near.poll();
            far.poll();
        }
        // A record that nobody has enciphered.
        near.socket().write(ByteBuffer.wrap(new byte[]{23, 3, 3, 0, 32}));
        near.socket().write(ByteBuffer.wrap(new byte[32]));
        assertThrows(TlsException.class, () -> receive(far));
        final GoodbyeEncoder goodbye =
            new GoodbyeEncoder().wrapAndApplyHeader(far.outgoing(), 0, new MessageHeaderEncoder()).reason("no way");
        far.commit(goodbye.limit());
        far.flush();
        assertEquals(SelectionKey.OP_READ, far.interest());
    }

    @Test
    void shouldShowCertificatesEachTime() throws IOException, GeneralSecurityException, InterruptedException
    {
        final TlsCredentials server = credentials(new TestAuthority("tests").forLoopback().write(folder, "server"));
        final CountingTrust trust = new CountingTrust();
        final SSLContext client = SSLContext.getInstance("TLSv1.3");
        client.init(null, new TrustManager[]{trust}, null);
        for (int i = 1; i <= 2; i++)
        {
            final Socket socket = opened(client.getSocketFactory().createSocket(
                HOST, ((InetSocketAddress)listener.getLocalAddress()).getPort()));
            final Thread reader = new Thread(
                () -> assertDoesNotThrow(() -> socket.getInputStream().read()), "reader-" + i);
            reader.start();
            final MessageChannel far =
                opened(server.accepted(listener.accept(), Bootstrap.MAX_HELLO_LENGTH, Runnable::run, () -> { }));
            while (!far.isEstablished())
            {
                far.poll();
            }
            far.close();
            reader.join();
            assertEquals(i, trust.asked);
        }
    }

    @Test
    void shouldGoOnWithAHandshakeOnTheExecutor() throws IOException
    {
        begin();
        tasks.forEach(Runnable::run);
        assertTrue(keys.asked > 0);
    }

    @Test
    void shouldNotGoOnWithAHandshakeAfterTheClose() throws IOException
    {
        begin().close();
        tasks.forEach(Runnable::run);
        assertEquals(0, keys.asked);
    }

    @Test
    void shouldNotGoOnWithAHandshakeAfterTakingLeave() throws IOException
    {
        final MessageChannel far = begin();
        far.shutdownOutput();
        tasks.forEach(Runnable::run);
        far.flush();
        assertEquals(0, keys.asked);
        assertEquals(SelectionKey.OP_READ, far.interest());
    }

    /** The server's end of a handshake, whose next step waits for the executor. */
    private MessageChannel begin() throws IOException
    {
        final MessageChannel near = connect(credentials(TlsOptions.DEFAULT));
        final MessageChannel far = accept(tasks::add);
        near.flush();
        while (tasks.isEmpty())
        {
            far.poll();
        }
        return far;
    }

    private MessageChannel connect(final TlsCredentials credentials) throws IOException
    {
        final InetSocketAddress address = (InetSocketAddress)listener.getLocalAddress();
        return opened(credentials.connected(
            SocketChannel.open(address), HOST, address.getPort(), Bootstrap.MAX_MESSAGE_LENGTH));
    }

    private MessageChannel accept(final Executor executor) throws IOException
    {
        final SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        return opened(new MessageChannel(
            new TlsStream(listener.accept(), engine, executor, () -> { }), Bootstrap.MAX_HELLO_LENGTH));
    }

    private static void receive(final MessageChannel channel) throws IOException
    {
        channel.receive(System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
    }

    private static TlsCredentials credentials(final TlsOptions options) throws IOException
    {
        return new TlsCredentials(options, (line) -> { }, (line) -> { });
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }

    /** Trusts everybody, and knows how often it was asked. */
    private static final class CountingTrust implements X509TrustManager
    {
        private volatile int asked;

        @Override
        public void checkClientTrusted(final X509Certificate[] chain, final String type)
        {
            asked++;
        }

        @Override
        public void checkServerTrusted(final X509Certificate[] chain, final String type)
        {
            asked++;
        }

        @Override
        public X509Certificate[] getAcceptedIssuers()
        {
            return new X509Certificate[0];
        }
    }

    /** Has none, but knows whether it was asked for one. */
    private static final class CountingKeys extends X509ExtendedKeyManager
    {
        private int asked;

        @Override
        public String chooseEngineServerAlias(final String type, final Principal[] issuers, final SSLEngine engine)
        {
            asked++;
            return null;
        }

        @Override
        public String chooseServerAlias(final String type, final Principal[] issuers, final Socket socket)
        {
            return null;
        }

        @Override
        public String chooseClientAlias(final String[] types, final Principal[] issuers, final Socket socket)
        {
            return null;
        }

        @Override
        public String[] getServerAliases(final String type, final Principal[] issuers)
        {
            return new String[0];
        }

        @Override
        public String[] getClientAliases(final String type, final Principal[] issuers)
        {
            return new String[0];
        }

        @Override
        public X509Certificate[] getCertificateChain(final String alias)
        {
            return new X509Certificate[0];
        }

        @Override
        public PrivateKey getPrivateKey(final String alias)
        {
            return null;
        }
    }
}

package org.onesided.protocol.bootstrap;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsChannelTest
{
    private static final String HOST = "127.0.0.1";
    private static final int NEW_KEYS = 200;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> reloaded = new ArrayList<>();
    private final List<String> kept = new ArrayList<>();
    private ServerSocketChannel listener;
    private TestAuthority authority;
    private Path authorities;
    private TlsOptions server;
    private MessageChannel near;
    private MessageChannel far;

    @BeforeEach
    void open() throws IOException, GeneralSecurityException
    {
        listener = opened(ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0)));
        authority = new TestAuthority("tests");
        authorities = authority.write(folder.resolve("ca.crt"));
        server = authority.forLoopback().write(folder, "server");
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
    }

    @Test
    void shouldCarryMessagesOfAllLengthsBothWays() throws IOException
    {
        connect(credentials(server), credentials(TlsOptions.DEFAULT.authorities(authorities)));
        for (final int length : new int[]{0, 1, 900, 5000, Bootstrap.MAX_MESSAGE_LENGTH - 64})
        {
            assertEquals(length, pass(near, far, "x".repeat(length)).length());
            assertEquals(length, pass(far, near, "y".repeat(length)).length());
        }
        assertNull(near.peerSubject() == null ? "the server has shown its certificate" : null);
        assertNull(far.peerSubject());
    }

    @Test
    void shouldCarryManyMessagesThatComeAtOnce() throws IOException
    {
        connect(credentials(server), credentials(TlsOptions.DEFAULT.authorities(authorities)));
        pass(near, far, "first");
        for (int i = 0; i < 3; i++)
        {
            put(near, "message " + i);
        }
        assertTrue(near.flush());
        for (int i = 0; i < 3; i++)
        {
            assertEquals("message " + i, take(far));
        }
    }

    @Test
    void shouldTellTheSubjectOfAClientsCertificate() throws IOException, GeneralSecurityException
    {
        connect(
            credentials(server.authorities(authorities)),
            credentials(authority.forClient("reader, of reports").write(folder, "client").authorities(authorities)));
        assertEquals("hello", pass(near, far, "hello"));
        assertEquals("CN=reader\\, of reports", far.peerSubject());
    }

    @Test
    void shouldTellASubjectInOneLineWithoutControlCharacters() throws IOException, GeneralSecurityException
    {
        final String subject = "a\nb\u001B[31m\u007F\u0085c\u009B1m\u2028d\u2029e";
        connect(
            credentials(server.authorities(authorities)),
            credentials(authority.forClient(subject).write(folder, "client").authorities(authorities)));
        assertEquals("hello", pass(near, far, "hello"));
        assertEquals("CN=a?b?[31m??c?1m?d?e", far.peerSubject());
    }

    @Test
    void shouldRefuseAClientWithoutACertificate() throws IOException
    {
        connect(
            credentials(server.authorities(authorities)),
            credentials(TlsOptions.DEFAULT.authorities(authorities)));
        assertEquals(TlsException.Fault.PEER_CERTIFICATE, assertThrows(TlsException.class, this::shake).fault());
        far.shutdownOutput();
        assertEquals(TlsException.Fault.OWN_CERTIFICATE, refusalAtClient().fault());
    }

    @Test
    void shouldRefuseACertificateOfAnotherAuthority() throws IOException, GeneralSecurityException
    {
        final TestAuthority other = new TestAuthority("other");
        connect(
            credentials(server.authorities(authorities)),
            credentials(other.forClient("stranger").write(folder, "client").authorities(authorities)));
        assertEquals(TlsException.Fault.PEER_CERTIFICATE, assertThrows(TlsException.class, this::shake).fault());
        far.shutdownOutput();
        assertEquals(TlsException.Fault.OWN_CERTIFICATE, refusalAtClient().fault());
    }

    @Test
    void shouldNotTrustAServerOfAnotherAuthority() throws IOException, GeneralSecurityException
    {
        final Path others = new TestAuthority("other").write(folder.resolve("other.crt"));
        connect(credentials(server), credentials(TlsOptions.DEFAULT.authorities(others)));
        assertEquals(TlsException.Fault.PEER_CERTIFICATE, assertThrows(TlsException.class, this::shake).fault());
    }

    @Test
    void shouldNotTrustAServerThatJavaDoesNot() throws IOException
    {
        connect(credentials(server), credentials(TlsOptions.DEFAULT));
        assertEquals(TlsException.Fault.PEER_CERTIFICATE, assertThrows(TlsException.class, this::shake).fault());
    }

    @Test
    void shouldNotTrustTheCertificateOfAnotherHost() throws IOException, GeneralSecurityException
    {
        final TlsOptions elsewhere =
            authority.sign("server", Duration.ofDays(1), "store.example.org", "192.0.2.1").write(folder, "elsewhere");
        connect(credentials(elsewhere), credentials(TlsOptions.DEFAULT.authorities(authorities)));
        final TlsException refusal = assertThrows(TlsException.class, this::shake);
        assertEquals(TlsException.Fault.PEER_CERTIFICATE, refusal.fault());
        assertTrue(refusal.getMessage().contains(HOST), refusal.getMessage());
    }

    @Test
    void shouldSpeakNoOlderVersion() throws IOException, GeneralSecurityException
    {
        final TlsCredentials credentials = credentials(server);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        final InetSocketAddress address = (InetSocketAddress)listener.getLocalAddress();
        try (SSLSocket old = (SSLSocket)context.getSocketFactory().createSocket())
        {
            old.setEnabledProtocols(new String[]{"TLSv1.2"});
            old.connect(address);
            far = opened(accept(credentials));
            final Thread client = new Thread(() -> assertThrows(SSLException.class, old::startHandshake), "old-client");
            client.start();
            assertThrows(TlsException.class, () -> take(far));
            far.shutdownOutput();
            client.join();
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldEndAPeerThatSendsNothingButNewKeys() throws IOException, GeneralSecurityException
    {
        final TlsCredentials credentials = credentials(server);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[]{new Trusting()}, null);
        try (SSLSocket client = (SSLSocket)context.getSocketFactory().createSocket())
        {
            client.connect(listener.getLocalAddress());
            far = opened(accept(credentials));
            final CountDownLatch isShaken = new CountDownLatch(1);
            final Thread talker = new Thread(() -> assertDoesNotThrow(() ->
            {
                client.startHandshake();
                isShaken.await();
                // From now on each is a new key.
                for (int i = 0; i < NEW_KEYS; i++)
                {
                    client.startHandshake();
                }
                client.getOutputStream().write(0);
            }), "talker");
            talker.start();
            while (!far.isEstablished())
            {
                far.poll();
            }
            isShaken.countDown();
            talker.join();
            final ProtocolException thrown = assertThrows(ProtocolException.class, () -> take(far));
            assertTrue(thrown.getMessage().startsWith("peer sends TLS records without content"), thrown.getMessage());
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldTellAPeerThatDoesNotSpeakTls() throws IOException
    {
        final TlsCredentials credentials = credentials(server);
        near = opened(new MessageChannel(
            SocketChannel.open(listener.getLocalAddress()), Bootstrap.MAX_MESSAGE_LENGTH));
        far = opened(accept(credentials));
        put(near, "in the clear");
        assertTrue(near.flush());
        assertFalse(assertThrows(TlsMismatchException.class, () -> take(far)).isPeerWithin());
        far.answerInTheClear();
        assertEquals("speak TLS", pass(far, near, "speak TLS"));
    }

    @Test
    void shouldTellAPeerThatAloneSpeaksTls() throws IOException
    {
        final SocketChannel socket = SocketChannel.open(listener.getLocalAddress());
        near = opened(credentials(TlsOptions.DEFAULT).connected(socket, HOST, 1, Bootstrap.MAX_MESSAGE_LENGTH));
        far = opened(new MessageChannel(listener.accept(), Bootstrap.MAX_MESSAGE_LENGTH));
        put(near, "never sent");
        near.flush();
        assertTrue(assertThrows(TlsMismatchException.class, () -> take(far)).isPeerWithin());
        put(far, "no TLS here");
        assertTrue(far.flush());
        assertFalse(assertThrows(TlsMismatchException.class, () -> take(near)).isPeerWithin());
    }

    @Test
    void shouldRefuseAnythingElse() throws IOException
    {
        final TlsCredentials credentials = credentials(server);
        final Random random = new Random(11);
        for (int i = 0; i < 60; i++)
        {
            try (SocketChannel raw = SocketChannel.open(listener.getLocalAddress());
                MessageChannel channel = accept(credentials))
            {
                final byte[] garbage = new byte[64 + random.nextInt(4000)];
                random.nextBytes(garbage);
                if (i % 2 == 0)
                {
                    // A handshake's first record, as it seems.
                    garbage[0] = 22;
                    garbage[1] = 3;
                    garbage[2] = 1;
                    garbage[3] = (byte)random.nextInt(2);
                }
                raw.write(ByteBuffer.wrap(garbage));
                raw.shutdownOutput();
                assertThrows(IOException.class, () -> take(channel));
                assertFalse(channel.isEstablished());
            }
        }
    }

    @Test
    void shouldNoticeThatThePeerIsGone() throws IOException
    {
        connect(credentials(server), credentials(TlsOptions.DEFAULT.authorities(authorities)));
        pass(near, far, "hello");
        near.close();
        assertThrows(EOFException.class, () -> take(far));
    }

    @Test
    void shouldGoOnWhereThePeerReadsSlowly() throws IOException
    {
        connect(credentials(server), credentials(TlsOptions.DEFAULT.authorities(authorities)));
        near.socket().setOption(StandardSocketOptions.SO_SNDBUF, 4096);
        far.socket().setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        pass(near, far, "hello");
        int sent = 0;
        boolean isTaken = true;
        while (isTaken)
        {
            put(near, sent + "z".repeat(15_000));
            isTaken = near.flush();
            sent++;
        }
        for (int i = 0; i < sent; i++)
        {
            while (far.poll() == MessageChannel.NOTHING)
            {
                near.flush();
            }
            assertTrue(text(far).startsWith(i + "z"));
        }
        assertTrue(near.flush());
    }

    @Test
    void shouldTakeNewFilesForTheNextConnection() throws IOException, GeneralSecurityException
    {
        final TlsCredentials credentials = credentials(server);
        final TestAuthority next = new TestAuthority("next");
        final TlsCredentials client =
            credentials(TlsOptions.DEFAULT.authorities(next.write(folder.resolve("next.crt"))));
        connect(credentials, client);
        assertThrows(TlsException.class, this::shake);

        next.forLoopback().write(folder, "server");
        connect(credentials, client);
        assertEquals("renewed", pass(near, far, "renewed"));
        assertEquals(1, reloaded.size(), reloaded.toString());
        assertEquals(List.of(), kept);
    }

    @Test
    void shouldKeepWhatItHasWhileFilesAreNoGood() throws IOException, GeneralSecurityException
    {
        final TlsCredentials credentials = credentials(server);
        final TlsCredentials client = credentials(TlsOptions.DEFAULT.authorities(authorities));
        final TestAuthority.Signed renewed = authority.forLoopback();
        final String half = renewed.certificate().substring(0, renewed.certificate().length() / 2);
        for (final String broken : List.of("", half, "no PEM at all", renewed.certificate()))
        {
            final int before = kept.size();
            Files.writeString(server.certificate(), broken);
            for (int i = 0; i < 2; i++)
            {
                connect(credentials, client);
                assertEquals("as before", pass(near, far, "as before"));
            }
            assertTrue(kept.size() <= before + 1, kept.toString());
        }
        assertTrue(kept.get(kept.size() - 1).contains("do not belong together"), kept.toString());
        Files.delete(server.key());
        connect(credentials, client);
        assertEquals("as before", pass(near, far, "as before"));
        assertTrue(kept.get(kept.size() - 1).contains("no such file"), kept.toString());
        assertEquals(List.of(), reloaded);

        Files.writeString(server.key(), renewed.key());
        connect(credentials, client);
        assertEquals("renewed", pass(near, far, "renewed"));
        assertEquals(1, reloaded.size(), reloaded.toString());
    }

    @Test
    void shouldNoticeAChangeThatLeavesTheTimeAsItWas() throws IOException, GeneralSecurityException
    {
        final WatchedFiles files = new WatchedFiles(List.of(server.key()));
        assertTrue(files.look());
        final FileTime time = Files.getLastModifiedTime(server.key());
        assertFalse(files.look());
        final String key = Files.readString(server.key());
        Files.writeString(server.key(), key.substring(1) + "!");
        Files.setLastModifiedTime(server.key(), time);
        assertTrue(files.look());
    }

    @Test
    void shouldStartWithGoodFilesOnly() throws IOException, GeneralSecurityException
    {
        final Path none = folder.resolve("none");
        assertUnreadable(new TlsOptions(server.certificate(), none, null), "no such file: " + none);
        assertUnreadable(new TlsOptions(none, server.key(), null), "no such file: " + none);
        assertUnreadable(server.authorities(folder), folder + ": Is a directory");
        assertRefused(new TlsOptions(authorities, server.key(), null), "do not belong together");
        assertRefused(new TlsOptions(server.key(), server.key(), null), "no whole certificate");
        assertRefused(new TlsOptions(server.certificate(), server.certificate(), null), "no whole private key");
        final Path old = Files.writeString(
            folder.resolve("old.key"), Files.readString(server.key()).replace("PRIVATE", "EC PRIVATE"));
        assertRefused(new TlsOptions(server.certificate(), old, null), "openssl pkcs8");
        assertRefused(
            authority.sign("over", Duration.ofDays(-1), HOST).write(folder, "over"), "does not hold now");
        assertRefused(server.authorities(server.key()), "no whole certificate");
        assertThrows(IllegalArgumentException.class, () -> new TlsOptions(server.certificate(), null, null));
    }

    private static void assertUnreadable(final TlsOptions options, final String why)
    {
        final String message =
            assertThrows(IOException.class, () -> new TlsCredentials(options, (x) -> { }, (x) -> { })).getMessage();
        assertEquals(why, message);
    }

    private static void assertRefused(final TlsOptions options, final String why)
    {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> new TlsCredentials(options, (x) -> { }, (x) -> { })).getMessage();
        assertTrue(message.contains(why) && !message.contains("\n"), message);
    }

    private TlsCredentials credentials(final TlsOptions options) throws IOException
    {
        return new TlsCredentials(options, reloaded::add, kept::add);
    }

    private void connect(final TlsCredentials ofServer, final TlsCredentials ofClient) throws IOException
    {
        final SocketChannel socket = SocketChannel.open(listener.getLocalAddress());
        near = opened(ofClient.connected(
            socket, HOST, ((InetSocketAddress)listener.getLocalAddress()).getPort(), Bootstrap.MAX_MESSAGE_LENGTH));
        far = opened(accept(ofServer));
    }

    private MessageChannel accept(final TlsCredentials credentials) throws IOException
    {
        return credentials.accepted(listener.accept(), Bootstrap.MAX_MESSAGE_LENGTH, Runnable::run, () -> { });
    }

    /** Lets both sides go on with the handshake until they are through it. */
    private void shake() throws IOException
    {
        while (!near.isEstablished() || !far.isEstablished())
        {
            near.flush();
            far.poll();
        }
    }

    /** The client's side of the handshake may be over before the server looks at its certificate. */
    private TlsException refusalAtClient()
    {
        return assertThrows(TlsException.class, () -> take(near));
    }

    private String pass(final MessageChannel from, final MessageChannel to, final String text) throws IOException
    {
        put(from, text);
        int templateId = MessageChannel.NOTHING;
        while (templateId == MessageChannel.NOTHING)
        {
            from.flush();
            templateId = to.poll();
            if (!from.isEstablished() || !to.isEstablished())
            {
                to.flush();
            }
        }
        return text(to);
    }

    private static void put(final MessageChannel channel, final String text) throws IOException
    {
        final GoodbyeEncoder goodbye =
            new GoodbyeEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder()).reason(text);
        channel.commit(goodbye.limit());
    }

    private static String take(final MessageChannel channel) throws IOException
    {
        channel.receive(System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        return text(channel);
    }

    private static String text(final MessageChannel channel)
    {
        return new GoodbyeDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()).reason();
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }

    private static final class Trusting implements X509TrustManager
    {
        @Override
        public void checkClientTrusted(final X509Certificate[] chain, final String type)
        {
            // Whom the client trusts does not matter here.
        }

        @Override
        public void checkServerTrusted(final X509Certificate[] chain, final String type)
        {
            // Whom the client trusts does not matter here.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers()
        {
            return new X509Certificate[0];
        }
    }
}

package org.onesided.server.raft;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.agrona.CloseHelper;
import org.apache.ratis.proto.RaftProtos.GroupManagementRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.server.CapturedLog;
import org.onesided.server.cluster.ShardSnapshotFiles;
import org.onesided.server.raft.peers.MemberCertificate;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.PeerTls;
import org.onesided.server.raft.peers.Peers;
import org.onesided.server.snapshot.SnapshotStore;

/**
 * Strangers and hostile peers at the port of a member, which goes on working. Tests share members, as Ratis takes
 * seconds to start and to close one; but a member logs each reason once a minute, so a test that gives many reasons, or
 * changes the member, has its own.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerPortTest
{
    /** Each of another table: what a process knows of logs has names that are made of it. */
    private static final AtomicLong TABLES = new AtomicLong(0x1234_5678_9abcL);
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final String TAKEN = "taken";
    /** Connections that are not known as a member's yet. */
    private static final int MOST_STRANGERS = 64;

    @TempDir
    private static Path directory;
    private static TestAuthority authority;
    private static Member sharedOfTls;
    private static Member sharedOfPlain;

    private final CapturedLog log = new CapturedLog();
    private Member member;

    @BeforeAll
    static void makeAuthority() throws IOException, GeneralSecurityException
    {
        authority = new TestAuthority("cluster");
    }

    @AfterEach
    void close()
    {
        if (member != sharedOfTls && member != sharedOfPlain)
        {
            CloseHelper.close(member);
        }
        log.close();
    }

    @AfterAll
    static void closeShared()
    {
        CloseHelper.closeAll(sharedOfTls, sharedOfPlain);
        sharedOfTls = null;
        sharedOfPlain = null;
    }

    /** The only member of its group: the others are strangers. */
    private static final class Member implements AutoCloseable
    {
        private final long table = TABLES.getAndIncrement();
        private final Path folder;
        private final TlsOptions own;
        private final int port;
        private final RaftLogs logs;
        private final LogUser user;

        Member(final boolean isTls) throws Exception
        {
            folder = Files.createTempDirectory(directory, "member");
            own = authority.sign("member 1", Duration.ofDays(1), "127.0.0.1").write(folder, "own")
                .authorities(authority.write(folder.resolve("ca.crt")));
            port = FreePorts.take();
            final Peer self = new Peer(1, new InetSocketAddress("127.0.0.1", port));
            final PeerTls tls = !isTls ? null : new PeerTls(
                new TlsCredentials(own, new MemberCertificate("127.0.0.1"), (what) -> { }, (why) -> { }));
            final SnapshotStore snapshots = new SnapshotStore(folder.resolve("snapshots"), table, 0, 1);
            logs = RaftLogs.open(
                new RaftLogOptions(folder.resolve("raft"), table).peers(
                    Peers.founding(1, List.of(self), tls), (shard) -> new ShardSnapshotFiles(snapshots)),
                List.of(LogStart.withoutSnapshot(() -> { })));
            user = new LogUser(logs.log(0));
            user.awaitReady();
        }

        @Override
        public void close()
        {
            logs.close();
        }
    }

    /** Shows its certificate even to those who have said that they do not trust its authority. */
    private static final class Shameless extends X509ExtendedKeyManager
    {
        private final X509ExtendedKeyManager keys;

        Shameless(final X509ExtendedKeyManager keys)
        {
            this.keys = keys;
        }

        @Override
        public String chooseClientAlias(final String[] types, final Principal[] issuers, final Socket socket)
        {
            return keys.chooseClientAlias(types, null, socket);
        }

        @Override
        public String[] getClientAliases(final String type, final Principal[] issuers)
        {
            return keys.getClientAliases(type, null);
        }

        @Override
        public String[] getServerAliases(final String type, final Principal[] issuers)
        {
            return keys.getServerAliases(type, null);
        }

        @Override
        public String chooseServerAlias(final String type, final Principal[] issuers, final Socket socket)
        {
            return keys.chooseServerAlias(type, null, socket);
        }

        @Override
        public X509Certificate[] getCertificateChain(final String alias)
        {
            return keys.getCertificateChain(alias);
        }

        @Override
        public PrivateKey getPrivateKey(final String alias)
        {
            return keys.getPrivateKey(alias);
        }
    }

    private void share(final boolean isTls) throws Exception
    {
        if (isTls)
        {
            sharedOfTls = sharedOfTls == null ? new Member(true) : sharedOfTls;
        }
        else
        {
            sharedOfPlain = sharedOfPlain == null ? new Member(false) : sharedOfPlain;
        }
        member = isTls ? sharedOfTls : sharedOfPlain;
    }

    private void assertWorks()
    {
        member.user.propose(10, 100);
        assertEquals(List.of(), member.user.failures());
    }

    private Socket connect() throws IOException
    {
        final Socket socket = new Socket("127.0.0.1", member.port);
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** Shakes hands as gRPC does: whether the other end says anything of HTTP/2, and else why not. */
    private String shake(final TestAuthority.Signed shown) throws GeneralSecurityException, IOException
    {
        try (SSLSocket socket = handshake(shown))
        {
            socket.getOutputStream().write(PREFACE);
            socket.getOutputStream().write(SETTINGS);
            return socket.getInputStream().read() < 0 ? "closed" : TAKEN;
        }
        catch (final IOException e)
        {
            return e.toString();
        }
    }

    private SSLSocket handshake(final TestAuthority.Signed shown) throws GeneralSecurityException, IOException
    {
        final SSLSocket socket =
            (SSLSocket)context(shown).getSocketFactory().createSocket(connect(), "127.0.0.1", member.port, true);
        final SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[]{"h2"});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Shows what {@link TlsCredentials} would not even load. */
    private SSLContext context(final TestAuthority.Signed shown) throws GeneralSecurityException, IOException
    {
        final KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        final CertificateFactory certificates = CertificateFactory.getInstance("X.509");
        KeyManager[] keys = null;
        if (shown != null)
        {
            final String key = shown.key().replaceAll("-----[A-Z ]+-----", "");
            store.setKeyEntry("own",
                KeyFactory.getInstance("EC").generatePrivate(
                    new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key))),
                new char[0],
                new Certificate[]{certificates.generateCertificate(
                    new ByteArrayInputStream(shown.certificate().getBytes(US_ASCII)))});
            final KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
            factory.init(store, new char[0]);
            keys = new KeyManager[]{new Shameless((X509ExtendedKeyManager)factory.getKeyManagers()[0])};
        }
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", certificates.generateCertificate(
            new ByteArrayInputStream(Files.readAllBytes(member.own.authorities()))));
        final TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        final TrustManager[] trust = factory.getTrustManagers();
        final SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys, trust, null);
        return context;
    }

    private void awaitLogged(final String text) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (log.count(text) == 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> text + " is missing in:\n" + log.text());
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static void assertRefused(final String result)
    {
        assertTrue(!result.equals(TAKEN), result);
    }

    @Test
    void shouldTakeAMember() throws Exception
    {
        share(true);
        assertEquals(TAKEN, shake(authority.sign("member 1", Duration.ofDays(1), "127.0.0.1")));
        assertWorks();
    }

    @Test
    void shouldRefuseWhoShowsNoCertificateOrOneOfAnotherAuthority() throws Exception
    {
        share(true);
        assertRefused(shake(null));
        awaitLogged("reason=it has no certificate of an authority of --tls-peer-ca to show");
        assertRefused(shake(new TestAuthority("other").sign("stranger", Duration.ofDays(1), "127.0.0.1")));
        awaitLogged("certificate is not trusted, see --tls-peer-ca: subject=CN=stranger cause=");
        assertWorks();
    }

    @Test
    void shouldRefuseACertificateOfItsAuthorityThatIsForNoMember() throws Exception
    {
        share(true);
        assertRefused(shake(authority.sign("printer", Duration.ofDays(1), "127.0.0.9", "printer.example.com")));
        awaitLogged("certificate is for none of these hosts");
        awaitLogged("hosts=127.0.0.1 subject=CN=printer subjectAltName=127.0.0.9,printer.example.com");
        assertRefused(shake(authority.forClient("reports")));
        awaitLogged("subject=CN=reports");
    }

    @Test
    void shouldRefuseAnExpiredCertificate() throws Exception
    {
        share(true);
        assertRefused(shake(authority.sign("member 1", Duration.ofDays(-1), "127.0.0.1")));
        awaitLogged("certificate is not trusted, see --tls-peer-ca: subject=CN=member 1 cause=NotAfter");
    }

    @Test
    void shouldRefuseWhoSpeaksNoTls() throws Exception
    {
        share(true);
        try (Socket plain = connect())
        {
            // At once: if more came while the member closes the connection, the system would reset it.
            plain.getOutputStream().write(
                ByteBuffer.allocate(PREFACE.length + SETTINGS.length).put(PREFACE).put(SETTINGS).array());
            // Perhaps an alert of TLS, and the end.
            assertTrue(plain.getInputStream().readAllBytes().length < 10);
        }
        awaitLogged("it does not speak TLS");
        assertWorks();
    }

    @Test
    void shouldRefuseTlsWhereNoneIsSpoken() throws Exception
    {
        share(false);
        assertRefused(shake(null));
        awaitLogged("all need --tls-peer-ca, or none");
        assertWorks();
    }

    @Test
    void shouldShowARenewedCertificateToTheNextConnection() throws Exception
    {
        member = new Member(true);
        final TestAuthority.Signed client = authority.sign("client", Duration.ofDays(1), "127.0.0.1");
        assertEquals("CN=member 1", shownTo(client));
        authority.sign("renewed", Duration.ofDays(1), "127.0.0.1").write(member.folder, "own");
        assertEquals("CN=renewed", shownTo(client));
        // Others would not take it, so that it does not either.
        authority.sign("wrong", Duration.ofDays(1), "127.0.0.9").write(member.folder, "own");
        assertEquals("CN=renewed", shownTo(client));
        assertEquals(TAKEN, shake(client));
    }

    private String shownTo(final TestAuthority.Signed client) throws GeneralSecurityException, IOException
    {
        try (SSLSocket socket = handshake(client))
        {
            final X509Certificate shown = (X509Certificate)socket.getSession().getPeerCertificates()[0];
            return shown.getSubjectX500Principal().toString();
        }
    }

    @Test
    void shouldBoundAThousandThatSayNothing() throws Exception
    {
        member = new Member(true);
        final TestAuthority.Signed shown = authority.sign("member 1", Duration.ofDays(1), "127.0.0.1");
        final List<SocketChannel> silent = new ArrayList<>();
        try
        {
            for (int i = 0; i < 1000; i++)
            {
                final SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", member.port));
                channel.configureBlocking(false);
                silent.add(channel);
            }
            assertEquals(TAKEN, shake(shown));
            assertWorks();
            // They come before the member's, which has been taken. So all but those that are left have been closed.
            while (open(silent) > MOST_STRANGERS)
            {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            awaitLogged("many connect to the port for members");
            while (open(silent) > 0)
            {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertWorks();
        }
        finally
        {
            CloseHelper.closeAll(silent);
        }
    }

    private static int open(final List<SocketChannel> channels)
    {
        int open = 0;
        for (final SocketChannel channel : channels)
        {
            try
            {
                open += channel.read(ByteBuffer.allocate(1)) == 0 ? 1 : 0;
            }
            catch (final IOException e)
            {
                // Reset, so it is closed, too.
                continue;
            }
        }
        return open;
    }

    @Test
    void shouldEndConnectionsWithGarbage() throws Exception
    {
        member = new Member(true);
        final Random random = new Random(3);
        for (int i = 0; i < 100; i++)
        {
            final byte[] garbage = new byte[1 + random.nextInt(4000)];
            random.nextBytes(garbage);
            if (i % 2 == 0)
            {
                // A record of TLS, to begin with.
                System.arraycopy(new byte[]{22, 3, 3}, 0, garbage, 0, Math.min(3, garbage.length));
            }
            try (Socket socket = connect())
            {
                socket.getOutputStream().write(garbage);
                socket.shutdownOutput();
                assertTrue(socket.getInputStream().readAllBytes().length < 100);
            }
            catch (final IOException e)
            {
                // Reset is an end as well.
                assertTrue(e.getMessage().contains("reset") || e.getMessage().contains("Broken pipe"), e.toString());
            }
        }
        assertWorks();
    }

    @Test
    void shouldEndAConnectionWithAFrameThatIsTooLong() throws Exception
    {
        share(false);
        try (Socket socket = connect())
        {
            socket.getOutputStream().write(PREFACE);
            socket.getOutputStream().write(SETTINGS);
            // DATA of 16 MiB less one byte.
            socket.getOutputStream().write(new byte[]{-1, -1, -1, 0, 0, 0, 0, 0, 1});
            assertTrue(socket.getInputStream().readAllBytes().length < 1000);
        }
        assertWorks();
    }

    @Test
    void shouldRefuseMessagesThatAreTooLongAndWhatIsForNoMember() throws Exception
    {
        share(false);
        final ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", member.port).usePlaintext().build();
        try
        {
            final RequestVoteRequestProto vote = RequestVoteRequestProto.newBuilder().setServerRequest(
                RaftRpcRequestProto.newBuilder().setRequestorId(ByteString.copyFrom(new byte[9 << 20]))).build();
            assertEquals(Status.Code.RESOURCE_EXHAUSTED, assertThrows(StatusRuntimeException.class, () ->
                RaftServerProtocolServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS)
                    .requestVote(vote)).getStatus().getCode());
            assertEquals(Status.Code.PERMISSION_DENIED, assertThrows(StatusRuntimeException.class, () ->
                AdminProtocolServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS)
                    .groupManagement(GroupManagementRequestProto.getDefaultInstance())).getStatus().getCode());
        }
        finally
        {
            channel.shutdownNow();
            assertTrue(channel.awaitTermination(60, TimeUnit.SECONDS));
        }
        assertWorks();
    }
}

package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.server.data.DataOptions;

/** A member whose certificate would be of no use does not start, and says why in a line. */
class MemberCredentialsTest
{
    @TempDir
    private Path directory;

    private TestAuthority authority;
    private Path authorities;
    private int port;
    private int peerPort;

    @BeforeEach
    void prepare() throws IOException, GeneralSecurityException
    {
        authority = new TestAuthority("cluster");
        authorities = authority.write(directory.resolve("ca.crt"));
        port = FreePorts.take();
        peerPort = FreePorts.take();
    }

    private TlsOptions good() throws IOException, GeneralSecurityException
    {
        return authority.sign("member", Duration.ofDays(1), "127.0.0.1").write(directory, "own")
            .authorities(authorities);
    }

    private ServerOptions options(final String host, final TlsOptions tls)
    {
        return new ServerOptions().listenPort(port).memory(32 << 20)
            .data(DataOptions.in(directory.resolve("data")))
            .peers(new PeerOptions(host + ":" + peerPort, tls));
    }

    private void assertRefused(final TlsOptions tls, final String... parts)
    {
        final RuntimeException e =
            assertThrows(RuntimeException.class, () -> BlankServer.start(options("127.0.0.1", tls), () -> { }));
        assertTrue(e instanceof IllegalArgumentException || e instanceof ServerException, e.toString());
        assertEquals(1, e.getMessage().lines().count(), e.getMessage());
        for (final String part : parts)
        {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
        assertFalse(Files.exists(directory.resolve("data")));
    }

    @Test
    void shouldStartWithAGoodCertificate() throws Exception
    {
        BlankServer.start(options("127.0.0.1", good()), () -> { }).close();
    }

    @Test
    void shouldRefuseFilesThatAreMissingOrNotAsTheyShouldBe() throws Exception
    {
        final TlsOptions good = good();
        assertRefused(good.authorities(directory.resolve("none")), "no such file", "none");
        final Path encrypted = Files.writeString(directory.resolve("encrypted.key"), Files.readString(good.key())
            .replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"));
        assertRefused(good.certificate(good.certificate(), encrypted), "openssl pkcs8", "encrypted.key");
        assertRefused(good.certificate(good.certificate(), authority.forClient("x").write(directory, "x").key()),
            "do not belong together", "own.crt", "x.key");
        assertRefused(new TlsOptions(good.certificate(), good.key(), null), "give all three", "--tls-peer-ca");
    }

    @Test
    void shouldRefuseACertificateThatOtherMembersWouldRefuse() throws Exception
    {
        assertRefused(authority.sign("member", Duration.ofDays(-1), "127.0.0.1").write(directory, "old")
            .authorities(authorities), "does not hold now", "old.crt");
        assertRefused(authority.sign("member", Duration.ofDays(1), "127.0.0.2").write(directory, "second")
            .authorities(authorities), "subjectAltName", "hosts=127.0.0.1", "second.crt");
        assertRefused(new TestAuthority("other").sign("member", Duration.ofDays(1), "127.0.0.1")
            .write(directory, "foreign").authorities(authorities), "--tls-peer-ca", "foreign.crt");
    }

    @Test
    void shouldOpenNoPortBeyondLoopbackWithoutCertificates()
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> BlankServer.start(options("192.0.2.1", null), () -> { })).getMessage();
        assertTrue(message.contains("--tls-peer-ca"), message);
    }

    @Test
    void shouldRefuseAnAddressThatIsNotThisMachines() throws Exception
    {
        final TlsOptions tls = authority.sign("member", Duration.ofDays(1), "192.0.2.1").write(directory, "own")
            .authorities(authorities);
        final String message = assertThrows(ServerException.class,
            () -> BlankServer.start(options("192.0.2.1", tls), () -> { })).getMessage();
        assertTrue(message.startsWith("cannot listen for other members"), message);
    }

    @Test
    void shouldRefuseCertificatesForMembersWhereThereAreNone() throws Exception
    {
        final TlsOptions good = good();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> StoreServer.start(
            new ServerOptions().listenPort(0).peers(PeerOptions.NONE.tls(good)))).getMessage()
            .contains("--tls-peer-ca"));
    }
}

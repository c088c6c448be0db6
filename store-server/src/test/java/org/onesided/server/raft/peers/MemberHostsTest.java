package org.onesided.server.raft.peers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.bootstrap.TestAuthority;

class MemberHostsTest
{
    private static X509Certificate certificate(final String... hosts) throws Exception
    {
        final String pem = new TestAuthority("tests").sign("member", Duration.ofDays(1), hosts).certificate();
        return (X509Certificate)CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII)));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1", "::1, 0:0:0:0:0:0:0:1", "store1, store1", "Store1.Example.com, store1.example.COM",
        "store1.example.com, *.example.com"})
    void shouldKnowTheHost(final String host, final String name) throws Exception
    {
        assertDoesNotThrow(() -> new MemberHosts(List.of("other", host)).check(certificate("third", name)));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.2", "store1, store2", "store1.example.com, example.com",
        "a.store1.example.com, *.example.com",
        "example.com, *.example.com", "store1, *", "store1.example.com, *.com", "store1.example.com, s*.example.com",
        ".example.com, *.example.com"})
    void shouldNotTakeAnotherForIt(final String host, final String name) throws Exception
    {
        final CertificateException e = assertThrows(
            CertificateException.class, () -> new MemberHosts(List.of(host)).check(certificate(name)));
        assertTrue(e.getMessage().contains("hosts=" + host), e.getMessage());
        assertTrue(e.getMessage().endsWith("subjectAltName=" + name), e.getMessage());
    }

    /** A name is not an address, even if it reads like one; and the subject names no host. */
    @Test
    void shouldNotTakeTheSubjectForAHost() throws Exception
    {
        assertThrows(CertificateException.class, () -> new MemberHosts(List.of("member")).check(certificate()));
    }
}

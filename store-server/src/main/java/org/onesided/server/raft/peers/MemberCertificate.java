package org.onesided.server.raft.peers;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.onesided.protocol.bootstrap.TlsCheck;

/**
 * Whether other members would take a member's own certificate: better said at its start than by each of them later.
 * Immutable.
 */
public final class MemberCertificate implements TlsCheck
{
    /** Of TLS 1.3, which leaves the kind of key open. */
    private static final String ANY_KEY = "UNKNOWN";

    private final MemberHosts hosts;

    /**
     * @param host where the other members connect to this one.
     */
    public MemberCertificate(final String host)
    {
        hosts = new MemberHosts(List.of(host));
    }

    @Override
    public void check(final X509Certificate[] chain, final X509TrustManager trusted) throws GeneralSecurityException
    {
        try
        {
            trusted.checkServerTrusted(chain, ANY_KEY);
            trusted.checkClientTrusted(chain, ANY_KEY);
        }
        catch (final CertificateException e)
        {
            throw new CertificateException("other members would not trust this member's certificate, which one of " +
                "the authorities of --tls-peer-ca must have signed, for servers and for clients " +
                "(extendedKeyUsage=serverAuth,clientAuth): cause=" + e.getMessage(), e);
        }
        hosts.check(chain[0]);
    }
}

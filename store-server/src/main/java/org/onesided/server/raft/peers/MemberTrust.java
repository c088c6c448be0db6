package org.onesided.server.raft.peers;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Takes those for members who show a certificate of the authorities, and for a member's host: at the end that connects,
 * for the host that it connects to, as TLS does by itself; at the end that is connected to, for the host of any member,
 * as the address that a connection comes from proves nothing. Thread-safe.
 */
final class MemberTrust extends X509ExtendedTrustManager
{
    private final X509ExtendedTrustManager authorities;
    private final MemberHosts hosts;
    private final RefusedPeers refused;

    /**
     * @param authorities of the certificates.
     * @param hosts       of all members.
     * @param refused     hears of members that this one connects to and does not trust.
     */
    MemberTrust(final X509ExtendedTrustManager authorities, final MemberHosts hosts, final RefusedPeers refused)
    {
        this.authorities = authorities;
        this.hosts = hosts;
        this.refused = refused;
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String authType, final SSLEngine engine)
        throws CertificateException
    {
        try
        {
            authorities.checkClientTrusted(chain, authType, engine);
        }
        catch (final CertificateException e)
        {
            throw distrusted(chain[0], e);
        }
        hosts.check(chain[0]);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String authType, final SSLEngine engine)
        throws CertificateException
    {
        try
        {
            authorities.checkServerTrusted(chain, authType, engine);
        }
        catch (final CertificateException e)
        {
            final CertificateException why = distrusted(chain[0], e);
            refused.connected(engine.getPeerHost() + ":" + engine.getPeerPort(), why.getMessage());
            throw why;
        }
    }

    /** Java's reason does not say whose certificate it is. */
    private static CertificateException distrusted(final X509Certificate certificate, final CertificateException why)
    {
        Throwable cause = why;
        while (cause.getCause() != null)
        {
            cause = cause.getCause();
        }
        return new CertificateException("certificate is not trusted, see --tls-peer-ca: subject=" +
            certificate.getSubjectX500Principal() + " cause=" + cause.getMessage(), why);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String authType, final Socket socket)
        throws CertificateException
    {
        authorities.checkClientTrusted(chain, authType, socket);
        hosts.check(chain[0]);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String authType, final Socket socket)
        throws CertificateException
    {
        authorities.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String authType) throws CertificateException
    {
        authorities.checkClientTrusted(chain, authType);
        hosts.check(chain[0]);
    }

    /** Nothing says which host was meant. */
    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String authType) throws CertificateException
    {
        throw new CertificateException("a member is not known without its host");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers()
    {
        return authorities.getAcceptedIssuers();
    }
}

package org.onesided.server.raft.peers;

import java.net.InetAddress;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.ratis.thirdparty.io.netty.util.NetUtil;

/**
 * Hosts of members, and the certificates that hold for one of them: by a subjectAltName with the name, a wildcard for
 * its first label, or the address. That is the rule by which a client of TLS knows a server. Thread-safe.
 */
final class MemberHosts
{
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private volatile List<String> hosts;

    /**
     * @param hosts names, and addresses as text.
     */
    MemberHosts(final Collection<String> hosts)
    {
        this.hosts = List.copyOf(hosts);
    }

    /** Other hosts from here on. */
    void change(final Collection<String> changed)
    {
        hosts = List.copyOf(changed);
    }

    /**
     * Refuses a certificate that holds for none of the hosts.
     *
     * @param certificate to look at.
     * @throws CertificateException if it does not; the message names its hosts and the members'.
     */
    void check(final X509Certificate certificate) throws CertificateException
    {
        final List<String> names = names(certificate);
        final List<String> present = hosts;
        if (names.stream().noneMatch((name) -> present.stream().anyMatch((host) -> covers(name, host))))
        {
            throw new CertificateException("certificate is for none of these hosts, sign one with a subjectAltName " +
                "for the host of --peer-listen: hosts=" + String.join(",", present) + " subject=" +
                certificate.getSubjectX500Principal() + " subjectAltName=" + String.join(",", names));
        }
    }

    private static List<String> names(final X509Certificate certificate) throws CertificateParsingException
    {
        final List<String> names = new ArrayList<>();
        final Collection<List<?>> all = certificate.getSubjectAlternativeNames();
        for (final List<?> each : all == null ? List.<List<?>>of() : all)
        {
            final Object type = each.get(0);
            if (type.equals(DNS_NAME) || type.equals(IP_ADDRESS))
            {
                names.add((String)each.get(1));
            }
        }
        return names;
    }

    private static boolean covers(final String name, final String host)
    {
        final InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
        if (address != null)
        {
            return address.equals(NetUtil.createInetAddressFromIpAddressString(name));
        }
        final String wanted = host.toLowerCase(Locale.ROOT);
        final String given = name.toLowerCase(Locale.ROOT);
        final int dot = wanted.indexOf('.');
        return given.equals(wanted) || dot > 0 && given.equals("*" + wanted.substring(dot));
    }
}

package org.onesided.server;

import org.jspecify.annotations.Nullable;
import org.onesided.protocol.bootstrap.TlsOptions;

/**
 * How the other members of a cluster reach a server, and know it.
 *
 * @param listen address that they connect to, {@code HOST:PORT}, see {@link ServerConfiguration#PEER_LISTEN_PROP_NAME};
 *               null for a server that is alone, or is a member already and knows it.
 * @param tls    certificate and key that this member shows the others, and the authorities whose certificates they must
 *               show; all three. The certificate must hold for the host of the address, for servers and for clients.
 *               Null for none: then a member reaches the others on this machine only.
 */
public record PeerOptions(@Nullable String listen, @Nullable TlsOptions tls)
{
    /** A server that is alone. */
    public static final PeerOptions NONE = new PeerOptions(null, null);

    /**
     * @param address that the other members connect to, {@code HOST:PORT}.
     * @return the same with it.
     */
    public PeerOptions listen(final String address)
    {
        return new PeerOptions(address, tls);
    }

    /**
     * @param files by which members know each other.
     * @return the same with them.
     */
    public PeerOptions tls(final TlsOptions files)
    {
        return new PeerOptions(listen, files);
    }

    /**
     * @return whether members talk to each other within TLS only.
     */
    public boolean isTls()
    {
        return tls != null;
    }
}

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
 * @param zone   rack, data centre or the like that this member is in, see {@link ServerConfiguration#ZONE_PROP_NAME};
 *               null for none: then it counts as a zone of its own. Members tell it to those who place replicas.
 */
public record PeerOptions(@Nullable String listen, @Nullable TlsOptions tls, @Nullable String zone)
{
    /** A server that is alone. */
    public static final PeerOptions NONE = new PeerOptions(null, null, null);

    /**
     * Options of a member without a zone.
     *
     * @param listen address that the other members connect to, {@code HOST:PORT}, or null.
     * @param tls    files by which members know each other, or null.
     */
    public PeerOptions(final @Nullable String listen, final @Nullable TlsOptions tls)
    {
        this(listen, tls, null);
    }

    /**
     * @param address that the other members connect to, {@code HOST:PORT}.
     * @return the same with it.
     */
    public PeerOptions listen(final String address)
    {
        return new PeerOptions(address, tls, zone);
    }

    /**
     * @param files by which members know each other.
     * @return the same with them.
     */
    public PeerOptions tls(final TlsOptions files)
    {
        return new PeerOptions(listen, files, zone);
    }

    /**
     * @param name of the zone that this member is in.
     * @return the same with it.
     */
    public PeerOptions zone(final String name)
    {
        return new PeerOptions(listen, tls, name);
    }

    /**
     * @return whether members talk to each other within TLS only.
     */
    public boolean isTls()
    {
        return tls != null;
    }
}

package org.onesided.server.raft.peers;

import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.onesided.protocol.bootstrap.TlsCredentials;

/**
 * The protection of the connections between members: TLS 1.3, in which both ends show a certificate of the same
 * authorities, for the host of a member. Changed files apply from the next connection on. Thread-safe.
 */
public final class PeerTls
{
    private final TlsCredentials credentials;

    /**
     * @param credentials of this member, with authorities; checked by {@link MemberCertificate}.
     */
    public PeerTls(final TlsCredentials credentials)
    {
        this.credentials = credentials;
    }

    /** For connections in both directions. */
    GrpcTlsConfig config(final MemberHosts hosts, final RefusedPeers refused)
    {
        return GrpcTlsConfig.newBuilder()
            .setMutualTls(true)
            .setKeyManager(credentials.keyManager())
            .setTrustManager(new MemberTrust(credentials.trustManager(), hosts, refused))
            // As for the bootstrap, whose keys and rules these are; the other provider knows Java's managers by halves.
            .setSslProvider(SslProvider.JDK)
            .setProtocols(TlsCredentials.PROTOCOL)
            .build();
    }
}

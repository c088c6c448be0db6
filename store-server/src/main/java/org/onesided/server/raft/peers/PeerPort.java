package org.onesided.server.raft.peers;

import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.ServerChannel;
import org.apache.ratis.thirdparty.io.netty.channel.epoll.Epoll;
import org.apache.ratis.thirdparty.io.netty.channel.epoll.EpollServerSocketChannel;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.onesided.protocol.bootstrap.TlsCredentials;

/**
 * The port at which a member hears from the others: who may connect, what is taken from a connection, and how many
 * there may be.
 */
final class PeerPort implements GrpcServices.Customizer
{
    /** Time for a connection to become known as a member's. */
    static final long HANDSHAKE_MS = 5_000;

    /** Ratis' transport tells Java's logger of each connection. {@link RefusedPeers} logs what matters. */
    private static final Logger TRANSPORT = Logger.getLogger("org.apache.ratis.thirdparty");

    static
    {
        if (TRANSPORT.getLevel() == null)
        {
            TRANSPORT.setLevel(Level.OFF);
        }
    }

    /** Null without TLS. */
    private final GrpcTlsConfig tls;
    private final RefusedPeers refused;
    private final OpenGroups groups;

    private PeerPort(final GrpcTlsConfig tls, final RefusedPeers refused, final OpenGroups groups)
    {
        this.tls = tls;
        this.refused = refused;
        this.groups = groups;
    }

    /**
     * The objects that Ratis needs for the transport.
     *
     * @param peers  the members.
     * @param groups of this member.
     * @return for the server of Ratis.
     */
    static Parameters parameters(final Peers peers, final OpenGroups groups)
    {
        final RefusedPeers refused = new RefusedPeers(System::nanoTime);
        final GrpcTlsConfig tls = peers.tls() == null ? null : peers.tls().config(peers.hosts(), refused);
        final Parameters parameters = new Parameters();
        if (tls != null)
        {
            GrpcConfigKeys.TLS.setConf(parameters, tls);
        }
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, new PeerPort(tls, refused, groups));
        return parameters;
    }

    @Override
    public NettyServerBuilder customize(final NettyServerBuilder builder, final EnumSet<GrpcServices.Type> types)
    {
        final StrangerLimit limit = new StrangerLimit(tls != null, refused);
        if (tls != null)
        {
            final SslContext context = GrpcUtil.buildSslContextForServer(tls);
            context.sessionContext().setSessionTimeout(TlsCredentials.NO_TICKETS_S);
            builder.sslContext(context);
        }
        return builder
            .channelFactory(() -> listening(limit))
            .addTransportFilter(limit.filter())
            .handshakeTimeout(HANDSHAKE_MS, TimeUnit.MILLISECONDS)
            .intercept(new MembersOnly(groups));
    }

    /** As Ratis chooses: its event loops take no other. */
    private static ServerChannel listening(final StrangerLimit limit)
    {
        final ServerChannel channel =
            Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
        channel.pipeline().addLast(limit);
        return channel;
    }
}

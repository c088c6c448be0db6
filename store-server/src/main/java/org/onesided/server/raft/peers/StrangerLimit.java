package org.onesided.server.raft.peers;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.ratis.thirdparty.io.grpc.Attributes;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.ServerTransportFilter;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandler;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.NotSslRecordException;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;

/**
 * Bounds the connections at the port for members. Those that are not known as a member's yet are few, and the oldest
 * gives way to a new one: a member takes milliseconds to become known, so that strangers who come one after the other
 * keep none away. Sees each connection as it is accepted, before gRPC does. Thread-safe.
 */
@ChannelHandler.Sharable
final class StrangerLimit extends ChannelInboundHandlerAdapter
{
    /** Connections that are not known as a member's yet. */
    static final int MOST_STRANGERS = 64;
    /** Connections altogether: far more than two from each of the other members, and their successors. */
    static final int MOST_CONNECTIONS = 256;

    private final boolean isTls;
    private final RefusedPeers refused;
    /** By their addresses, the oldest first. */
    private final Map<SocketAddress, Channel> strangers = new LinkedHashMap<>();
    private int connections;

    StrangerLimit(final boolean isTls, final RefusedPeers refused)
    {
        this.isTls = isTls;
        this.refused = refused;
    }

    /** Tells which connections have become those of members. */
    ServerTransportFilter filter()
    {
        return new ServerTransportFilter()
        {
            @Override
            public Attributes transportReady(final Attributes attributes)
            {
                known(attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
                return attributes;
            }
        };
    }

    private synchronized void known(final SocketAddress address)
    {
        strangers.remove(address);
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object accepted)
    {
        final Channel channel = (Channel)accepted;
        final SocketAddress address = channel.remoteAddress();
        // Null if it has gone already.
        if (address == null || !admit(address, channel))
        {
            channel.unsafe().closeForcibly();
            return;
        }
        channel.closeFuture().addListener((done) -> onClosed(address, channel));
        context.fireChannelRead(channel);
    }

    /** False if there is no room, so that the connection is to be closed. */
    private boolean admit(final SocketAddress address, final Channel channel)
    {
        final Channel oldest;
        synchronized (this)
        {
            oldest = strangers.size() < MOST_STRANGERS ? null : first();
            if (oldest == null && connections >= MOST_CONNECTIONS)
            {
                return false;
            }
            connections++;
            strangers.put(address, channel);
        }
        if (oldest != null)
        {
            refused.gaveWay(MOST_STRANGERS);
            oldest.close();
        }
        return true;
    }

    private Channel first()
    {
        final Iterator<Channel> each = strangers.values().iterator();
        final Channel first = each.next();
        each.remove();
        return first;
    }

    private void onClosed(final SocketAddress address, final Channel channel)
    {
        final boolean isStranger;
        synchronized (this)
        {
            connections--;
            isStranger = strangers.remove(address, channel);
        }
        if (isStranger)
        {
            refused.accepted(text(address), host(address), reason(channel));
        }
    }

    private String reason(final Channel channel)
    {
        final SslHandler tls = channel.pipeline().get(SslHandler.class);
        final Throwable cause = tls == null ? null : tls.handshakeFuture().cause();
        if (cause instanceof NotSslRecordException)
        {
            return "it does not speak TLS, start all members with --tls-peer-ca";
        }
        if (cause == null || cause instanceof ClosedChannelException)
        {
            return isTls ? "it ended, or said nothing, before it had shown a certificate" :
                "it said nothing, or what no member says: if it is a member, all need --tls-peer-ca, or none";
        }
        final String why = String.valueOf(ofCertificate(cause).getMessage());
        if (why.contains("Empty client certificate chain"))
        {
            return "it has no certificate of an authority of --tls-peer-ca to show";
        }
        return (why.contains("Received fatal alert") ? "it does not trust this member's certificate: " : "") + why;
    }

    /** What was wrong with the certificate, if that is the cause. */
    private static Throwable ofCertificate(final Throwable thrown)
    {
        Throwable cause = thrown;
        while (cause.getCause() != null && !(cause instanceof CertificateException))
        {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String host(final SocketAddress address)
    {
        return address instanceof InetSocketAddress internet ? internet.getHostString() : address.toString();
    }

    private static String text(final SocketAddress address)
    {
        return address instanceof InetSocketAddress internet ?
            internet.getHostString() + ":" + internet.getPort() : address.toString();
    }
}

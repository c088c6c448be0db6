package org.onesided.client.bootstrap;

import static org.onesided.client.bootstrap.AttachFailedException.Kind.BUSY;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.CLOSED;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.CREDENTIALS;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.DEVICE;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.INTERRUPTED;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.NO_WAY;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.PERMANENT;
import static org.onesided.client.bootstrap.AttachFailedException.Kind.TRANSIENT;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import org.onesided.protocol.bootstrap.ForeignProtocolException;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.TlsException;
import org.onesided.protocol.bootstrap.TlsMismatchException;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;

/**
 * Translates failures of the bootstrap for the client, with the remedy: the server's refusals, and errors of the
 * connection, most of which show what listens there instead of a server.
 */
final class AttachFailures
{
    private static final String ANOTHER_PORT = "name the port of a onesided server, which its line 'ready:' shows";
    private static final String WITHIN_TLS_ONLY = "server speaks TLS only, connect within TLS (kvctl: --tls-ca with " +
        "its authority's certificate, or --tls if Java trusts that)";
    private static final String NO_TLS = "the program that listens there does not speak TLS, connect without it " +
        "(kvctl: no --tls... option, no KVCTL_TLS... variable) or give the server --tls-certificate and --tls-key";

    private AttachFailures()
    {
    }

    /** The server has refused. */
    static AttachFailedException refused(final RefusedDecoder refused)
    {
        final short raw = refused.codeRaw();
        final RefusalCode code = raw >= RefusalCode.VERSION.value() && raw <= RefusalCode.MEMBERS.value() ?
            RefusalCode.get(raw) : RefusalCode.NULL_VAL;
        final String reason = OneLine.ofPeer(refused.reason());
        return switch (code)
        {
            case CREDENTIALS -> new AttachFailedException(
                CREDENTIALS, "server refuses the token, pass the one that it was started with: " + reason, null);
            case READ_ONLY -> new AttachFailedException(AttachFailedException.Kind.READ_ONLY, reason, null);
            case VERSION -> new AttachFailedException(
                PERMANENT, "server speaks another version, use a client of the same release: " + reason, null);
            // The reason is for the server's log.
            case TLS -> new AttachFailedException(PERMANENT, WITHIN_TLS_ONLY, null);
            case DEVICE -> new AttachFailedException(
                DEVICE, "server does not offer this device, choose one that it does: " + reason, null);
            case PROTOCOL -> new AttachFailedException(
                PERMANENT, "server did not understand this client: " + reason, null);
            case INTERNAL -> new AttachFailedException(
                NO_WAY, "server refuses the session: " + reason, null);
            case CAPACITY -> new AttachFailedException(BUSY, "server has no room now: " + reason, null);
            case BACKUP -> new AttachFailedException(AttachFailedException.Kind.BACKUP, reason, null);
            case OPERATION -> new AttachFailedException(AttachFailedException.Kind.OPERATION, reason, null);
            case NOT_LEADING -> new AttachFailedException(
                AttachFailedException.Kind.NOT_LEADING, "server does not serve the partition: " + reason, null);
            case BLANK, MEMBERS -> new AttachFailedException(PERMANENT, reason, null);
            case SHUTTING_DOWN, NULL_VAL -> new AttachFailedException(
                TRANSIENT, "server refuses the session: " + reason, null);
        };
    }

    /**
     * The connection has failed, or could not be made.
     *
     * @param e       how.
     * @param server  at the other end.
     * @param channel with the server, or null if there was none yet.
     */
    static AttachFailedException of(final IOException e, final HostAndPort server, final MessageChannel channel)
    {
        if (e instanceof ClosedByInterruptException || e instanceof InterruptedIOException &&
            !(e instanceof SocketTimeoutException))
        {
            return new AttachFailedException(INTERRUPTED, "thread was interrupted while connecting", e);
        }
        if (e instanceof SocketTimeoutException)
        {
            return new AttachFailedException(
                TRANSIENT,
                channel != null && channel.isGreeted() ? "server does not answer in time, it is busy or stopped" :
                "nothing that speaks this protocol answers in time, see whether a server listens there, not stopped",
                e);
        }
        if (e instanceof ForeignProtocolException foreign)
        {
            return new AttachFailedException(
                PERMANENT,
                server + " answers like " + foreign.protocol() + ", not onesided; " + ANOTHER_PORT,
                e);
        }
        if (e instanceof TlsMismatchException && ((TlsMismatchException)e).isPeerWithin())
        {
            return new AttachFailedException(
                PERMANENT, server + " answers like TLS; where that is a onesided server, connect within TLS (kvctl: " +
                "--tls-ca with its authority's certificate, or --tls if Java trusts that), else " + ANOTHER_PORT, e);
        }
        if (e instanceof TlsMismatchException)
        {
            return new AttachFailedException(
                PERMANENT, NO_TLS, e);
        }
        if (e instanceof TlsException)
        {
            return of((TlsException)e);
        }
        if (e instanceof ProtocolException)
        {
            return new AttachFailedException(
                PERMANENT, "the program that listens there is not a store of this version (" + e.getMessage() + ')', e);
        }
        if (e instanceof EOFException && !channel.isEstablished())
        {
            return new AttachFailedException(
                BUSY, "the program that listens there closed the connection during the TLS handshake: it has no " +
                "room, or takes no TLS; see its log", e);
        }
        if (e instanceof EOFException)
        {
            return new AttachFailedException(
                closed(channel),
                "the program that listens there closed the connection, see whether it is a store's server",
                e);
        }
        if (e instanceof ConnectException)
        {
            return new AttachFailedException(
                TRANSIENT, "nothing listens there, start a server or name another (" + e.getMessage() + ')', e);
        }
        return new AttachFailedException(
            channel != null && isReset(e) ? closed(channel) : TRANSIENT, "cannot connect: " + e.getMessage(), e);
    }

    /**
     * A peer that has greeted is a server, and closes because it is busy. Before the TLS handshake is over, a busy
     * server can only close; one that takes no TLS greets.
     */
    private static AttachFailedException.Kind closed(final MessageChannel channel)
    {
        return channel.isGreeted() || !channel.isEstablished() ? BUSY : CLOSED;
    }

    /** Other failures of sockets have classes of their own. */
    private static boolean isReset(final IOException e)
    {
        return e.getClass() == SocketException.class || e.getClass() == IOException.class;
    }

    private static AttachFailedException of(final TlsException e)
    {
        return switch (e.fault())
        {
            case PEER_CERTIFICATE -> new AttachFailedException(
                CREDENTIALS, "server's certificate is not trusted, name the authority that signed it (kvctl: " +
                "--tls-ca), and the server by a name that it holds: " + e.getMessage(), e);
            case OWN_CERTIFICATE -> new AttachFailedException(
                CREDENTIALS, "server wants a certificate that its authority has signed, show one (kvctl: " +
                "--tls-certificate and --tls-key): " + e.getMessage(), e);
            case OTHER -> new AttachFailedException(PERMANENT, "TLS failed: " + e.getMessage(), e);
        };
    }
}

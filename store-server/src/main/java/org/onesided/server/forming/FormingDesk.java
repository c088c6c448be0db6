package org.onesided.server.forming;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.BlankEncoder;
import org.onesided.protocol.bootstrap.codec.FormDecoder;
import org.onesided.protocol.bootstrap.codec.FormedEncoder;
import org.onesided.protocol.bootstrap.codec.FoundDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.server.session.ClientDesk;
import org.onesided.server.session.DeskClients;
import org.onesided.server.session.LastWords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells clients that the server is blank, and makes it a member of a cluster when the first of them says of which. A
 * client can say that first to all servers, and then that it is so: if it dies in between, another client, who need not
 * know what only members know, goes on. Thread-safe.
 */
public final class FormingDesk implements ClientDesk, AutoCloseable
{
    /** Clients at a time that were told that the server is blank. */
    static final int MAX_CLIENTS = 8;

    private static final Logger LOGGER = LoggerFactory.getLogger(FormingDesk.class);
    /** A client asks all servers before it forms the first one. */
    private static final long DECISION_NS = TimeUnit.SECONDS.toNanos(30);

    private final String peerAddress;
    private final boolean isPeerTls;
    private final String zone;
    private final Consumer<Foundation> former;
    private final Runnable onFormed;
    private final long decisionNs;
    private final DeskClients clients;
    /** Null for nothing. Changed with the lock held. */
    private volatile Prepared prepared;
    private boolean isFormed;

    /**
     * What the server is to become when a client says so, which may be another one.
     *
     * @param by the client that said what.
     */
    private record Prepared(Foundation foundation, MessageChannel by)
    {
    }

    /**
     * @param peerAddress where other members will connect.
     * @param isPeerTls   whether it talks to other members within TLS only.
     * @param zone        that this server is in; null for none.
     * @param former      makes the server a member, durably. What it throws is told to the client in one line.
     * @param onFormed    is told once, when the client that formed the server has been told so or has left.
     * @param onError     hears, on any thread, of what ends the server.
     */
    public FormingDesk(
        final String peerAddress,
        final boolean isPeerTls,
        final String zone,
        final Consumer<Foundation> former,
        final Runnable onFormed,
        final Consumer<Error> onError)
    {
        this(peerAddress, isPeerTls, zone, former, onFormed, onError, DECISION_NS);
    }

    /** As above, with the time in nanoseconds that a client may take to decide. */
    FormingDesk(
        final String peerAddress,
        final boolean isPeerTls,
        final String zone,
        final Consumer<Foundation> former,
        final Runnable onFormed,
        final Consumer<Error> onError,
        final long decisionNs)
    {
        this.zone = zone == null ? "" : zone;
        this.peerAddress = peerAddress;
        this.isPeerTls = isPeerTls;
        this.former = former;
        this.onFormed = onFormed;
        this.decisionNs = decisionNs;
        clients = new DeskClients("store-forming", MAX_CLIENTS, onError);
    }

    @Override
    public String refusal()
    {
        return !clients.areMost() ? null :
            "other clients are about to form this server, try again later: clients=" + MAX_CLIENTS;
    }

    @Override
    public void serve(final MessageChannel channel, final String peer, final String identity)
    {
        clients.serve(channel, () -> run(channel, peer, identity));
    }

    private void run(final MessageChannel channel, final String peer, final String identity)
    {
        try
        {
            channel.maxIncomingLength(Bootstrap.MAX_MESSAGE_LENGTH);
            final Prepared present = prepared;
            final BlankEncoder blank =
                new BlankEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder());
            blank.peerTls((short)(isPeerTls ? 1 : 0))
                .prepared(present == null ? 0 : present.foundation.identity().tableId())
                .peerAddress(peerAddress)
                .zone(zone);
            channel.send(blank.limit(), System.nanoTime() + LastWords.LINGER_NS);
            while (isGoingOn(channel, peer, identity))
            {
                LOGGER.debug("prepared: peer={} identity={}", peer, identity);
            }
        }
        catch (final ProtocolException e)
        {
            LOGGER.warn("server stays blank, a client's message makes no sense: peer={} reason={}", peer,
                OneLine.of(e.getMessage()));
            LastWords.refuse(channel, RefusalCode.PROTOCOL, e.getMessage());
        }
        catch (final IOException e)
        {
            // Most clients only ask.
            LOGGER.debug("client has left without forming the server: peer={}", peer, e);
        }
    }


    /** Does what a client says next; whether it may say more. */
    private boolean isGoingOn(final MessageChannel channel, final String peer, final String identity)
        throws IOException
    {
        final int templateId = clients.await(channel, System.nanoTime() + decisionNs);
        if (templateId == FormDecoder.TEMPLATE_ID)
        {
            final FormDecoder form = new FormDecoder().wrapAndApplyHeader(
                channel.message(), 0, new MessageHeaderDecoder());
            final boolean isPreparation = form.prepare() == 1;
            final Foundation foundation = Foundation.decode(form);
            return isPreparation ? prepare(channel, peer, identity, foundation) :
                form(channel, peer, identity, foundation, null);
        }
        if (templateId == FoundDecoder.TEMPLATE_ID)
        {
            final long tableId = new FoundDecoder().wrapAndApplyHeader(
                channel.message(), 0, new MessageHeaderDecoder()).tableId();
            final Prepared present = prepared;
            return present == null || present.foundation.identity().tableId() != tableId ?
                refuseToForm(channel, peer, identity, "this server was not prepared for the table, or was started " +
                    "again since: table=" + HexFormat.of().toHexDigits(tableId)) :
                form(channel, peer, identity, present.foundation, present);
        }
        if (templateId != GoodbyeDecoder.TEMPLATE_ID)
        {
            throw new ProtocolException("message out of order: template=" + templateId);
        }
        return false;
    }

    private boolean prepare(
        final MessageChannel channel, final String peer, final String identity, final Foundation foundation)
        throws IOException
    {
        final String refusal = tryPrepare(channel, foundation);
        if (refusal != null)
        {
            return refuseToForm(channel, peer, identity, refusal);
        }
        sendFormed(channel);
        return true;
    }

    private boolean refuseToForm(
        final MessageChannel channel, final String peer, final String identity, final String refusal)
    {
        LOGGER.warn("server stays blank: peer={} identity={} reason={}", peer, identity, OneLine.of(refusal));
        LastWords.refuse(channel, RefusalCode.BLANK, refusal);
        return false;
    }

    private boolean form(
        final MessageChannel channel,
        final String peer,
        final String identity,
        final Foundation foundation,
        final Prepared expected) throws IOException
    {
        final String refusal = tryForm(channel, foundation, expected);
        if (refusal != null)
        {
            return refuseToForm(channel, peer, identity, refusal);
        }
        LOGGER.info("formed: peer={} identity={} member={} of={} shards={} lease={}ms", peer, identity,
            foundation.description().self(), foundation.description().members().size(), foundation.shards(),
            foundation.description().leaseMs());
        try
        {
            sendFormed(channel);
            LastWords.awaitEnd(channel);
        }
        finally
        {
            onFormed.run();
        }
        return false;
    }

    private static void sendFormed(final MessageChannel channel) throws IOException
    {
        channel.send(
            new FormedEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder()).limit(),
            System.nanoTime() + LastWords.LINGER_NS);
    }

    /** Why the server cannot be prepared so; null if it is now. Only a client that has left is prepared against. */
    private synchronized String tryPrepare(final MessageChannel channel, final Foundation foundation)
    {
        final String refusal = refusal(channel, foundation);
        if (refusal == null)
        {
            prepared = new Prepared(foundation, channel);
        }
        return refusal;
    }

    private String refusal(final MessageChannel channel, final Foundation foundation)
    {
        if (isFormed)
        {
            return "another client has formed this server meanwhile";
        }
        if (prepared != null && prepared.by != channel && clients.contains(prepared.by))
        {
            return "another client is about to form this server";
        }
        final String own = foundation.description().own().peerAddress();
        return own.equals(peerAddress) ? null :
            "this server's peer address is another: peerAddress=" + peerAddress + " wanted=" + own;
    }

    /** Why the server cannot be formed so; null if it is formed now. */
    private synchronized String tryForm(
        final MessageChannel channel, final Foundation foundation, final Prepared expected)
    {
        final String refusal = refusal(channel, foundation);
        if (refusal != null)
        {
            return refusal;
        }
        if (expected != null && prepared != expected)
        {
            return "another client has prepared this server meanwhile";
        }
        try
        {
            former.accept(foundation);
        }
        catch (final RuntimeException e)
        {
            LOGGER.debug("server cannot be formed", e);
            return e.getMessage() == null ? e.toString() : e.getMessage();
        }
        isFormed = true;
        return null;
    }

    /** Takes leave of all clients, and waits for what is being written. */
    @Override
    public void close()
    {
        clients.close();
    }
}

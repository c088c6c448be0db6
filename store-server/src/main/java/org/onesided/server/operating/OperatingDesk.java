package org.onesided.server.operating;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.MutableDirectBuffer;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.FollowersEncoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.TransferDecoder;
import org.onesided.protocol.bootstrap.codec.TransferredEncoder;
import org.onesided.server.session.ClientDesk;
import org.onesided.server.session.DeskClients;
import org.onesided.server.session.LastWords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells clients how this member of a cluster stands with the others, and does one thing for each of them that asks.
 * Thread-safe.
 */
public final class OperatingDesk implements ClientDesk, AutoCloseable
{
    /** Clients at a time. */
    static final int MAX_CLIENTS = 8;
    /** More do not fit into a message. */
    static final int MAX_FOLLOWERS = 960;

    private static final Logger LOGGER = LoggerFactory.getLogger(OperatingDesk.class);
    /** Time for a client to say what it wants; most only look. */
    private static final long DECISION_NS = TimeUnit.SECONDS.toNanos(10);
    /** The message has 32 bits for it. */
    private static final long MOST_BEHIND = 0xFFFF_FFFEL;

    private final Operations operations;
    private final String zone;
    private final DeskClients clients;

    /**
     * @param operations of this member.
     * @param zone       that this member is in; null for none.
     * @param onError    hears, on any thread, of what ends the server.
     */
    public OperatingDesk(final Operations operations, final String zone, final Consumer<Error> onError)
    {
        this.zone = zone == null ? "" : zone;
        this.operations = operations;
        clients = new DeskClients("store-operating", MAX_CLIENTS, onError);
    }

    @Override
    public String refusal()
    {
        return !clients.areMost() ? null :
            "other clients look at this member or change it, try again later: clients=" + MAX_CLIENTS;
    }

    @Override
    public void serve(final MessageChannel channel, final String peer, final String identity)
    {
        clients.serve(channel, () -> run(channel, peer, identity, false));
    }

    /** Readers may look, as at the rest. */
    @Override
    public ClientDesk forReaders()
    {
        return new ClientDesk()
        {
            @Override
            public String refusal()
            {
                return OperatingDesk.this.refusal();
            }

            @Override
            public void serve(final MessageChannel channel, final String peer, final String identity)
            {
                clients.serve(channel, () -> run(channel, peer, identity, true));
            }
        };
    }

    private void run(
        final MessageChannel channel, final String peer, final String identity, final boolean isReader)
    {
        try
        {
            channel.maxIncomingLength(Bootstrap.MAX_HELLO_LENGTH);
            final int length = encode(channel.outgoing(), operations.stand(), zone);
            channel.send(length, System.nanoTime() + LastWords.LINGER_NS);
            final int templateId = clients.await(channel, System.nanoTime() + DECISION_NS);
            if (templateId == TransferDecoder.TEMPLATE_ID && isReader)
            {
                LOGGER.info("partition stays with its leader, as the client may look up only: peer={} identity={}",
                    peer, identity);
                LastWords.refuse(channel, RefusalCode.READ_ONLY,
                    "this client's credentials allow it to look up only, not to move leaders");
            }
            else if (templateId == TransferDecoder.TEMPLATE_ID)
            {
                transfer(channel, peer, identity);
            }
            else if (templateId != GoodbyeDecoder.TEMPLATE_ID)
            {
                throw new ProtocolException("message out of order: template=" + templateId);
            }
        }
        catch (final ProtocolException e)
        {
            LOGGER.warn("nothing is done for a client whose message makes no sense: peer={} reason={}", peer,
                OneLine.of(e.getMessage()));
            LastWords.refuse(channel, RefusalCode.PROTOCOL, e.getMessage());
        }
        catch (final IOException e)
        {
            // Most clients only look.
            LOGGER.debug("client has left: peer={}", peer, e);
        }
    }

    /** Writes what clients are told first; gives its length. */
    static int encode(final MutableDirectBuffer to, final MemberStand stand, final String zone)
    {
        final List<FollowerStand> all = stand.followers();
        if (all.size() > MAX_FOLLOWERS)
        {
            throw new IllegalStateException("too many followers for a message: followers=" + all.size());
        }
        final FollowersEncoder followers =
            new FollowersEncoder().wrapAndApplyHeader(to, 0, new MessageHeaderEncoder()).diskFree(stand.diskFree());
        final FollowersEncoder.AllEncoder group = followers.allCount(all.size());
        all.forEach((each) -> group.next()
            .shard(each.partition())
            .member(each.member())
            .behind(Math.min(each.behind(), MOST_BEHIND))
            .inSync((short)(each.isInSync() ? 1 : 0)));
        final FollowersEncoder.LedEncoder led = followers.ledCount(stand.led().size());
        stand.led().forEach((each) -> led.next()
            .partition(each.partition())
            .stage((short)each.reign().stage().code())
            .restMs(Math.min(TimeUnit.NANOSECONDS.toMillis(each.reign().restNs()), MOST_BEHIND))
            .held(each.reign().held())
            .granted(each.reign().granted())
            .proofs(each.reign().proofs()));
        final FollowersEncoder.KeptEncoder partitions = followers.keptCount(stand.kept().size());
        stand.kept().forEach((each) -> partitions.next().shard(each));
        return followers.zone(zone).limit();
    }

    private void transfer(final MessageChannel channel, final String peer, final String identity) throws IOException
    {
        final TransferDecoder transfer =
            new TransferDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
        final int partition = transfer.shard();
        final long member = transfer.member();
        LOGGER.info("partition is to get another leader: partition={} member={} peer={} identity={}", partition,
            member, peer, identity);
        try
        {
            operations.transfer(partition, member);
        }
        catch (final RefusedOperationException e)
        {
            LOGGER.info("partition has not got that leader: partition={} member={} reason={}", partition, member,
                OneLine.of(e.getMessage()));
            LastWords.refuse(channel, RefusalCode.OPERATION, e.getMessage());
            return;
        }
        channel.send(
            new TransferredEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder()).limit(),
            System.nanoTime() + LastWords.LINGER_NS);
        LastWords.awaitEnd(channel);
    }

    /** Takes leave of all clients, and waits for what is being done. */
    @Override
    public void close()
    {
        clients.close();
    }
}

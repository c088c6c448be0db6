package org.onesided.client.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.ProtocolException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.BlankDecoder;
import org.onesided.protocol.bootstrap.codec.FormEncoder;
import org.onesided.protocol.bootstrap.codec.FormedDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

/**
 * The connection with a blank server, which waits for what it is to become. Not thread-safe.
 */
public final class FormingExchange
{
    private final BootstrapConnection connection;
    private final String peerAddress;

    FormingExchange(final BootstrapConnection connection, final BlankDecoder blank) throws ProtocolException
    {
        this.connection = connection;
        if (blank.peerAddressLength() < 1 || blank.peerAddressLength() > Bootstrap.MAX_ADDRESS_LENGTH)
        {
            throw new ProtocolException("not an address: length=" + blank.peerAddressLength());
        }
        peerAddress = OneLine.ofPeer(blank.peerAddress());
    }

    /**
     * @return host and port where other members will connect.
     */
    public String peerAddress()
    {
        return peerAddress;
    }

    /**
     * Makes the server a member of a cluster.
     *
     * @param self       number of the member that it becomes.
     * @param foundation what all members are told.
     * @param deadlineNs a time of {@link System#nanoTime()}.
     * @throws AttachFailedException if the server refuses; or if it does not answer in time, or the connection breaks:
     *                               then it may be formed or not.
     */
    public void form(final long self, final ClusterFoundation foundation, final long deadlineNs)
        throws AttachFailedException
    {
        try
        {
            connection.channel().send(encode(self, foundation), deadlineNs);
            connection.receive(FormedDecoder.TEMPLATE_ID, deadlineNs);
        }
        catch (final IOException e)
        {
            throw connection.failed(e);
        }
    }

    private int encode(final long self, final ClusterFoundation foundation) throws IOException
    {
        final ClusterFoundation.Table table = foundation.table();
        final FormEncoder form =
            new FormEncoder().wrapAndApplyHeader(connection.channel().outgoing(), 0, new MessageHeaderEncoder())
            .self(self)
            .tableId(table.id())
            .serverLife(table.life())
            .hashSeed(table.hashSeed())
            .checkSeed(table.checkSeed())
            .leaseMs(foundation.leaseMs())
            .shards(foundation.partitions());
        final FormEncoder.MembersEncoder members = form.membersCount(foundation.members().size());
        for (final ClusterFoundation.Member member : foundation.members())
        {
            members.next().number(member.number()).address(checked(member.address()))
                .peerAddress(checked(member.peerAddress()));
        }
        return form.putSessionKey(table.key(), 0, table.key().length).limit();
    }

    /** So many addresses of that length have room in a message. */
    private static String checked(final String address)
    {
        if (address.getBytes(UTF_8).length > Bootstrap.MAX_ADDRESS_LENGTH)
        {
            throw new IllegalArgumentException("an address is too long: longest=" + Bootstrap.MAX_ADDRESS_LENGTH +
                " address=" + address);
        }
        return address;
    }
}

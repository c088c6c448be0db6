package org.onesided.client.bootstrap;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.BlankDecoder;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;
import org.onesided.protocol.bootstrap.codec.FormedDecoder;
import org.onesided.protocol.bootstrap.codec.FoundEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.TransferEncoder;
import org.onesided.protocol.bootstrap.codec.TransferredDecoder;

/**
 * What a client says to a server to make it a member of a cluster, or to look after that, over one connection. Not
 * thread-safe.
 */
public final class ClusterConnection implements AutoCloseable
{
    private final BootstrapConnection connection;
    private final MessageChannel channel;

    /**
     * @param connection that is made, and on which nothing was said; it is closed with this.
     */
    public ClusterConnection(final BootstrapConnection connection)
    {
        this.connection = connection;
        channel = connection.channel();
    }

    /**
     * Asks whether the server is blank. If it is, it waits for a while for what it is to become.
     *
     * @param token of this client.
     * @return host and port where other members will connect to it.
     * @throws AttachFailedException if the server is not blank, refuses, or does not answer in time.
     */
    public BlankAnswer askBlank(final byte[] token) throws AttachFailedException
    {
        try
        {
            connection.sayHello(Bootstrap.FORM, token, SessionIdentity.NONE, Bootstrap.ALL_SHARDS);
            connection.receive(BlankDecoder.TEMPLATE_ID);
            final BlankDecoder blank = new BlankDecoder().wrapAndApplyHeader(
                channel.message(), 0, new MessageHeaderDecoder());
            if (blank.peerAddressLength() < 1 || blank.peerAddressLength() > Bootstrap.MAX_ADDRESS_LENGTH)
            {
                throw new ProtocolException("not an address: length=" + blank.peerAddressLength());
            }
            return new BlankAnswer(blank.peerTls() != 0, OneLine.ofPeer(blank.peerAddress()), blank.prepared());
        }
        catch (final IOException e)
        {
            throw connection.failed(e);
        }
    }

    /**
     * Makes a blank server a member of a cluster, or prepares it for that.
     *
     * @param self          number of the member that it becomes.
     * @param foundation    what all members are told.
     * @param isPreparation whether {@link #found} makes it one.
     * @param endNs         when to have its answer, a time of {@link System#nanoTime()}.
     * @throws AttachFailedException if the server refuses; or if it does not answer in time, or the connection breaks:
     *                               then it may be formed or not.
     */
    public void form(
        final long self, final ClusterFoundation foundation, final boolean isPreparation, final long endNs)
        throws AttachFailedException
    {
        try
        {
            channel.send(FormMessage.encode(channel.outgoing(), self, foundation, isPreparation), endNs);
            connection.receive(FormedDecoder.TEMPLATE_ID, endNs);
        }
        catch (final IOException e)
        {
            throw connection.failed(e);
        }
    }

    /**
     * Makes a blank server the member of a cluster that it was prepared to be.
     *
     * @param tableId of the table that it must have been prepared for.
     * @param endNs   when to have its answer, a time of {@link System#nanoTime()}.
     * @throws AttachFailedException as {@link #form}.
     */
    public void found(final long tableId, final long endNs) throws AttachFailedException
    {
        try
        {
            channel.send(new FoundEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
                .tableId(tableId).limit(), endNs);
            connection.receive(FormedDecoder.TEMPLATE_ID, endNs);
        }
        catch (final IOException e)
        {
            throw connection.failed(e);
        }
    }

    /**
     * Asks a member of a cluster how it stands with the others. It waits for a while for what it is to do.
     *
     * @param token  of this client.
     * @param shards of the table.
     * @return the followers of the shards that it leads, by shard; none for the others.
     * @throws AttachFailedException if the server is alone, refuses, or does not answer in time.
     */
    public List<List<ClusterState.Follower>> askFollowers(final byte[] token, final int shards)
        throws AttachFailedException
    {
        try
        {
            connection.sayHello(Bootstrap.OPERATE, token, SessionIdentity.NONE, Bootstrap.ALL_SHARDS);
            connection.receive(FollowersDecoder.TEMPLATE_ID);
            return FollowersMessage.decode(
                new FollowersDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()), shards);
        }
        catch (final IOException e)
        {
            throw connection.failed(e);
        }
    }

    /**
     * Lets another member lead a shard, after {@link #askFollowers}.
     *
     * @param shard  that the server leads.
     * @param member number of the member that shall lead.
     * @param endNs  when to have the answer, a time of {@link System#nanoTime()}.
     * @throws AttachFailedException if the server refuses; or if it does not answer in time, or the connection breaks:
     *                               then the other one may lead.
     */
    public void transfer(final int shard, final long member, final long endNs) throws AttachFailedException
    {
        try
        {
            channel.send(new TransferEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
                .shard(shard).member(member).limit(), endNs);
            connection.receive(TransferredDecoder.TEMPLATE_ID, endNs);
        }
        catch (final IOException e)
        {
            throw connection.failed(e);
        }
    }

    @Override
    public void close() throws IOException
    {
        connection.close();
    }
}

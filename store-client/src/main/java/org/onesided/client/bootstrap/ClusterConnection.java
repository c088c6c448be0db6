package org.onesided.client.bootstrap;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.function.LongConsumer;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.ZoneName;
import org.onesided.protocol.bootstrap.codec.BlankDecoder;
import org.onesided.protocol.bootstrap.codec.ChangingDecoder;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;
import org.onesided.protocol.bootstrap.codec.FormedDecoder;
import org.onesided.protocol.bootstrap.codec.FoundEncoder;
import org.onesided.protocol.bootstrap.codec.MemberDecoder;
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
            final boolean isPeerTls = blank.peerTls() != 0;
            final long prepared = blank.prepared();
            // In the order of the message.
            final String peerAddress = OneLine.ofPeer(blank.peerAddress());
            return new BlankAnswer(isPeerTls, peerAddress, ZoneName.ofPeer(blank.zone()), prepared);
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
     * @param joins         whether the cluster is there already.
     * @param endNs         when to have its answer, a time of {@link System#nanoTime()}.
     * @throws AttachFailedException if the server refuses; or if it does not answer in time, or the connection breaks:
     *                               then it may be formed or not.
     */
    public void form(
        final long self,
        final ClusterFoundation foundation,
        final boolean isPreparation,
        final boolean joins,
        final long endNs)
        throws AttachFailedException
    {
        try
        {
            channel.send(FormMessage.encode(channel.outgoing(), self, foundation, isPreparation, joins), endNs);
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
     * @return how it stands.
     * @throws AttachFailedException if the server is alone, refuses, or does not answer in time.
     */
    public MemberStand askFollowers(final byte[] token, final int shards) throws AttachFailedException
    {
        try
        {
            connection.sayHello(Bootstrap.OPERATE, token, SessionIdentity.NONE, Bootstrap.ALL_SHARDS);
            connection.receive(FollowersDecoder.TEMPLATE_ID);
            final FollowersDecoder message =
                new FollowersDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
            return FollowersMessage.decode(message, shards);
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

    /**
     * Asks a member of a cluster for what a new one must know. The connection can be used to change members then, by
     * {@link MembersRequest}.
     *
     * @param token of this client.
     * @return what the member knows.
     * @throws AttachFailedException if the server is no member, refuses, or does not answer in time.
     */
    public MemberAnswer askMember(final byte[] token) throws AttachFailedException
    {
        try
        {
            connection.sayHello(Bootstrap.MEMBERS, token, SessionIdentity.NONE, Bootstrap.ALL_SHARDS);
            connection.receive(MemberDecoder.TEMPLATE_ID);
            return MemberAnswer.read(
                new MemberDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()));
        }
        catch (final IOException e)
        {
            throw connection.failed(e);
        }
    }

    /**
     * Has members changed by a member that answered {@link #askMember}, and waits for it.
     *
     * @param request    what to do.
     * @param silenceNs  for how long the member may say nothing, in nanoseconds.
     * @param onProgress hears how many entries the new member lacks that lacks most; 0 if that is not known.
     * @throws AttachFailedException if the member refuses, which ends the connection; or falls silent, or the
     *                               connection breaks: then members may be changed or not.
     */
    public void changeMembers(final MembersRequest request, final long silenceNs, final LongConsumer onProgress)
        throws AttachFailedException
    {
        try
        {
            channel.send(request.encode(channel.outgoing()), System.nanoTime() + silenceNs);
            boolean isDone = false;
            while (!isDone)
            {
                connection.receive(ChangingDecoder.TEMPLATE_ID, System.nanoTime() + silenceNs);
                final ChangingDecoder changing =
                    new ChangingDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
                isDone = changing.done() == 1;
                if (!isDone)
                {
                    onProgress.accept(changing.behind());
                }
            }
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

package org.onesided.server.forming;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.AnnounceDecoder;
import org.onesided.protocol.bootstrap.codec.ChangeDecoder;
import org.onesided.protocol.bootstrap.codec.ChangingEncoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.MemberEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.TakeDecoder;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.raft.MembersChangeException;
import org.onesided.server.session.ClientDesk;
import org.onesided.server.session.DeskClients;
import org.onesided.server.session.LastWords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells clients what a new member of the cluster must know, and changes who keeps the partitions, as they say.
 * Thread-safe.
 */
public final class MembersDesk implements ClientDesk, AutoCloseable
{
    /** Clients at a time. */
    static final int MAX_CLIENTS = 4;

    private static final Logger LOGGER = LoggerFactory.getLogger(MembersDesk.class);
    /** A client forms a new member before it asks for the first change. */
    private static final long DECISION_NS = TimeUnit.MINUTES.toNanos(2);
    /** Behind that, a client must show again who it is: its token may be gone. */
    private static final long LIFE_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The client looks for a sign of life more rarely than this. */
    private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(1);

    private final MemberChanges changes;
    private final DeskClients clients;

    /**
     * @param changes makes them.
     * @param onError hears, on any thread, of what ends the server.
     */
    public MembersDesk(final MemberChanges changes, final Consumer<Error> onError)
    {
        this.changes = changes;
        clients = new DeskClients("store-members", MAX_CLIENTS, onError);
    }

    @Override
    public String refusal()
    {
        return !clients.areMost() ? null :
            "other clients change members, try again later: clients=" + MAX_CLIENTS;
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
            final long endNs = System.nanoTime() + LIFE_NS;
            tell(channel);
            int templateId = awaitDecision(channel, endNs);
            while (templateId != GoodbyeDecoder.TEMPLATE_ID)
            {
                obey(channel, templateId, peer, identity);
                templateId = awaitDecision(channel, endNs);
            }
        }
        catch (final ProtocolException e)
        {
            LOGGER.warn("members stay as they are, a client's message makes no sense: peer={} reason={}", peer,
                OneLine.of(e.getMessage()));
            LastWords.refuse(channel, RefusalCode.PROTOCOL, e.getMessage());
        }
        catch (final MembersChangeException e)
        {
            LOGGER.info("members were not changed: peer={} identity={} reason={}", peer, identity,
                OneLine.of(e.getMessage()));
            LastWords.refuse(channel, code(e), e.getMessage());
        }
        catch (final IOException e)
        {
            LOGGER.debug("client that may change members has left: peer={}", peer, e);
        }
        catch (final InterruptedException e)
        {
            // The server stops. What was begun goes on, as long as this member leads.
            Thread.currentThread().interrupt();
        }
    }

    private static RefusalCode code(final MembersChangeException e)
    {
        return switch (e.kind())
        {
            case NOT_LEADING -> RefusalCode.NOT_LEADING;
            case BUSY -> RefusalCode.CAPACITY;
            case REFUSED -> RefusalCode.MEMBERS;
        };
    }

    private void tell(final MessageChannel channel) throws IOException
    {
        final ClusterDescription cluster = changes.description();
        final TableIdentity table = changes.identity();
        final MemberEncoder member = new MemberEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
            .self(cluster.self())
            .next(cluster.highest() + 1)
            .tableId(table.tableId())
            .serverLife(table.serverLife())
            .hashSeed(table.hashSeed())
            .checkSeed(table.checkSeed())
            .leaseMs(cluster.leaseMs())
            .shards(changes.shards())
            .peerTls((short)(changes.isPeerTls() ? 1 : 0))
            .replication((short)cluster.replicas());
        final MemberEncoder.MembersEncoder members = member.membersCount(cluster.members().size());
        for (final ClusterMember each : cluster.members())
        {
            members.next().number(each.number()).address(each.address()).peerAddress(each.peerAddress());
        }
        final Map<Integer, List<Long>> led = changes.led();
        final MemberEncoder.ReplicasEncoder replicas =
            member.replicasCount(led.values().stream().mapToInt(List::size).sum());
        led.forEach((shard, numbers) -> numbers.forEach((number) -> replicas.next().shard(shard).number(number)));
        final byte[] key = table.sessionKey().bytes();
        member.putSessionKey(key, 0, key.length);
        channel.send(member.limit(), System.nanoTime() + LastWords.LINGER_NS);
    }


    /** The client has some time for each decision, and an end for all of them. */
    private int awaitDecision(final MessageChannel channel, final long lifeEndNs) throws IOException
    {
        final long nowNs = System.nanoTime();
        return clients.await(channel, nowNs + Math.min(DECISION_NS, lifeEndNs - nowNs));
    }

    private void obey(final MessageChannel channel, final int templateId, final String peer, final String identity)
        throws IOException, MembersChangeException, InterruptedException
    {
        if (templateId == AnnounceDecoder.TEMPLATE_ID)
        {
            final AnnounceDecoder announce =
                new AnnounceDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
            final boolean isGone = announce.gone() != 0;
            final ClusterMember member = MemberChange.decode(announce);
            if (isGone)
            {
                changes.forget(member.number());
            }
            else
            {
                changes.announce(member);
            }
            LOGGER.info("member is announced: peer={} identity={} member={} address={} gone={}", peer, identity,
                member.number(), member.address(), isGone ? "yes" : "no");
            progress(channel, true, 0);
        }
        else if (templateId == TakeDecoder.TEMPLATE_ID)
        {
            final int shard =
                new TakeDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()).shard();
            checkShard(shard);
            LOGGER.info("partition is about to come: partition={} peer={} identity={}", shard, peer, identity);
            progress(channel, true, 0);
            changes.take(shard);
        }
        else if (templateId == ChangeDecoder.TEMPLATE_ID)
        {
            final MemberChange change = MemberChange.decode(
                new ChangeDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()));
            checkShard(change.shard());
            LOGGER.info("members of a partition change: peer={} identity={} partition={} before={} after={}", peer,
                identity, change.shard(), change.before(),
                change.after().stream().map(ClusterMember::number).toList());
            await(channel, change, changes.change(change));
            LOGGER.info("members of a partition have changed: partition={}", change.shard());
        }
        else
        {
            throw new ProtocolException("message out of order: template=" + templateId);
        }
    }

    private void checkShard(final int shard) throws ProtocolException
    {
        if (shard >= changes.shards())
        {
            throw new ProtocolException("there is no such partition: partition=" + shard);
        }
    }

    /** Tells the client of the progress. If it leaves, the change goes on. */
    private void await(final MessageChannel channel, final MemberChange change, final CompletableFuture<Void> done)
        throws IOException, MembersChangeException, InterruptedException
    {
        final List<Long> added = change.added();
        long toldNs = System.nanoTime();
        while (true)
        {
            try
            {
                done.get(LOOK_NS, TimeUnit.NANOSECONDS);
                progress(channel, true, 0);
                return;
            }
            catch (final TimeoutException e)
            {
                if (clients.isClosed())
                {
                    throw new MembersChangeException(MembersChangeException.Kind.NOT_LEADING, "server stops", e);
                }
            }
            catch (final ExecutionException e)
            {
                if (e.getCause() instanceof MembersChangeException failure)
                {
                    throw failure;
                }
                throw new MembersChangeException(
                    MembersChangeException.Kind.REFUSED, String.valueOf(e.getCause()), e.getCause());
            }
            if (System.nanoTime() - toldNs >= PROGRESS_NS)
            {
                toldNs = System.nanoTime();
                progress(channel, false, changes.behind(change.shard(), added));
            }
        }
    }

    private static void progress(final MessageChannel channel, final boolean isDone, final long behind)
        throws IOException
    {
        final ChangingEncoder changing = new ChangingEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
            .done((short)(isDone ? 1 : 0)).behind(behind);
        channel.send(changing.limit(), System.nanoTime() + LastWords.LINGER_NS);
    }

    /** Takes leave of all clients, and waits for what is being written. */
    @Override
    public void close()
    {
        clients.close();
    }
}

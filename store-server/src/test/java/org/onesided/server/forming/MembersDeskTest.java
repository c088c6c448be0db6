package org.onesided.server.forming;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.codec.AnnounceEncoder;
import org.onesided.protocol.bootstrap.codec.ChangeEncoder;
import org.onesided.protocol.bootstrap.codec.ChangingDecoder;
import org.onesided.protocol.bootstrap.codec.MemberDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;
import org.onesided.protocol.bootstrap.codec.TakeEncoder;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.SessionKey;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.raft.MembersChangeException;
import org.onesided.server.raft.MembersChangeException.Kind;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MembersDeskTest
{
    private static final SessionKey KEY = SessionKey.draw();
    private static final ClusterMember ONE = new ClusterMember(1, "a:1", "a:2");
    private static final ClusterMember TWO = new ClusterMember(2, "b:1", "b:2");
    private static final ClusterMember FOUR = new ClusterMember(4, "d:1", "d:2");

    private final Played changes = new Played();
    private final List<Error> errors = new ArrayList<>();
    private final MembersDesk desk = new MembersDesk(changes, errors::add);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private MessageChannel client;

    /** Plays a member. */
    private static final class Played implements MemberChanges
    {
        private final ConcurrentLinkedQueue<Object> asked = new ConcurrentLinkedQueue<>();
        private final CompletableFuture<Void> change = new CompletableFuture<>();
        private volatile MembersChangeException refusal;

        @Override
        public ClusterDescription description()
        {
            return new ClusterDescription(1, List.of(ONE, TWO), List.of(), 3, Set.of(), 0, 1500);
        }

        @Override
        public TableIdentity identity()
        {
            return new TableIdentity(11, 12, 13, 14, KEY);
        }

        @Override
        public int shards()
        {
            return 3;
        }

        @Override
        public boolean isPeerTls()
        {
            return true;
        }

        @Override
        public Map<Integer, List<Long>> led()
        {
            return Map.of(2, List.of(1L, 2L));
        }

        @Override
        public void announce(final ClusterMember member) throws MembersChangeException
        {
            asked.add(member);
            if (refusal != null)
            {
                throw refusal;
            }
        }

        @Override
        public void forget(final long number)
        {
            asked.add(number);
        }

        @Override
        public void take(final int shard)
        {
            asked.add(shard);
        }

        @Override
        public CompletableFuture<Void> change(final MemberChange wanted)
        {
            asked.add(wanted);
            return change;
        }

        @Override
        public long behind(final int shard, final Collection<Long> numbers)
        {
            return 100 * shard + numbers.iterator().next();
        }
    }

    @BeforeEach
    void connect() throws IOException
    {
        try (ServerSocketChannel listener = ServerSocketChannel.open())
        {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = new MessageChannel(
                SocketChannel.open(listener.getLocalAddress()), Bootstrap.MAX_MESSAGE_LENGTH);
            opened.add(client);
            assertNull(desk.refusal());
            desk.serve(new MessageChannel(listener.accept(), Bootstrap.MAX_HELLO_LENGTH), "peer", "identity");
        }
    }

    @AfterEach
    void close()
    {
        // Before the desk, which would wait for them.
        CloseHelper.closeAll(opened);
        desk.close();
        assertEquals(List.of(), errors);
    }

    /** The desk takes few clients at a time, and leaves this one when it has read its last message. */
    private void reconnect() throws IOException
    {
        client.close();
        while (desk.refusal() != null)
        {
            Thread.onSpinWait();
        }
        connect();
    }

    private static long deadline()
    {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    }

    private MemberDecoder member() throws IOException
    {
        assertEquals(MemberDecoder.TEMPLATE_ID, client.receive(deadline()));
        return new MemberDecoder().wrapAndApplyHeader(client.message(), 0, new MessageHeaderDecoder());
    }

    private ChangingDecoder changing() throws IOException
    {
        assertEquals(ChangingDecoder.TEMPLATE_ID, client.receive(deadline()));
        return new ChangingDecoder().wrapAndApplyHeader(client.message(), 0, new MessageHeaderDecoder());
    }

    private String refusal(final RefusalCode code) throws IOException
    {
        assertEquals(RefusedDecoder.TEMPLATE_ID, client.receive(deadline()));
        final RefusedDecoder refused =
            new RefusedDecoder().wrapAndApplyHeader(client.message(), 0, new MessageHeaderDecoder());
        assertEquals(code, refused.code());
        return refused.reason();
    }

    private void announce(final ClusterMember member, final boolean isGone) throws IOException
    {
        client.send(new AnnounceEncoder().wrapAndApplyHeader(client.outgoing(), 0, new MessageHeaderEncoder())
            .number(member.number()).gone((short)(isGone ? 1 : 0)).address(member.address())
            .peerAddress(member.peerAddress()).limit(), deadline());
    }

    private void change(final int shard, final List<Long> before, final List<ClusterMember> after) throws IOException
    {
        final ChangeEncoder change = new ChangeEncoder()
            .wrapAndApplyHeader(client.outgoing(), 0, new MessageHeaderEncoder()).shard(shard);
        final ChangeEncoder.BeforeEncoder present = change.beforeCount(before.size());
        before.forEach((number) -> present.next().number(number));
        final ChangeEncoder.AfterEncoder wanted = change.afterCount(after.size());
        after.forEach((member) -> wanted.next().number(member.number()).address(member.address())
            .peerAddress(member.peerAddress()));
        client.send(change.limit(), deadline());
    }

    @Test
    void shouldTellWhatANewMemberMustKnow() throws IOException
    {
        final MemberDecoder member = member();
        assertEquals(1, member.self());
        assertEquals(4, member.next());
        assertEquals(11, member.tableId());
        assertEquals(12, member.serverLife());
        assertEquals(13, member.hashSeed());
        assertEquals(14, member.checkSeed());
        assertEquals(1500, member.leaseMs());
        assertEquals(3, member.shards());
        assertEquals(1, member.peerTls());
        final List<ClusterMember> members = new ArrayList<>();
        for (final MemberDecoder.MembersDecoder each : member.members())
        {
            members.add(new ClusterMember(each.number(), each.address(), each.peerAddress()));
        }
        assertEquals(List.of(ONE, TWO), members);
        final List<String> replicas = new ArrayList<>();
        for (final MemberDecoder.ReplicasDecoder each : member.replicas())
        {
            replicas.add(each.shard() + ":" + each.number());
        }
        assertEquals(List.of("2:1", "2:2"), replicas);
        final byte[] key = new byte[member.sessionKeyLength()];
        member.getSessionKey(key, 0, key.length);
        assertArrayEquals(KEY.bytes(), key);
    }

    /** The answer comes first, as the member may start again then. */
    @Test
    void shouldTellAMemberWhichPartitionItGets() throws IOException
    {
        member();
        client.send(new TakeEncoder().wrapAndApplyHeader(client.outgoing(), 0, new MessageHeaderEncoder()).shard(2)
            .limit(), deadline());
        assertEquals(1, changing().done());
        while (changes.asked.isEmpty())
        {
            Thread.onSpinWait();
        }
        assertEquals(2, changes.asked.poll());
        client.send(new TakeEncoder().wrapAndApplyHeader(client.outgoing(), 0, new MessageHeaderEncoder()).shard(3)
            .limit(), deadline());
        assertTrue(refusal(RefusalCode.PROTOCOL).contains("no such partition"));
        assertTrue(changes.asked.isEmpty());
    }

    @Test
    void shouldDoOneThingAfterTheOther() throws IOException
    {
        member();
        announce(FOUR, false);
        assertEquals(1, changing().done());
        announce(FOUR, true);
        assertEquals(1, changing().done());
        change(2, List.of(1L, 2L), List.of(ONE, TWO, FOUR));
        // Until it is made, once a second.
        ChangingDecoder changing = changing();
        assertEquals(0, changing.done());
        assertEquals(204, changing.behind());
        changes.change.complete(null);
        while (changing.done() == 0)
        {
            changing = changing();
        }
        assertEquals(FOUR, changes.asked.poll());
        assertEquals(4L, changes.asked.poll());
        final MemberChange asked = (MemberChange)changes.asked.poll();
        assertEquals(2, asked.shard());
        assertEquals(List.of(1L, 2L), List.copyOf(asked.before()));
        assertEquals(List.of(ONE, TWO, FOUR), asked.after());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldSayWhyItCannotBe(final Kind kind) throws IOException
    {
        member();
        // Before it is asked for: of a change that takes longer than a second, the desk tells first how far it is.
        changes.change.completeExceptionally(new MembersChangeException(kind, "not so", null));
        change(0, List.of(1L, 2L), List.of(ONE, FOUR));
        assertEquals("not so", refusal(switch (kind)
        {
            case NOT_LEADING -> RefusalCode.NOT_LEADING;
            case BUSY -> RefusalCode.CAPACITY;
            case REFUSED -> RefusalCode.MEMBERS;
        }));
        assertThrows(EOFException.class, () -> client.receive(deadline()));
    }

    @Test
    void shouldSayWhyAMemberIsNotTaken() throws IOException
    {
        changes.refusal = new MembersChangeException(Kind.REFUSED, "number was given before", null);
        member();
        announce(FOUR, false);
        assertEquals("number was given before", refusal(RefusalCode.MEMBERS));
    }

    @Test
    void shouldAskNobodyForWhatMakesNoSense() throws IOException
    {
        final List<ClusterMember> twice = List.of(ONE, new ClusterMember(1, "x:1", "x:2"));
        final List<ClusterMember> sameAddress = List.of(ONE, new ClusterMember(5, "a:1", "x:2"));
        final List<ClusterMember> noAddress = List.of(ONE, new ClusterMember(5, "no port", "x:2"));
        final List<ClusterMember> noPort = List.of(ONE, new ClusterMember(5, "x:99999", "x:2"));
        final List<ClusterMember> many = new ArrayList<>();
        for (int i = 1; i <= Bootstrap.MAX_MEMBERS + 1; i++)
        {
            many.add(new ClusterMember(i, "h" + i + ":1", "h" + i + ":2"));
        }
        for (final List<ClusterMember> after :
            List.of(List.<ClusterMember>of(), twice, sameAddress, noAddress, noPort, many))
        {
            member();
            change(0, List.of(1L), after);
            assertNotNull(refusal(RefusalCode.PROTOCOL));
            reconnect();
        }
        member();
        change(0, List.of(), List.of(ONE));
        assertTrue(refusal(RefusalCode.PROTOCOL).contains("before"));
        reconnect();
        member();
        change(3, List.of(1L), List.of(ONE));
        assertTrue(refusal(RefusalCode.PROTOCOL).endsWith("partition=3"));
        reconnect();
        member();
        client.send(new ReadyEncoder().wrapAndApplyHeader(client.outgoing(), 0, new MessageHeaderEncoder()).limit(),
            deadline());
        assertTrue(refusal(RefusalCode.PROTOCOL).contains("out of order"));
        assertEquals(List.of(), List.copyOf(changes.asked));
    }

    /** The server stops while a change takes its time. */
    @Test
    void shouldNotWaitForAChangeWhenItIsClosed() throws IOException
    {
        member();
        change(0, List.of(1L, 2L), List.of(ONE, FOUR));
        assertEquals(0, changing().done());
        desk.close();
        assertThrows(IOException.class, () ->
        {
            while (client.receive(deadline()) == ChangingDecoder.TEMPLATE_ID)
            {
                // More of the same may be on its way.
                assertEquals(0, changes.change.isDone() ? 1 : 0);
            }
            throw new IOException("refused");
        });
    }
}

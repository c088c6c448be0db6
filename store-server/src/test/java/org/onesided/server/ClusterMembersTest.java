package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.server.data.BlankDirectory;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.TableIdentity;

/** Three servers of one cluster, the same for all tests, as clients see them that connect. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterMembersTest
{
    private static final int MEMBERS = 3;
    private static final int SHARDS = 2;
    private static final long LEASE_MS = 200;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    /** On a busy machine the leader may change at any time, but not each time. */
    private static final int ATTEMPTS = 10;

    @TempDir
    private static Path directory;
    private final TableIdentity identity = TableIdentity.draw();
    private final List<ClusterMember> members = new ArrayList<>();
    private final StoreServer[] servers = new StoreServer[MEMBERS];

    /** A member that serves a shard, by its index, and the term in which it does. */
    private record Serving(int member, long term)
    {
    }

    /** What is so while one member serves. */
    private interface Look
    {
        void at(int leader) throws Exception;
    }

    @BeforeAll
    void setUp() throws IOException
    {
        final List<String> addresses = FreePorts.addresses(2 * MEMBERS);
        for (int i = 0; i < MEMBERS; i++)
        {
            members.add(new ClusterMember(i + 1, addresses.get(2 * i), addresses.get(2 * i + 1)));
        }
        for (int i = 0; i < MEMBERS; i++)
        {
            try (BlankDirectory blank = BlankDirectory.open(directory.resolve("member-" + i)))
            {
                blank.form(identity, SHARDS, ClusterDescription.founding(i + 1, members, LEASE_MS));
            }
            start(i);
        }
    }

    @AfterAll
    void tearDown() throws InterruptedException
    {
        final List<Thread> closers = new ArrayList<>();
        for (final StoreServer server : servers)
        {
            if (server != null)
            {
                final Thread closer = new Thread(server::close, "closer");
                closer.start();
                closers.add(closer);
            }
        }
        for (final Thread closer : closers)
        {
            closer.join();
        }
    }

    private void start(final int index)
    {
        final ServerOptions options = new ServerOptions();
        final String address = members.get(index).address();
        options.listenHost("127.0.0.1").listenPort(Integer.parseInt(address.substring(address.indexOf(':') + 1)))
            .shards(SHARDS).device("shm").memory(64L << 20)
            .data(DataOptions.in(directory.resolve("member-" + index)));
        servers[index] = StoreServer.start(options);
    }

    private InetSocketAddress address(final int index)
    {
        return servers[index].address();
    }

    /** The only member that serves a shard, once there is one. */
    private Serving awaitServing(final int shard) throws Exception
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (System.nanoTime() - deadlineNs < 0)
        {
            final List<Serving> serving = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++)
            {
                final long term = servers[i] == null ? 0 : servingTerm(i, shard);
                if (term > 0)
                {
                    serving.add(new Serving(i, term));
                }
            }
            assertEquals(serving.size(), serving.stream().mapToLong(Serving::term).distinct().count(),
                () -> "two members serve: " + serving);
            // Members are asked one after the other, and the next one may serve meanwhile.
            if (serving.size() == 1)
            {
                return serving.get(0);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("there is no member that serves alone: shard=" + shard);
    }

    private void look(final int shard, final Look look) throws Exception
    {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++)
        {
            final Serving serving = awaitServing(shard);
            try
            {
                look.at(serving.member());
                return;
            }
            catch (final IOException | AssertionError e)
            {
                if (attempt == ATTEMPTS || awaitServing(shard).equals(serving))
                {
                    throw e;
                }
            }
        }
    }

    /** The term in which a member says that it serves a shard, or 0. */
    private long servingTerm(final int index, final int shard) throws IOException
    {
        try (TestBootstrap bootstrap = new TestBootstrap(address(index)))
        {
            bootstrap.sendHello(Bootstrap.VERSION, "", "", null);
            bootstrap.offer();
            final OfferDecoder offer = new OfferDecoder()
                .wrapAndApplyHeader(bootstrap.channel().message(), 0, new MessageHeaderDecoder());
            assertEquals(index + 1, offer.self());
            assertEquals(identity.tableId(), offer.tableId());
            assertEquals(identity.hashSeed(), offer.hashSeed());
            assertEquals(LEASE_MS, offer.leaseMs());
            offer.devices().forEach((device) -> assertEquals("shm", device.name()));
            int count = 0;
            for (final OfferDecoder.MembersDecoder member : offer.members())
            {
                assertEquals(members.get(count).number(), member.number());
                assertEquals(members.get(count).address(), member.address());
                count++;
            }
            assertEquals(MEMBERS, count);
            long term = 0;
            count = 0;
            for (final OfferDecoder.LeadersDecoder leader : offer.leaders())
            {
                if (count == shard)
                {
                    final boolean isServing = leader.serving() == 1;
                    assertTrue(!isServing || leader.member() == index + 1 && leader.term() > 0, "leader " + leader);
                    term = isServing ? leader.term() : 0;
                }
                count++;
            }
            assertEquals(SHARDS, count);
            return term;
        }
    }

    private TestBootstrap.Refusal refusal(final int index, final int shard) throws IOException
    {
        try (TestBootstrap bootstrap = new TestBootstrap(address(index)))
        {
            bootstrap.sendHello(shard, "shm");
            return bootstrap.refusal();
        }
    }

    @Test
    void shouldTakeSessionsOfAShardWhereItIsLed() throws Exception
    {
        for (int shard = 0; shard < SHARDS; shard++)
        {
            final int of = shard;
            look(shard, (leader) -> takeSessionsOnly(leader, of));
        }
    }

    private void takeSessionsOnly(final int leader, final int shard) throws IOException
    {
        for (int i = 0; i < MEMBERS; i++)
        {
            if (i != leader)
            {
                final TestBootstrap.Refusal refusal = refusal(i, shard);
                assertEquals(RefusalCode.NOT_LEADING, refusal.code(), refusal.reason());
            }
        }
        try (TestBootstrap bootstrap = new TestBootstrap(address(leader)))
        {
            bootstrap.sendHello(shard, "shm");
            final TestBootstrap.Welcome welcome = bootstrap.welcome();
            assertEquals(identity.serverLife(), welcome.life());
            assertEquals(SHARDS, welcome.shards());
            assertFalse(bootstrap.isOfferedBatches(), "members have a log");
        }
    }

    @Test
    void shouldRefuseSessionsOfAllShardsAndOfNone() throws Exception
    {
        for (final int shard : new int[] {Bootstrap.ALL_SHARDS, SHARDS, Integer.MIN_VALUE, Integer.MAX_VALUE})
        {
            look(0, (leader) ->
            {
                final TestBootstrap.Refusal refusal = refusal(leader, shard);
                assertEquals(RefusalCode.NOT_LEADING, refusal.code());
                assertTrue(refusal.reason().contains("connect to the cluster"), refusal.reason());
            });
        }
    }

    @Test
    void shouldServeElsewhereWhereALeaderHasLeft() throws Exception
    {
        boolean isSteady = false;
        for (int attempt = 1; attempt <= ATTEMPTS && !isSteady; attempt++)
        {
            final int leader = awaitServing(0).member();
            servers[leader].close();
            servers[leader] = null;
            final Serving next = awaitServing(0);
            assertNotEquals(leader, next.member());
            start(leader);
            isSteady = awaitServing(0).equals(next);
        }
        assertTrue(isSteady, "whoever comes back takes the lead");
    }
}

package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.server.data.BlankDirectory;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.TableIdentity;

/** Three servers of one cluster, as clients see them that connect. */
class ClusterMembersTest
{
    private static final int MEMBERS = 3;
    private static final int SHARDS = 2;
    private static final long LEASE_MS = 200;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path directory;
    private final TableIdentity identity = TableIdentity.draw();
    private final List<ClusterMember> members = new ArrayList<>();
    private final StoreServer[] servers = new StoreServer[MEMBERS];

    @BeforeEach
    void setUp() throws IOException
    {
        final List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 2 * MEMBERS; i++)
        {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        for (int i = 0; i < MEMBERS; i++)
        {
            members.add(new ClusterMember(i + 1, "127.0.0.1:" + sockets.get(2 * i).getLocalPort(),
                "127.0.0.1:" + sockets.get(2 * i + 1).getLocalPort()));
        }
        for (final ServerSocket socket : sockets)
        {
            socket.close();
        }
        for (int i = 0; i < MEMBERS; i++)
        {
            try (BlankDirectory blank = BlankDirectory.open(directory.resolve("member-" + i)))
            {
                blank.form(identity, SHARDS, new ClusterDescription(i + 1, members, LEASE_MS));
            }
            start(i);
        }
    }

    @AfterEach
    void tearDown()
    {
        for (final StoreServer server : servers)
        {
            if (server != null)
            {
                server.close();
            }
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

    /** Index of the only member that serves a shard, once there is one. */
    private int awaitServing(final int shard) throws Exception
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (System.nanoTime() - deadlineNs < 0)
        {
            int serving = -1;
            for (int i = 0; i < MEMBERS; i++)
            {
                if (servers[i] != null && isServing(i, shard))
                {
                    assertEquals(-1, serving, "two members serve");
                    serving = i;
                }
            }
            if (serving >= 0)
            {
                return serving;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("nobody serves: shard=" + shard);
    }

    private boolean isServing(final int index, final int shard) throws IOException
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
            boolean isServing = false;
            count = 0;
            for (final OfferDecoder.LeadersDecoder leader : offer.leaders())
            {
                if (count == shard)
                {
                    isServing = leader.serving() == 1;
                    assertTrue(!isServing || leader.member() == index + 1 && leader.term() > 0, "leader " + leader);
                }
                count++;
            }
            assertEquals(SHARDS, count);
            return isServing;
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
            final int leader = awaitServing(shard);
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
            }
        }
    }

    @Test
    void shouldRefuseSessionsOfAllShardsAndOfNone() throws Exception
    {
        final int leader = awaitServing(0);
        for (final int shard : new int[] {Bootstrap.ALL_SHARDS, SHARDS, Integer.MIN_VALUE, Integer.MAX_VALUE})
        {
            final TestBootstrap.Refusal refusal = refusal(leader, shard);
            assertEquals(RefusalCode.NOT_LEADING, refusal.code());
            assertTrue(refusal.reason().contains("connect to the cluster"), refusal.reason());
        }
    }

    @Test
    void shouldServeElsewhereWhereALeaderHasLeft() throws Exception
    {
        final int leader = awaitServing(0);
        servers[leader].close();
        servers[leader] = null;
        final int next = awaitServing(0);
        assertNotEquals(leader, next);
        start(leader);
        assertEquals(next, awaitServing(0));
    }
}

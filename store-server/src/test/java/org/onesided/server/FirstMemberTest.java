package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.cluster.ReignStage;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterFile;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.DataOptions;

/** The directory of a server that is alone becomes that of a member. */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FirstMemberTest
{
    private static final int SHARDS = 2;
    private static final int KEYS = 50;
    private static final long LEASE_MS = 200;

    @TempDir
    private Path parent;

    private Path data;
    private String address;
    private String peerAddress;

    @BeforeEach
    void setUp() throws IOException
    {
        data = parent.resolve("data");
        final List<String> free = FreePorts.addresses(2);
        address = free.get(0);
        peerAddress = free.get(1);
        try (StoreServer server = start(data, 0); TestClient client = TestClient.connected(server))
        {
            for (int i = 0; i < KEYS; i++)
            {
                assertEquals(Status.OK, client.put("key-" + i, new byte[]{(byte)i}).status());
            }
        }
    }

    private static ServerOptions options(final Path path, final int port)
    {
        return new ServerOptions().listenHost("127.0.0.1").listenPort(port).shards(SHARDS).device("shm")
            .memory(64L << 20).data(DataOptions.in(path));
    }

    private static StoreServer start(final Path path, final int port)
    {
        return StoreServer.start(options(path, port));
    }

    private int port()
    {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    private StoredTable make()
    {
        return FirstMember.make(data, address, peerAddress, 0, LEASE_MS);
    }

    private FirstMember first(final Path path)
    {
        return new FirstMember(path, ClusterDescription.founding(
            1, List.of(new ClusterMember(1, address, peerAddress)), LEASE_MS));
    }

    private static void assertAlone(final Path path) throws IOException
    {
        assertNull(ClusterFile.read(path));
        try (StoreServer server = start(path, 0); TestClient client = TestClient.connected(server))
        {
            for (int i = 0; i < KEYS; i++)
            {
                assertArrayEquals(new byte[]{(byte)i}, client.lookUp("key-" + i));
            }
            assertNull(server.metrics().stand());
        }
    }

    private void assertMember(final Path path)
    {
        try (StoreServer server = start(path, port()))
        {
            assertNotNull(server.metrics().stand());
            Await.until("both partitions are served", () -> server.metrics().stand().led().stream()
                .filter((partition) -> partition.reign().stage() == ReignStage.SERVES).count() == SHARDS);
            assertEquals(KEYS, server.metrics().shards().stream().mapToLong((shard) -> shard.table().records()).sum());
        }
    }

    private static void copy(final Path from, final Path to) throws IOException
    {
        try (Stream<Path> all = Files.walk(from))
        {
            for (final Path each : all.toList())
            {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }

    @Test
    void shouldKeepTheTable()
    {
        final StoredTable before = StoredTable.info(data);
        final StoredTable made = make();
        final StoredTable after = StoredTable.info(data);
        assertEquals(after, made);
        assertEquals(before.tableId(), after.tableId());
        assertEquals(before.serverLife(), after.serverLife());
        assertEquals(before.shards(), after.shards());
        assertEquals(List.of(new ClusterMember(1, address, peerAddress)), after.cluster().members());
        assertEquals(LEASE_MS, after.cluster().leaseMs());
        assertMember(data);
        assertMember(data);
    }

    /** A session of a server that was alone is in all shards' logs. Nobody resumes it, so all of them forget it. */
    @Test
    void shouldEndSessionsThatNobodyCanResume() throws IOException
    {
        final StoreServer alone = start(data, 0);
        final TestClient client = TestClient.connected(alone);
        for (int i = 0; i < KEYS; i++)
        {
            assertEquals(Status.OK, client.put("key-" + i, new byte[]{(byte)i}).status());
        }
        alone.close();
        client.close();
        make();
        try (StoreServer server = StoreServer.start(options(data, port()).leaseNs(TimeUnit.SECONDS.toNanos(5))))
        {
            Await.until("sessions are known", () -> sessions(server) >= SHARDS);
            Await.until("sessions end", () -> sessions(server) == 0);
        }
    }

    private static long sessions(final StoreServer server)
    {
        return server.metrics().shards().stream().mapToLong((shard) -> shard.durability().sessions()).sum();
    }

    /** Whatever ends the change, the server is alone as before; or it is a member. Then it can be repeated. */
    @Test
    void shouldBeOneOrTheOtherAfterEachStep() throws IOException
    {
        final int steps = first(data).steps(StoredTable.info(data)).size();
        assertTrue(steps > SHARDS, "steps=" + steps);
        for (int ended = 0; ended < steps; ended++)
        {
            final Path copy = parent.resolve("ended-" + ended);
            copy(data, copy);
            final List<FirstMember.Step> all = first(copy).steps(StoredTable.info(copy));
            for (final FirstMember.Step step : all.subList(0, ended))
            {
                step.run();
            }
            Files.write(copy.resolve("cluster.tmp"), new byte[5]);
            assertAlone(copy);
            FirstMember.make(copy, address, peerAddress, 0, LEASE_MS);
            assertMember(copy);
        }
    }

    @Test
    void shouldStayAloneIfTheMembershipCannotBeWritten() throws IOException
    {
        final Path obstacle = data.resolve("cluster.tmp");
        Files.createDirectory(obstacle);
        Files.createFile(obstacle.resolve("in-the-way"));
        final String message = assertThrows(ServerException.class, this::make).getMessage();
        assertTrue(message.startsWith("nothing was changed, ") && message.contains(data.toString()), message);
        Files.delete(obstacle.resolve("in-the-way"));
        Files.delete(obstacle);
        assertAlone(data);
    }

    /** A server that is alone does without the record of votes; a member would not start. */
    @Test
    void shouldWriteDownTheVotesThatAreMissing() throws IOException
    {
        try (Stream<Path> all = Files.walk(data))
        {
            for (final Path each : all.filter((path) -> path.endsWith("raft-meta")).toList())
            {
                Files.delete(each);
            }
        }
        make();
        assertMember(data);
    }

    private String refusal()
    {
        return assertThrows(ServerException.class, this::make).getMessage();
    }

    @Test
    void shouldRefuseADirectoryInUse()
    {
        final StoreServer server = start(data, 0);
        try
        {
            assertTrue(refusal().contains("in use by a running server"));
        }
        finally
        {
            server.close();
        }
        assertNull(ClusterFile.read(data));
    }

    @Test
    void shouldRefuseAMember()
    {
        make();
        final String message = refusal();
        assertTrue(message.contains("a member of a cluster already") && message.contains("member=1"), message);
        assertMember(data);
    }

    @Test
    void shouldRefuseADirectoryWithoutATable()
    {
        data = parent.resolve("none");
        assertTrue(refusal().contains("holds no table"));
    }

    @Test
    void shouldRefuseADamagedTable() throws IOException
    {
        final Path log;
        try (Stream<Path> all = Files.walk(data))
        {
            log = all.filter((path) -> path.getFileName().toString().startsWith("log_"))
                .max((one, other) -> Long.compare(one.toFile().length(), other.toFile().length())).orElseThrow();
        }
        final byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 4] ^= 1;
        Files.write(log, bytes);
        final String message = refusal();
        assertTrue(message.contains("the table is damaged") && message.contains(log.toString()), message);
        assertNull(ClusterFile.read(data));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:0, 127.0.0.1:7101, --listen", "127.0.0.1, 127.0.0.1:7101, HOST:PORT",
        "0.0.0.0:7001, 127.0.0.1:7101, --listen", "127.0.0.1:7001, 127.0.0.1:0, --peer-listen",
        "127.0.0.1:7001, 0.0.0.0:7101, --peer-listen", "127.0.0.1:7001, nowhere.invalid:7101, --peer-listen",
        "127.0.0.1:7001, 127.0.0.1:7001, different",
    })
    void shouldRefuseAddressesThatOthersCannotUse(final String own, final String peer, final String named)
    {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> FirstMember.make(data, own, peer, 0, LEASE_MS)).getMessage();
        assertTrue(message.contains(named), message);
        assertNull(ClusterFile.read(data));
    }
}
